// A human act on the record: always attributed, bound to a commit, with what it covers.
import type { Permission } from './permission.ts'

export type ActType =
  | 'CHECK_OVERRIDE'
  | 'VERIFIER_OVERRIDE'
  | 'DIRECT_APPROVAL'
  | 'REJECTION'
  | 'ACKNOWLEDGMENT'
  | 'RETRY_RESET'

/**
 * What an act lifts: `check:<name>`, `tier1`, `verifier`, `red_team`, `vision`, `spent`, `vacuous`, `rejection`,
 * `invalid`, `proposal`, `fault`, `scope`, `protected` or `guest`. With a `result`, only that one answer; without, whatever the subject answers.
 */
export type Cover = { readonly subject: string; readonly result: string | null }

export type ActSource = 'comment' | 'label' | 'review' | 'check_run' | 'run' | 'cli' | 'mcp'

/** The acts that a label can open. */
export const labelActs = ['override', 'approve', 'reject', 'ack'] as const
export type LabelAct = (typeof labelActs)[number]
export const labelPrefix = 'countersign:'
export const labelOf = (act: LabelAct): string => `${labelPrefix}${act}`
/** GitHub takes labels that differ in case alone for one. */
export const actOfLabel = (label: string): LabelAct | undefined =>
  labelActs.find((act) => labelOf(act) === label.toLowerCase())

/** A label that opened an act which waits for its reason. `at`: when it was set; older records do not have it. */
export type Asked = {
  readonly by: string
  readonly user_id: number | null
  readonly act: LabelAct
  readonly at?: string
}

export type Act = {
  readonly id: string
  readonly type: ActType
  readonly user: string
  readonly user_id: number | null
  readonly permission: Permission
  readonly reason: string
  readonly at: string
  readonly source: ActSource
  /** The label that opened it: whoever takes the label away takes the act back. */
  readonly label: LabelAct | null
  readonly covers: readonly Cover[]
  readonly solo: boolean
  /** The review stage that a rejection was made for. */
  readonly stage?: string
  /** Its place among all deeds of the task. */
  readonly seq: number
  /** A push voids an act; its author may revoke it. Neither ever erases it. */
  readonly standing: 'stands' | 'revoked' | 'voided'
}

/** One word may make two acts: of different types, or about two commits. */
export const actId = ({ key, override_type }: { readonly key: string; readonly override_type: ActType }): string =>
  `${key}#${override_type}`

/** A rejection of the same tree that was made at another task. Only there it can be taken back. */
export type CarriedRejection = Pick<Act, 'id' | 'user' | 'user_id' | 'permission' | 'reason' | 'seq' | 'standing'> & {
  readonly stream: string
  readonly head_sha: string
  readonly tree_sha: string
  /** When it was said; older records do not have it. */
  readonly at?: string
}

/** One word may be about two commits. */
export const isSameCarried = (one: Told, other: Told): boolean =>
  one.id === other.id && one.stream === other.stream && one.head_sha === other.head_sha
type Told = Pick<CarriedRejection, 'id' | 'stream' | 'head_sha'>
