// What the App's check runs and comments on GitHub hold for programs, and from whom it is believed: from the App that reports our check on a
// pull request of the repository, and from nobody else who writes like it.
import type { Octokit } from '@octokit/rest'
import { stickyMarker } from '../../core/words/report.ts'
import { CannotRun } from '../cli/cases/cannot-run.ts'

export type Place = { readonly owner: string; readonly repo: string }

const PULLS_LOOKED_MAX = 10
const COMMENTS_PER_PAGE = 100

const opening = '<details><summary>For agents</summary>\n\n'

/** It stands last, and no line of a JSON text can look like its beginning. */
export function documentIn(comment: string): string | null {
  const at = comment.lastIndexOf(opening)
  if (at === -1) return null
  return /^(`{3,})json\n([^]*?)\n\1(?:\n|$)/.exec(comment.slice(at + opening.length))?.[2] ?? null
}

/** The name of an App, from that of its account; null for people, and for workflows, which are anybody's. */
export function slugOf(login: string | undefined): string | null {
  const slug = /^(.+)\[bot\]$/.exec(login ?? '')?.[1] ?? null
  return slug === 'github-actions' ? null : slug
}

/** The runs of our check on a commit. Whoever runs in workflows is not who judges. */
export async function ourRunsOn(octokit: Octokit, place: Place, ref: string) {
  const { data } = await octokit.rest.checks.listForRef({ ...place, ref, per_page: 100 })
  return data.check_runs.filter(({ name, app }) => /^countersign( \(|$)/.test(name) && app?.slug !== 'github-actions')
}

/** The board of a goal or the page of a request; the first comment of the App there, which is edited in place. */
export async function boardOn(octokit: Octokit, place: Place, issue_number: number): Promise<string | null> {
  const asked = { ...place, issue_number, per_page: COMMENTS_PER_PAGE }
  const { data } = await octokit.rest.issues.listComments(asked).catch((error: unknown) => {
    throw new CannotRun(
      `GitHub does not show ${place.owner}/${place.repo}#${issue_number} to this token (${String(error)})`,
    )
  })
  const boards = data.flatMap(({ user, body = '' }) => {
    const slug = body.startsWith(stickyMarker) ? slugOf(user?.login) : null
    return slug === null ? [] : [{ slug, body }]
  })
  if (boards.length === 0) return null
  const known = await reporters(octokit, place)
  if (known.length === 0) {
    throw new CannotRun(
      'nobody can tell which comment is the App’s before it has judged a pull request here: name its address in COUNTERSIGN_URL',
    )
  }
  const board = boards.find(({ slug }) => known.includes(slug))
  return board === undefined ? null : documentIn(board.body)
}

async function reporters(octokit: Octokit, place: Place): Promise<readonly string[]> {
  const asked = { ...place, state: 'all', sort: 'updated', direction: 'desc', per_page: PULLS_LOOKED_MAX } as const
  for (const { head } of (await octokit.rest.pulls.list(asked)).data) {
    const found = (await ourRunsOn(octokit, place, head.sha)).flatMap(({ app }) => app?.slug ?? [])
    if (found.length > 0) return found
  }
  return []
}
