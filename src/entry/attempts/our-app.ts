// Who this App is, to whoever reads what it wrote on GitHub: the App knows itself, and elsewhere it is who reports our check on pull requests of
// the repository; before there are any, who put the label of its state on the issue. Whoever else writes like it is not believed.
import type { Octokit } from '@octokit/rest'
import { wholeList } from './whole-list.ts'
import { actOfLabel, labelPrefix } from '../../core/people/act.ts'
import { PER_PAGE } from '../../adapters/github/pages.ts'

export type Place = { readonly owner: string; readonly repo: string }
/** An issue or a pull request. */
export type Thread = Place & { readonly issue_number: number }
/** The names of the Apps that judge in a repository, as far as can be told at a thread there; none where nothing shows it. */
export type Judges = (at: Thread) => Promise<readonly string[]>

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

/** As the newest of the pull requests show it, or else the thread itself. Who was found is remembered; that nobody was may change. */
export function judgesSeen(octokit: Octokit): Judges {
  const known = new Map<string, readonly string[]>()
  return async ({ issue_number, ...place }) => {
    const here = `${place.owner}/${place.repo}`
    const at = `${here}#${issue_number}`
    const before = known.get(here) ?? known.get(at)
    if (before !== undefined) return before
    const judges = await reporters(octokit, place)
    if (judges.length > 0) known.set(here, judges)
    if (judges.length > 0) return judges
    const follower = await labeller(octokit, { ...place, issue_number })
    if (follower.length > 0) known.set(at, follower)
    return follower
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

/** Who was the first to put a label there that nobody but the App sets. https://docs.github.com/en/rest/issues/events */
async function labeller(octokit: Octokit, at: Thread): Promise<readonly string[]> {
  const events = await wholeList('events', async (page) => {
    return (await octokit.rest.issues.listEvents({ ...at, per_page: PER_PAGE, page })).data
  })
  const isOurs = (name: string): boolean => name.startsWith(labelPrefix) && actOfLabel(name) === undefined
  const first = events.find(
    (one) => 'label' in one && one.event === 'labeled' && isOurs(one.label.name) && slugOf(one.actor?.login) !== null,
  )
  const slug = slugOf(first?.actor?.login)
  return slug === null ? [] : [slug]
}

type Written = { readonly user?: { readonly login: string } | null }

/** What our App wrote of all that. Who that is is asked only where some App wrote any of it. */
export async function byOurApp<T extends Written>(
  judges: Judges,
  at: Thread,
  all: readonly T[],
): Promise<readonly T[]> {
  const ofApps = all.filter(({ user }) => slugOf(user?.login) !== null)
  if (ofApps.length === 0) return []
  const names = await judges(at)
  return ofApps.filter(({ user }) => names.includes(slugOf(user?.login) ?? ''))
}
