// What every vote about one attempt has in common.
import type { Finding, LedgerItem } from '../../core/decision/examined.ts'
import type { Coverage } from '../change/pack.ts'
import type { AtomicProbe } from '../asking/probes.ts'
import type { Rubric } from '../asking/rubric.ts'

export type VoteContext = {
  readonly contract_hash: string
  readonly sha: string
  readonly kind: string
  readonly release: string
  readonly rubric: Rubric
  /** Questions of the task first, then those of the rubric. */
  readonly probes: readonly AtomicProbe[]
  readonly coverage: Coverage
  readonly items: readonly LedgerItem[]
  /** What first readings found and nobody could refute. */
  readonly claims: readonly Finding[]
  readonly declined: ReadonlySet<string>
  /** Hidden text that the policy refers to a human. */
  readonly hiddenText: boolean
  /** Lines that speak to their reviewer, as far as a program can tell. */
  readonly addressed: readonly { readonly path: string; readonly line: number }[]
  /** An added line looks like a secret. */
  readonly secret: boolean
}
