// Who is who around an attempt: its builders, the humans who may act on it, and the reviews they left.
import type { Permission } from './permission.ts'

export type Person = {
  readonly login: string
  readonly kind: 'human' | 'bot'
  readonly permission: Permission
  /** Teams as `org/team`, as far as the policy names any. */
  readonly teams: readonly string[]
}

/** How somebody came to count as a maker. `owner` directed the agent; the others touched the commits themselves. */
export type MadeAs = 'author' | 'pusher' | 'commit_author' | 'committer' | 'co_author' | 'owner'
export type Builder = Person & { readonly via: readonly MadeAs[] }

/** How many humans have exactly this permission in the repository. */
export type Census = { readonly admin: number; readonly maintain: number; readonly write: number }

export type Review = {
  readonly id: string
  readonly by: string
  readonly teams: readonly string[]
  readonly permission: Permission
  readonly state: 'approved' | 'changes_requested'
  readonly sha: string
  readonly tree_sha: string
  readonly body: string
  /** A human outside the builder set with enough permission, judged when it was submitted. */
  readonly counts: boolean
  readonly why_not: string | null
  /** May lift a REFER that had been shown before the review was submitted. */
  readonly resolves_refer: boolean
  readonly solo: boolean
}

/** How many different people builder, approver and verifier must be. */
export type Separation = 'triple' | 'double' | 'solo'

export const sameLogin = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
