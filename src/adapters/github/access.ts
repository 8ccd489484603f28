// One repository through the installation that lets us in: with which client, under which name, at what time.
import type { Octokit } from '@octokit/rest'
import type { Reading } from './reading.ts'
import type { Rush } from './show/rush.ts'

/** `fullName` is looked up each time, since repositories are renamed. */
export type Place = { readonly owner: string; readonly repo: string }
/** What Probot's client and the plain one have in common. */
export type GitHubClient = Pick<Octokit, 'rest' | 'request' | 'graphql' | 'paginate'>
export type Access = {
  readonly octokit: GitHubClient
  readonly place: Place
  readonly slug: string
  /** The number of this App. */
  readonly app: number | null
  readonly now: () => number
  /** Where texts of others are read. */
  readonly reading?: Reading
  /** How check runs are written while there are many, to all repositories of an installation. */
  readonly rush?: Rush
  /** Told of each commit to which a check run was written, perhaps: nobody knows whether it arrived, or when it will. */
  readonly onDoubt?: (sha: string) => void
  /** How often the database was lost so far: what was noted before it may not be all that was shown. */
  readonly losses?: () => number
  /** Told of each comment, label or review that GitHub refused for good. */
  readonly onRefused?: (what: string, error: unknown) => void
}

/** Our own account there. */
export const botOf = ({ slug }: Pick<Access, 'slug'>): string => `${slug}[bot]`
