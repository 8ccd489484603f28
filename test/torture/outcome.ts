// What is left at the end: what people see on GitHub, and what the App's own record says, read from its files after the
// process was killed once more.
import { join } from 'node:path'
import { emptyTask, replay } from '../../src/core/decision/record/evolve.ts'
import { verifyChain } from '../../src/core/decision/record/chain.ts'
import type { Attempt } from '../../src/core/decision/model.ts'
import { stickyMarker } from '../../src/core/words/report.ts'
import { openEmbedded } from '../../src/adapters/store/embedded/embedded.ts'
import type { Store } from '../../src/ports.ts'
import type { Running } from '../app/lab/running.ts'
import type { Shop } from '../app/lab/shop.ts'
import type { Stage } from './stage.ts'

export type Seen = {
  readonly check: string
  /** The check that a pull request into the other branch has. */
  readonly release: string
  readonly group: string
  readonly labels: readonly string[]
  readonly stickies: number
  readonly twin: Omit<Seen, 'group' | 'twin'> | null
}

/** By `shop/pull`, since names differ from one play to the next. */
export async function seenOn({ pulls }: Pick<Stage, 'pulls'>): Promise<Record<string, Seen>> {
  const seen: Record<string, Seen> = {}
  for (const [shopIndex, row] of pulls.entries()) {
    for (const [pullIndex, { shop, home, branch, number, head, group, queued, twin }] of row.entries()) {
      seen[`${shopIndex}/${pullIndex}`] = {
        ...(await pageOf(shop, number, head)),
        group: group === null ? 'none' : groupSeen(await shop.check(group), queued),
        twin: twin === null ? null : await pageOf(shop, twin, shop.github.tip(home, `${branch}-twin`)),
      }
    }
  }
  return seen
}

/** What leaves the queue is told twice, of the pull request and of the group, and which is heard first is left to chance. */
const groupSeen = (check: string, queued: boolean): string =>
  queued || /^(queued|in_progress)/.test(check) ? check : 'over'

async function pageOf(shop: Shop, number: number, head: string): Promise<Omit<Seen, 'group' | 'twin'>> {
  const comments = await shop.comments(number)
  return {
    check: await shop.check(head),
    release: await shop.check(head, 'countersign (release)'),
    labels: await shop.labels(number),
    stickies: comments.filter((body) => body.startsWith(stickyMarker)).length,
  }
}

export type Remembered = {
  readonly attempts: ReadonlyMap<string, Attempt>
  readonly broken: readonly string[]
  /** The keys of what people said that stands on record. */
  readonly heard: readonly string[]
}

/** The newest live attempt of each pull request, as `owner/repo#number`, and what is wrong with the chain of events. */
export async function recordOf(app: Running): Promise<Remembered> {
  await app.kill()
  const store = await openEmbedded(join(app.directory, 'data'))
  try {
    return await recordIn(store)
  } finally {
    await store.close()
  }
}

export async function recordIn(store: Store): Promise<Remembered> {
  const attempts = new Map<string, Attempt>()
  const broken: string[] = []
  const heard: string[] = []
  for (const stream of await store.streams('', streamsMax)) {
    const events = await store.read(stream)
    const link = verifyChain(events)
    if (link !== null) broken.push(`${stream} version ${link.version}: ${link.why}`)
    const task_id = events[0]?.task_id ?? ''
    const [repository = ''] = task_id.split('#')
    const task = replay(emptyTask(task_id), events)
    heard.push(...task.heard)
    for (const attempt of task.attempts) {
      if (attempt.live && attempt.group === null) attempts.set(`${repository}#${attempt.pull}`, attempt)
    }
  }
  return { attempts, broken, heard }
}

const streamsMax = 10_000

export function decisionsOf(
  { pulls }: Pick<Stage, 'pulls'>,
  { attempts }: Pick<Remembered, 'attempts'>,
): Record<string, unknown> {
  return Object.fromEntries(
    pulls.flatMap((row, shopIndex) =>
      row.map(({ shop, number }, pullIndex) => {
        const decision = attempts.get(`${shop.name}#${number}`)?.decision ?? null
        const { status, row, by, reasons } = decision ?? { status: 'none', row: null, by: null, reasons: [] }
        const why = reasons.map(({ code, subject }) => `${code} ${subject ?? ''}`.trim())
        return [`${shopIndex}/${pullIndex}`, { status, row, by, why }]
      }),
    ),
  )
}

/** Where the two differ, by the way that leads there. */
export function differencesOf(calm: unknown, troubled: unknown, path = ''): string[] {
  if (JSON.stringify(calm) === JSON.stringify(troubled)) return []
  if (!isObject(calm) || !isObject(troubled)) {
    return [`${path}: calm ${JSON.stringify(calm)}, troubled ${JSON.stringify(troubled)}`]
  }
  const names = new Set([...Object.keys(calm), ...Object.keys(troubled)])
  return [...names].flatMap((name) =>
    differencesOf(Reflect.get(calm, name), Reflect.get(troubled, name), path === '' ? name : `${path}.${name}`),
  )
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
