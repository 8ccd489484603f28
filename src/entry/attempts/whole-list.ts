// Lists of GitHub that count whole: where one is longer than anybody looks through, that is said, and no part of it is taken for all.
import { allPages, PER_PAGE } from '../../adapters/github/pages.ts'
import { CannotRun } from '../cli/cases/cannot-run.ts'

/** More than GitHub has anywhere of files and comments. */
const PAGES_MAX = 30

/** `what` it is a list of; `ask` gives a page of at most PER_PAGE. */
export async function wholeList<T>(what: string, ask: (page: number) => Promise<readonly T[]>): Promise<readonly T[]> {
  const all = await allPages(PAGES_MAX, ask)
  if (all.length < PAGES_MAX * PER_PAGE) return all
  throw new CannotRun(`GitHub has ${all.length} ${what} there or more, and so many are not looked through`)
}
