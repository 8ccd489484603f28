// How far an attempt has come, and why one is put aside.

// prettier-ignore
export type AttemptState =
  | 'none' | 'RUNNING' | 'VERIFYING' | 'RETRY' | 'FAILED' | 'SUCCESS' | 'CANCELLED' | 'SUPERSEDED'

/** Why a commit is not judged any more, or not as it was. */
export type PutAside = 'push' | 'retarget' | 'policy' | 'draft' | 'closed' | 'taken_up' | 'task'
