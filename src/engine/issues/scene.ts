// Somebody speaks at an issue: who it is, and by which policy they are judged.
import type { Maker, Person } from '../../core/people/people.ts'
import type { News, Repository } from '../../core/news.ts'
import type { Forge } from '../../ports.ts'
import type { Engine } from '../engine.ts'
import type { Told } from '../record.ts'
import type { IssuePolicy } from './policy-of-issues.ts'

export type Scene = {
  readonly engine: Engine<Forge>
  readonly repository: Repository
  readonly forge: Forge
  readonly governed: IssuePolicy
  readonly person: Person
  readonly news: Extract<News, { kind: 'issue_said' }> & { readonly by: Maker }
  readonly key: string
  readonly told: Told
}

/** Whether it was done, what is still to be answered, and at which pull requests it may have changed something. */
export type Outcome = { readonly done: boolean; readonly reply: string | null; readonly pulls?: readonly number[] }
export const answer = (reply: string): Outcome => ({ done: false, reply })
