// The words that people say to Countersign, as data. Reading them out of a comment is `read-commands.ts`.

export type Command =
  | {
      readonly name: 'override'
      /** Empty, and `verifier` false: a plain override, which covers what had failed when it was written. */
      readonly checks: readonly string[]
      readonly verifier: boolean
      readonly reason: string
      readonly sha: string | null
    }
  | { readonly name: 'approve' | 'reject' | 'ack' | 'retry'; readonly reason: string; readonly sha: string | null }
  | { readonly name: 'reason'; readonly reason: string }
  | { readonly name: 'revoke' | 'verify' | 'status' | 'context' | 'log' | 'help' }
  | { readonly name: 'task'; readonly verb: TaskVerb; readonly text: string }
  | { readonly name: 'goal'; readonly verb: GoalVerb; readonly text: string }
  | { readonly name: 'request'; readonly verb: 'approve' | 'reject'; readonly text: string }

export const taskVerbs = ['assign', 'start', 'submit', 'verify', 'reject', 'reopen'] as const
export type TaskVerb = (typeof taskVerbs)[number]
export const goalVerbs = ['create', 'link', 'unlink', 'status', 'verify', 'reject'] as const
export type GoalVerb = (typeof goalVerbs)[number]
