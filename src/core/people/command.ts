// The words that people say to Countersign, as data, and what each of them means.
// Reading them out of a comment is `read-commands.ts`; the spelling of one command is `command-grammar.ts`.

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
  /** `items`: the list below the words, each of them something that was taken for granted. */
  | { readonly name: 'assume'; readonly text: string; readonly items: readonly string[] }
  /** `items`: the list below the words, the parts that it is split into. */
  | { readonly name: 'task'; readonly verb: TaskVerb; readonly text: string; readonly items?: readonly string[] }
  /** `items`: the list below the words, each of them a task that mends something. */
  | { readonly name: 'goal'; readonly verb: GoalVerb; readonly text: string; readonly items: readonly string[] }
  | { readonly name: 'request'; readonly verb: RequestVerb; readonly text: string }

export type CommandName = Command['name']

export const taskVerbs = [
  'assign',
  'start',
  'submit',
  'verify',
  'reject',
  'reopen',
  'reassign',
  'accept',
  'split',
] as const
export type TaskVerb = (typeof taskVerbs)[number]
export const goalVerbs = ['create', 'link', 'unlink', 'status', 'verify', 'reject'] as const
export type GoalVerb = (typeof goalVerbs)[number]
export const requestVerbs = ['approve', 'reject', 'ask', 'status'] as const
export type RequestVerb = (typeof requestVerbs)[number]

export type CommandHelp = { readonly usage: string; readonly meaning: string }

export const commandHelp = {
  override: {
    usage: '/override [--check <name>]... [--verifier] [--sha <sha>] <reason>',
    meaning: 'Take responsibility for what failed on this commit, or only for the named checks or the AI review.',
  },
  approve: {
    usage: '/approve [--sha <sha>] <reason>',
    meaning: 'Approve this commit directly, where the policy allows it.',
  },
  reject: {
    usage: '/reject [--sha <sha>] <reason>',
    meaning: 'Reject this commit, whatever the checks and the AI review say.',
  },
  ack: {
    usage: '/ack [--sha <sha>] <reason>',
    meaning:
      'Acknowledge changes outside the scope, to protected paths or under an unreadable policy; take up what a guest made.',
  },
  retry: {
    usage: '/retry [--sha <sha>] <reason>',
    meaning: 'Grant new attempts to a task that has used up its own.',
  },
  reason: {
    usage: '/reason <text>',
    meaning: 'Give the reason for the label that you have just set.',
  },
  revoke: {
    usage: '/revoke',
    meaning: 'Take back what you decided on this commit.',
  },
  verify: {
    usage: '/verify',
    meaning: 'Ask for the AI review again, where the evidence has changed or it never came.',
  },
  assume: {
    usage: '/assume <what>',
    meaning:
      'By who made the change: say what was taken for granted, in a line or a list. It is held against the task and shown.',
  },
  status: {
    usage: '/status',
    meaning: 'Explain the present decision.',
  },
  context: {
    usage: '/context',
    meaning: 'Show what the next attempt should know.',
  },
  log: {
    usage: '/log',
    meaning: 'List what happened to this task.',
  },
  help: {
    usage: '/help',
    meaning: 'List these commands.',
  },
  task: {
    usage: `/task ${taskVerbs.join('|')} <text>`,
    meaning: 'Move a task on or back.',
  },
  goal: {
    usage: `/goal ${goalVerbs.join('|')} <text>`,
    meaning:
      'At an issue: open a goal, change its tasks, confirm its outcome or send it back with a list of what mends it.',
  },
  request: {
    usage: `/request ${requestVerbs.join('|')} <text>`,
    meaning: 'At an issue: let a request become a task, turn it down, or ask back.',
  },
} as const satisfies Record<CommandName, CommandHelp>

const questions: readonly CommandName[] = ['status', 'context', 'log', 'help', 'goal', 'request']

/** Answered by whoever hears it; it changes nothing. */
export const isQuestion = ({ name }: Command): boolean => questions.includes(name)

export const isCommandName = (word: string): word is CommandName => Object.hasOwn(commandHelp, word)
export const commandNames = Object.keys(commandHelp).filter(isCommandName)
