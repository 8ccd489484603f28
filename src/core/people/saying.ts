// Who says something, where, and which head they had in front of them.
import type { ActSource } from './act.ts'
import type { Account, Census, Person } from './people.ts'

export type Saying = {
  readonly key: string
  readonly user: Person
  readonly sha: string
  readonly source: ActSource
  readonly census: Census
  readonly text: string
  readonly at: string
  /** The App that wrote it with the token of the person whose name it bears; null where the person wrote. */
  readonly through: string | null
  /** Whom the words name, as GitHub knows them; null where it knows nobody of that name. */
  readonly named?: Account | null
  /** The same words, judged for another pull request before. */
  readonly again?: true
}
