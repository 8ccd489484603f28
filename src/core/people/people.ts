// Who is who around an attempt: its builders, the humans who may act on it, and the reviews they left.
import { isBefore } from './order.ts'
import type { Permission } from './permission.ts'

/** An account is its number: a login is only what it is called today, and may be somebody else's tomorrow. */
export type Account = { readonly id: number | null; readonly login: string }
/** Somebody who did something, before anybody asked what they may do here. */
export type Maker = Account & { readonly kind: 'human' | 'bot' }
export type Person = Maker & {
  readonly permission: Permission
  /** Another account bears the name by now, so whoever the policy means by it is not this one. */
  readonly nameless?: true
  /** The human who answers for it, by the policy. */
  readonly owner?: string
  /** Teams as `org/team`, as far as the policy names any. */
  readonly teams: readonly string[]
}

/** How somebody came to count as a maker. `owner` directed the agent; the others touched the commits themselves. */
export type MadeAs = 'author' | 'pusher' | 'commit_author' | 'committer' | 'co_author' | 'owner'
export type Builder = Person & { readonly via: readonly MadeAs[] }

/** How many humans have exactly this permission in the repository, and whether that is everybody. */
export type Census = {
  readonly admin: number
  readonly maintain: number
  readonly write: number
  readonly complete: boolean
  /** The first few of each, so that others can be told whom to ask. It grants nothing. */
  readonly named?: Readonly<
    Record<'admin' | 'maintain' | 'write', readonly { readonly id: number | null; readonly login: string }[]>
  >
}

export type Review = {
  readonly id: string
  readonly by: string
  readonly user_id: number | null
  readonly teams: readonly string[]
  readonly permission: Permission
  readonly state: 'approved' | 'changes_requested'
  /** What it was made on. */
  readonly pull: number
  readonly base_ref: string
  /** Those of the attempt that it was heard for. */
  readonly merges_into: string
  readonly brings?: string
  readonly head_sha: string
  readonly tree_sha: string
  readonly body: string
  /** A human outside the builder set with enough permission, judged when it was submitted. */
  readonly counts: boolean
  readonly why_not: string | null
  /** May lift a REFER that had been shown before the review was submitted. */
  readonly resolves_refer: boolean
  readonly solo: boolean
  /** Its place among all deeds of the task, in the order in which they were heard. */
  readonly seq: number
  /** When it was said; older records do not have it. */
  readonly at?: string
  /** A newer one of the same person for the same pull request replaces it; what was done stays done. */
  readonly standing: 'stands' | 'replaced' | 'dismissed'
}

/** How many different people builder, approver and verifier must be. */
export type Separation = 'triple' | 'double' | 'solo'

export const sameLogin = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Whoever did what is on record. */
export const accountOf = ({ by, user_id }: { readonly by: string; readonly user_id: number | null }): Account => ({
  id: user_id,
  login: by,
})

/** What is counted of an account is kept under its number, and under its name only where that is not known. */
export const accountKey = ({ id, login }: Account): string => (id === null ? `@${login.toLowerCase()}` : String(id))

/** Where something is granted: the same number, and the same name only where one of the numbers is not known. */
export function isSame(one: Account, other: Account): boolean {
  return one.id === null || other.id === null ? sameLogin(one.login, other.login) : one.id === other.id
}

type Reviewed = Pick<Review, 'pull' | 'by' | 'user_id' | 'at'>
export const isOfOne = (one: Reviewed, other: Reviewed): boolean =>
  one.pull === other.pull && isSame(accountOf(one), accountOf(other))

/** Whether its author reviewed the pull request once more before this one was heard. */
export const hasNewer = (reviews: readonly Review[], review: Reviewed & { readonly key: string }): boolean =>
  reviews.some((one) => isOfOne(one, review) && !isBefore(one, review))

/** Where something is barred, any likeness is enough. */
export function mayBeSame(one: Account, other: Account): boolean {
  return (one.id !== null && one.id === other.id) || sameLogin(one.login, other.login)
}
