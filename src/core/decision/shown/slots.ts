// The places on GitHub where something of an attempt is shown, by name.
import type { Deployment, TaskState } from '../model.ts'

export const checkSlot = (sha: string, name: string): string => `check:${sha}:${name}`
export const isCheckSlot = (slot: string): boolean => slot.startsWith('check:')
export const stickySlot = (pull: number): string => `sticky:${pull}`
/** Whom we asked for a review. */
export const requestSlot = (pull: number): string => `review-request:${pull}`
/** Whether the issue of a task is open. */
export const issueSlot = (issue: number): string => `issue:${issue}`
export const partSlot = (key: string): string => `part:${key}`
export const labelSlot = (pull: number): string => `labels:${pull}`

/** Each attempt of a run asks anew. */
export const deploymentSlot = ({ run, run_attempt, environment }: Deployment): string =>
  `deployment:${run_attempt === 1 ? run : `${run}.${run_attempt}`}:${environment}`

/** The check runs that are shown on a commit: one for each base that it was judged for. */
export const checkSlots = ({ slots }: TaskState, sha: string): string[] =>
  Object.keys(slots).filter((slot) => slot.startsWith(checkSlot(sha, '')))
