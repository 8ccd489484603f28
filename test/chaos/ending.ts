// How a play is judged: what GitHub shows, what the record says, who was heard, and what was ever green.
import { z } from 'zod'
import type { GitHub } from '../github/github.ts'
import { stickyMarker } from '../../src/core/words/report.ts'
import { decisionsOf, recordIn } from '../torture/outcome.ts'
import type { Pull, Stage } from '../torture/stage.ts'
import type { Ground } from './ground.ts'

/** Which commits of which pull request were ever green, as `place head`, since names differ from one play to the next. */
export type Greens = ReadonlySet<string>
export type Ending = {
  readonly decisions: Record<string, unknown>
  readonly broken: readonly string[]
  /** What people said that is not on record. */
  readonly lost: readonly string[]
  readonly greens: Greens
}
/** A page is written once there is something to say, so that under an outage there may be one that calm days do not need. */
export type Look = Record<
  string,
  {
    readonly checks: readonly string[]
    readonly labels: readonly string[]
    readonly page: 'none' | 'one' | 'several'
    readonly twin: readonly string[]
  }
>

export function lookAt({ pulls }: Stage): Look {
  const places = pulls.flatMap((row, shop) => row.map((pull, index) => [`${shop}/${index}`, pageOf(pull)] as const))
  return Object.fromEntries(places)
}

/** In this process, since it is looked often and GitHub counts. */
function pageOf(pull: Pull): Look[string] {
  const { shop, number, head, group, queued, twin } = pull
  const { github, name } = shop
  const { labels, comments } = github.look(name, number)
  const { slug } = github.app
  const pages = comments.filter(({ by, body }) => by === `${slug}[bot]` && body.startsWith(stickyMarker)).length
  return {
    // Whoever left the queue is told of twice, and what is heard first is left to chance.
    checks: [...runsOf(pull, head), ...(group !== null && queued ? runsOf(pull, group) : [])],
    labels,
    page: pages > 1 ? 'several' : pages === 1 ? 'one' : 'none',
    twin: twin === null ? [] : github.look(name, twin).labels,
  }
}

/** Those of ours: one for each branch that the commit was to be merged into. */
function runsOf({ shop: { github, name } }: Pull, sha: string): readonly string[] {
  const ours = github.checksOn(name, sha).runs.filter(({ app }) => app === github.app.slug)
  const runs = ours.map((run) => `${run.name} ${run.conclusion ?? run.status}: ${run.title ?? ''}`)
  // Commits and shops have other names in each play.
  return runs.map((run) => run.replaceAll(/\b[0-9a-f]{7}\b/g, '<commit>').replaceAll(/\bacme\d+/g, 'acme')).toSorted()
}

/** As the calm one, where a page more than there has to be is none too many. What a calm day does not tell of is left out. */
export const asCalm = (calm: Look, troubled: Look): Look =>
  Object.fromEntries(
    Object.entries(within(calm, troubled)).map(([place, look]) => {
      const more = calm[place]?.page === 'none' && look.page === 'one'
      return [place, more ? { ...look, page: 'none' as const } : look]
    }),
  )

/** Whoever saw nothing of what came between has nothing to say of it on any page. */
export const withoutPages = (look: Look): Look =>
  Object.fromEntries(Object.entries(look).map(([place, one]) => [place, { ...one, page: 'none' }]))

/** Of both what is in the first of them. */
export const within = <T>(
  all: Readonly<Record<string, unknown>>,
  some: Readonly<Record<string, T>>,
): Record<string, T> => Object.fromEntries(Object.entries(some).filter(([place]) => place in all))

/** `leftBehind`: places as in a look, of which the record need not know what was said there. */
export async function endingOf(
  ground: Ground,
  stage: Stage,
  heads: ReadonlyMap<string, string>,
  leftBehind: ReadonlySet<string> = new Set(),
): Promise<Ending> {
  const greens = greensIn(ground.github, heads)
  const store = await ground.record()
  try {
    const record = await recordIn(store)
    const lost = stage.pulls.flatMap((row, shop) =>
      row.flatMap((pull, index) => (leftBehind.has(`${shop}/${index}`) ? [] : unheardOf(pull, record.heard))),
    )
    return { decisions: decisionsOf(stage, record), broken: record.broken, lost, greens }
  } finally {
    await store.close()
  }
}

/** Labels of one name are told apart by how many there are. */
export function unheardOf({ shop, number, said }: Pull, heard: readonly string[]): readonly string[] {
  const isOnRecord = (key: string): boolean => heard.some((one) => one === key || one.includes(key))
  return said.filter((key) => !isOnRecord(key)).map((key) => `${shop.name}#${number}: ${key}`)
}

const told = z.object({
  check_run: z.object({ head_sha: z.string(), conclusion: z.string().nullable(), app: z.object({ slug: z.string() }) }),
})

export function greensIn(github: GitHub, heads: ReadonlyMap<string, string>): Greens {
  const runs = github
    .deliveries()
    .filter(({ event }) => event === 'check_run')
    .map(({ id }) => told.parse(github.payloadOf(id)).check_run)
  return new Set(
    runs.flatMap(({ head_sha, conclusion, app }) => {
      const place = heads.get(head_sha)
      return app.slug === github.app.slug && conclusion === 'success' && place !== undefined ? [place] : []
    }),
  )
}
