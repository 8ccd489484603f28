// What requests need of GitHub: reading an issue, telling an agent of its task, and closing it.
import type { Closing } from '../issue-closing.ts'
import type { Maker } from '../people/people.ts'
import type { StartWay } from './owed-request.ts'

export interface RequestBoard {
  /** Null where there is no such issue. */
  readonly read: (number: number) => Promise<RequestSeen | null>
  /** Tells an agent once, however often it is asked for; in words why GitHub does not, where it never will. */
  readonly start: (task: number, way: StartWay, words: string, mark: string) => Promise<string | null>
  readonly close: (number: number, reason: 'completed' | 'not_planned') => Promise<void>
}
export type RequestSeen = {
  readonly title: string
  readonly body: string
  readonly open: boolean
  readonly is_request: boolean
  readonly by: Maker
  /** Null where it is open. */
  readonly closing: Closing | null
  /** When its title or its text was changed last; null where they are as it was opened. */
  readonly edited_at: string | null
}
