// What somebody who registers the App fills in, checked.
import { addressIn } from './address.ts'

export type Given = { readonly address: string; readonly back: string; readonly organization: string }
export type Wish = {
  readonly kind: 'wish'
  /** Where GitHub reaches this App. */
  readonly address: string
  /** Where the browser reaches it: GitHub sends it back there. */
  readonly back: string
  /** Null for an account of one's own. */
  readonly organization: string | null
  /** The host of `address`, where GitHub may not find it. */
  readonly privateHost: string | null
}
type Refused = { readonly kind: 'refused'; readonly given: Given; readonly why: string }

const organizationShape = /^[a-z\d][a-z\d_-]{0,99}$/i

export function wishIn(fields: URLSearchParams): Wish | Refused {
  const field = (name: string): string => (fields.get(name) ?? '').trim()
  const given = { address: field('address'), back: field('back'), organization: field('organization') }
  const address = addressIn(given.address)
  if (address.kind === 'refused') return { kind: 'refused', given, why: `Address for webhooks: ${address.why}` }
  const back = addressIn(given.back === '' ? given.address : given.back)
  if (back.kind === 'refused') return { kind: 'refused', given, why: `Address of this page: ${back.why}` }
  const { organization } = given
  if (organization !== '' && !organizationShape.test(organization)) {
    return { kind: 'refused', given, why: 'An organisation is given by its name in GitHub’s addresses, such as acme.' }
  }
  return {
    kind: 'wish',
    address: address.url,
    back: back.url,
    organization: organization === '' ? null : organization,
    privateHost: address.isPrivate ? address.host : null,
  }
}
