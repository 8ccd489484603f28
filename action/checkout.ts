// Which commit lies in the workspace, and how it stands to the one that is judged. actions/checkout takes the merge of a
// pull request by default, with a history of one commit; whatever else is there would be judged in the name of the head.
import { ask, type Git } from '../src/checks/checkout/git.ts'
import { runWords } from '../src/core/words/run/run-words.ts'
import type { Subject } from './event.ts'

export type Checkout = {
  readonly sha: string
  readonly isMerge: boolean
  readonly isShallow: boolean
}

export type CheckoutReading = { readonly checkout: Checkout } | { readonly trouble: string }

export async function readCheckout(git: Git, { head_sha }: Subject): Promise<CheckoutReading> {
  const [sha = '', shallow] =
    (await ask(git, 'rev-parse', 'HEAD^{commit}', '--is-shallow-repository'))?.split('\n') ?? []
  if (sha === '') return { trouble: runWords.noCheckout }
  const isShallow = shallow === 'true'
  if (sha === head_sha) return { checkout: { sha, isMerge: false, isShallow } }
  // The commit itself names its parents, also where they were not fetched.
  const commit = (await ask(git, 'cat-file', 'commit', 'HEAD')) ?? ''
  const [header = ''] = commit.split('\n\n', 1)
  const isMerge = header.split('\n').includes(`parent ${head_sha}`)
  return isMerge ? { checkout: { sha, isMerge, isShallow } } : { trouble: runWords.otherCheckout(sha, head_sha) }
}
