// The address under which others reach this App. It is guessed from a request, shown, and taken from a person; what the
// request says is never more than the guess.
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

export type Address =
  | { readonly kind: 'address'; readonly url: string; readonly host: string; readonly isPrivate: boolean }
  | { readonly kind: 'refused'; readonly why: string }

const LENGTH_MAX = 1_000

/** With a path, where a proxy has the App under one. */
export function addressIn(text: string): Address {
  const refused = (why: string): Address => ({ kind: 'refused', why })
  const given = text.trim()
  if (given.length > LENGTH_MAX || !URL.canParse(given)) {
    return refused('An address looks like https://countersign.example.com.')
  }
  const { protocol, hostname, host, pathname, username, password, search, hash, origin } = new URL(given)
  if (username !== '' || password !== '') return refused('The address must not hold a name or a password.')
  if (search !== '' || hash !== '') return refused('The address must end before “?” and “#”.')
  const bare = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal(bare))) {
    return refused('The address must begin with https://, since secrets travel there; http:// is for localhost only.')
  }
  return { kind: 'address', url: `${origin}${pathname.replace(/\/+$/, '')}`, host, isPrivate: isPrivate(bare) }
}

/** What the visitor's browser and the proxies before us say; empty where that is no address. */
export function guessedAddress({ headers }: IncomingMessage): string {
  const first = (name: string): string =>
    String(headers[name] ?? '')
      .split(',')[0]
      ?.trim() ?? ''
  const host = first('x-forwarded-host') || first('host')
  if (!/^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i.test(host)) return ''
  const local = addressIn(`http://${host}`)
  const isHttp = first('x-forwarded-proto') !== 'https' && local.kind === 'address'
  const guess = addressIn(`${isHttp ? 'http' : 'https'}://${host}`)
  return guess.kind === 'address' ? guess.url : ''
}

const local = new BlockList()
local.addSubnet('127.0.0.0', 8)
local.addAddress('::1', 'ipv6')

const inside = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  inside.addSubnet(net, bits)
for (const [net, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  inside.addSubnet(net, bits, 'ipv6')

/** https://www.iana.org/assignments/special-use-domain-names, and what home and company networks call themselves. */
const privateEndings = ['localhost', 'local', 'internal', 'test', 'example', 'invalid', 'onion', 'arpa']
const customaryEndings = ['lan', 'home', 'corp', 'intranet', 'private', 'localdomain']

const isLocal = (host: string): boolean => isIn(local, host) || host === 'localhost' || host.endsWith('.localhost')

function isPrivate(host: string): boolean {
  if (isIP(host) !== 0) return isIn(inside, host)
  const ending = host.split('.').at(-1) ?? ''
  return !host.includes('.') || [...privateEndings, ...customaryEndings].includes(ending)
}

function isIn(list: BlockList, host: string): boolean {
  const version = isIP(host)
  return version !== 0 && list.check(host, version === 6 ? 'ipv6' : 'ipv4')
}
