// What the App's check runs and comments on GitHub hold for programs.
import type { Octokit } from '@octokit/rest'
import { PER_PAGE } from '../../adapters/github/pages.ts'
import { stickyMarker } from '../../core/words/report.ts'
import { CannotRun } from '../cli/cases/cannot-run.ts'
import { shown } from './not-now.ts'
import { judgesSeen, slugOf, type Place } from './our-app.ts'
import { wholeList } from './whole-list.ts'

const opening = '<details><summary>For agents</summary>\n\n'

/** It stands last, and no line of a JSON text can look like its beginning. */
export function documentIn(comment: string): string | null {
  const at = comment.lastIndexOf(opening)
  if (at === -1) return null
  return /^(`{3,})json\n([^]*?)\n\1(?:\n|$)/.exec(comment.slice(at + opening.length))?.[2] ?? null
}

/** What Apps wrote there and edit in place, with whose it is. */
export async function boardsAt(octokit: Octokit, place: Place, issue_number: number) {
  const all = await wholeList('comments', async (page) => {
    return (await octokit.rest.issues.listComments({ ...place, issue_number, per_page: PER_PAGE, page })).data
  })
  return all.flatMap(({ user, body = '' }) => {
    const slug = body.startsWith(stickyMarker) ? slugOf(user?.login) : null
    return slug === null ? [] : [{ slug, body }]
  })
}

/** The board of a goal or the page of a request; the first comment of the App there, which is edited in place. */
export async function boardOn(octokit: Octokit, place: Place, issue_number: number): Promise<string | null> {
  const name = `${place.owner}/${place.repo}#${issue_number}`
  const boards = await shown(name, boardsAt(octokit, place, issue_number))
  if (boards.length === 0) return null
  const known = await shown(name, judgesSeen(octokit)({ ...place, issue_number }))
  if (known.length === 0) {
    throw new CannotRun(
      'nobody can tell which comment is the App’s before it has judged a pull request here or put its label on this issue: name its address in COUNTERSIGN_URL',
    )
  }
  const board = boards.find(({ slug }) => known.includes(slug))
  return board === undefined ? null : documentIn(board.body)
}
