// Who this App is, to whoever reads what it wrote on GitHub: the App knows itself, and elsewhere it is who reports our check on pull requests of
// the repository. Whoever else writes like it is not believed.
import type { Octokit } from '@octokit/rest'
import { wholeList } from './whole-list.ts'
import { PER_PAGE } from '../../adapters/github/pages.ts'

export type Place = { readonly owner: string; readonly repo: string }
/** The names of the Apps that judge in a repository; none where nothing shows it. */
export type Judges = (place: Place) => Promise<readonly string[]>

const PULLS_LOOKED_MAX = 10

/** The name of an App, from that of its account; null for people, and for workflows, which are anybody's. */
export function slugOf(login: string | undefined): string | null {
  const slug = /^(.+)\[bot\]$/.exec(login ?? '')?.[1] ?? null
  return slug === 'github-actions' ? null : slug
}

/** The runs of our check on a commit. Whoever runs in workflows is not who judges. */
export async function ourRunsOn(octokit: Octokit, place: Place, ref: string) {
  const runs = await wholeList('check runs', async (page) => {
    const { data } = await octokit.rest.checks.listForRef({ ...place, ref, per_page: PER_PAGE, page })
    return data.check_runs
  })
  return runs.filter(({ name, app }) => /^countersign( \(|$)/.test(name) && app?.slug !== 'github-actions')
}

/** As the newest of the pull requests show it, which are looked through once for each repository. */
export function judgesSeen(octokit: Octokit): Judges {
  const known = new Map<string, Promise<readonly string[]>>()
  return (place) => {
    const name = `${place.owner}/${place.repo}`
    const judges = known.get(name) ?? reporters(octokit, place)
    known.set(name, judges)
    return judges
  }
}

async function reporters(octokit: Octokit, place: Place): Promise<readonly string[]> {
  const asked = { ...place, state: 'all', sort: 'updated', direction: 'desc', per_page: PULLS_LOOKED_MAX } as const
  for (const { head } of (await octokit.rest.pulls.list(asked)).data) {
    const found = (await ourRunsOn(octokit, place, head.sha)).flatMap(({ app }) => app?.slug ?? [])
    if (found.length > 0) return found
  }
  return []
}

type Written = { readonly user?: { readonly login: string } | null }

/** What our App wrote of all that. Who that is is asked only where some App wrote any of it. */
export async function byOurApp<T extends Written>(
  judges: Judges,
  place: Place,
  all: readonly T[],
): Promise<readonly T[]> {
  const ofApps = all.filter(({ user }) => slugOf(user?.login) !== null)
  if (ofApps.length === 0) return []
  const names = await judges(place)
  return ofApps.filter(({ user }) => names.includes(slugOf(user?.login) ?? ''))
}
