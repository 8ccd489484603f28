// What is missed is found again. Deliveries that nobody took, pull requests that nobody
// told us of, tasks that a crash left behind. Whatever fails on the way is told and counted, and keeps nothing else waiting.
// Of several processes one looks at everything. What it reads stands behind all other reads; what it finds does not.
import { dependenciesAgain } from '../../../engine/between/dependencies.ts'
import type { MarkedIssue } from '../../../core/issue-boards.ts'
import type { Repository } from '../../../core/news.ts'
import { catchUpIssues, type KnownIssues } from '../../../engine/issues/catch-up-issues.ts'
import type { IssueKind } from '../../../engine/issues/issue-record.ts'
import { sweepIssue } from '../../../engine/issues/settle-issue.ts'
import type { Settled } from '../../../engine/settle.ts'
import { setTimeout } from 'node:timers/promises'
import { inBackground } from '../../../adapters/github/traffic/background.ts'
import type { Sights } from '../../../adapters/store/notes/sights.ts'
import { catchUp, type KnownPulls } from '../../../engine/rounds/catch-up.ts'
import { compare } from '../../../engine/rounds/compare.ts'
import type { Commit } from '../../../engine/rounds/doubts.ts'
import { each, type Turns } from '../../../engine/rounds/each.ts'
import { endedUnheard } from '../../../engine/heard/ended.ts'
import type { Engine, TaskRef } from '../../../engine/engine.ts'
import { isShutOut, judgedSince, sweep, type Judged } from '../../../engine/rounds/sweep.ts'
import { NotShownYet, type Clock, type Forge, type OpenPull } from '../../../ports.ts'
import { isOutage } from '../../../engine/outage.ts'
import { dueLooks, nameOf } from './due-looks.ts'
import { greensAgain } from './greens-again.ts'
import { halves } from './halves.ts'
import { lastLooks, sinceBoth } from './last-looks.ts'
import type { MissedDeliveries } from './missed-deliveries.ts'
import { isAll, limitIn } from '../hearing/handle.ts'
import type { Clients } from '../clients.ts'
import type { Installed, Repositories } from '../repositories.ts'
import type { Kind, Trouble } from '../watched/trouble.ts'
import { resultsAgain } from './results-again.ts'

/** Who was told to wait is tried again within the same round: GitHub counts by the minute, and its copies agree before. */
const AGAIN_MS = 20_000
const AGAIN_MAX = 10
/** How many repositories are listed together, so that what was listed is not old when it is dealt with. */
const LISTED_MAX = 100
const FORGETTING_ROUNDS = 12
/** Whoever looked before may have died in a write that arrives so long after its task moved last. */
const LATE_MS_MAX = 15 * 60_000

export type Parts = {
  readonly engine: Engine<Forge>
  readonly clients: Clients
  readonly places: Repositories
  readonly sights: Sights
  readonly clock: Clock
  readonly trouble: Trouble
  readonly missed: MissedDeliveries
  /** Nobody looked at these repositories since then. */
  readonly onMissed: (since: ReadonlyMap<string, string>) => void
  /** When somebody listened last, before this process began; empty where nobody ever did. */
  readonly since: string
  readonly onError: (error: unknown) => void
  /** Moves and removes what was kept long enough. */
  readonly retire?: () => Promise<readonly unknown[]>
  readonly pause?: (ms: number) => Promise<unknown>
}

/** The pull requests that are open and no drafts, by repository. */
type Ready = Map<string, Listed>
type Listed = { readonly repository: Repository; readonly pulls: ReadonlySet<number>; readonly at: string }

export type Rounds = {
  /** What GitHub could not deliver; everybody has to know of that. */
  readonly deliveries: () => Promise<boolean>
  /** Over everything else. */
  readonly round: () => Promise<boolean>
  /** Puts in doubt what a process that died may still be writing to, where another one looks at everything. */
  readonly late: () => Promise<void>
  /** Over the commits that are in doubt and due to be looked at. */
  readonly doubts: () => Promise<boolean>
  /** We are let in by this installation, perhaps after a while in which nobody told us anything. */
  readonly letIn: (installation: number) => void
  /** What is remembered of earlier rounds may not hold any more. */
  readonly forget: () => void
}

/** None of them ever rejects; some say whether nothing was left for later. */
export function rounds({
  engine,
  clients,
  places,
  sights,
  clock,
  trouble,
  missed,
  onMissed,
  since: listenedLast,
  onError,
  ...parts
}: Parts): Rounds {
  const { retire = async () => [] } = parts
  const { pause = (ms: number) => setTimeout(ms, undefined, { ref: false }) } = parts
  const isLimited = (error: unknown): boolean => limitIn(error) !== null
  const turns = (mustWait: Turns['mustWait'] = isLimited): Turns => ({ first: new Set(), mustWait })
  const ofRepositories = turns((error) => isLimited(error) || isAll(error, [NotShownYet]))
  const issue = (kind: IssueKind, stream: string): Promise<Settled> =>
    inBackground(() => sweepIssue(engine, kind, stream))
  const blocked = (ref: TaskRef): Promise<void> => inBackground(() => dependenciesAgain(engine, ref))
  const kept = { turns: turns(), asleep: new Map(), failing: new Set<string>() }
  const sweeping = { ...kept, issue, blocked, background: inBackground }
  let looks = dueLooks()
  const lasts = lastLooks(sights, onMissed)
  const again = resultsAgain(engine)
  const greens = greensAgain(engine)
  const toldByHalves = halves(engine)
  let placed: ReadonlyMap<string, Installed> = new Map()
  const known: KnownPulls = new Map()
  const knownIssues: KnownIssues = new Map()
  let count = 0
  let outages = 0
  const tell = (kind: Kind, error: unknown): void => {
    trouble.count(kind)
    onError(error)
    // What is told to wait has its turns.
    if (isOutage(error) && limitIn(error) === null) outages += 1
  }
  const step = async (kind: Kind, work: () => Promise<readonly unknown[]>): Promise<void> => {
    try {
      for (const error of await work()) tell(kind, error)
    } catch (error) {
      tell(kind, error)
    }
  }
  const wentWell = async (work: () => Promise<void>): Promise<boolean> => {
    const before = outages
    await work()
    return outages === before && !again.isLeft()
  }
  let caughtUp = async (_key: string): Promise<void> => undefined
  const catchUpWith = async (keys: AsyncIterable<string> | readonly string[]): Promise<readonly unknown[]> =>
    (await each(keys, ofRepositories, (key) => caughtUp(key))).map(({ error }) => error)
  /** What is judged and not among what is open and ready, in the repositories that could be listed, has ended unheard. */
  const endUnheard = async (judged: readonly Judged[], ready: Ready): Promise<readonly unknown[]> => {
    const failed: unknown[] = []
    for (const { repository: key, pull } of judged) {
      const listed = ready.get(key)
      if (listed === undefined || pull === null || listed.pulls.has(pull)) continue
      const { repository, at } = listed
      await endedUnheard(engine, repository, { pull, at, reads: inBackground }).catch((error: unknown) =>
        failed.push(error),
      )
    }
    return failed
  }
  const lookAtRepositories = async (rollups: Map<string, string | null>, ready: Ready): Promise<readonly unknown[]> => {
    const at = clock.now()
    const { installed, whole, named, failed } = await inBackground(places.list)
    for (const error of failed) tell('installations', error)
    const listed = installed.map(({ repository: { key }, ...more }) => ({ repository: key, ...more }))
    const seen = await sights.since({ listed, whole, named }, clock.now())
    lasts.begins(seen, at)
    const byKey = new Map(installed.map((one) => [one.repository.key, one]))
    placed = byKey
    const pulls = new Map<string, readonly OpenPull[]>()
    const issues = new Map<string, readonly MarkedIssue[]>()
    caughtUp = async (key) => {
      const one = byKey.get(key)
      if (one === undefined) return
      try {
        const open = pulls.get(key) ?? (await openIn(key))
        pulls.delete(key)
        const numbers = open.filter(({ draft }) => !draft).map(({ number }) => number)
        ready.set(key, { repository: one.repository, pulls: new Set(numbers), at })
        const sight = seen.get(key) ?? { since: at, looked: at }
        const here = { repository: key, installation: one.installation }
        await catchUp(engine, one.repository, open, { ...sight, reads: lasts.reads(here) }, known)
        const since = sinceBoth(sight, listenedLast)
        await catchUpIssues(engine, one.repository, issues.get(key) ?? [], since, knownIssues)
        lasts.looked(here)
      } catch (error) {
        if (!isShutOut(error)) throw error
      }
    }
    async function* listing(keys: readonly string[]): AsyncGenerator<string> {
      for (let from = 0; from < keys.length; from += LISTED_MAX) {
        const some = keys.slice(from, from + LISTED_MAX)
        for (const [key, { pulls: open, marked }] of await inBackground(() => places.lookAtPulls(some))) {
          issues.set(key, marked)
          if (open === null) continue
          pulls.set(key, open)
          for (const { head_sha: sha, rollup } of open) rollups.set(nameOf({ repository: key, sha }), rollup)
        }
        yield* some
      }
    }
    return catchUpWith(listing([...byKey.keys()]))
  }
  const openIn = async (key: string): Promise<readonly OpenPull[]> => {
    const forge = await engine.forges.of(`${key}#0`)
    return inBackground(forge.openPulls)
  }
  const compared = async (commits: readonly Commit[], way: typeof inBackground) => {
    const { differences, ...rest } = await compare(engine, (wanted) => way(() => places.lookAtRuns(wanted)), commits)
    for (const one of differences) tell('differences', new Error(one))
    return rest
  }
  /** Since when a task has moved whose last write may not have arrived yet. */
  const lateSince = (): string => {
    if (listenedLast === '') return ''
    const last = listenedLast < clock.now() ? listenedLast : clock.now()
    return new Date(Date.parse(last) - LATE_MS_MAX).toISOString()
  }
  const doubt = (commits: readonly Commit[]): void => {
    for (const { repository, sha } of commits) engine.doubts.note({ repository, sha })
  }
  let isFirst = true
  return {
    deliveries: async () => wentWell(() => step('deliveries', async () => missed.look(await clients.app()))),
    round: () =>
      wentWell(async () => {
        const rollups = new Map<string, string | null>()
        const ready: Ready = new Map()
        // What is remembered wrongly is not remembered for long.
        if (count % FORGETTING_ROUNDS === 0) known.clear()
        count += 1
        let judged: readonly Judged[] = []
        await step('repositories', () => lookAtRepositories(rollups, ready))
        await step('tasks', async () => {
          const swept = await sweep(engine, sweeping)
          judged = swept.judged
          return swept.failed.map(({ error }) => error)
        })
        await step('repositories', () => endUnheard(judged, ready))
        await step('tasks', () => again.read(judged, placed))
        await step('tasks', () => greens.read(judged, rollups, placed))
        await step('tasks', () => toldByHalves.read(judged, placed))
        // Whoever looked before us may have died in the middle of a write.
        if (isFirst) doubt(judged.filter(({ at }) => at >= lateSince()))
        isFirst = false
        await step('looks', async () => {
          const { looked, failed } = await compared(looks.due(judged, rollups), inBackground)
          looks.looked(looked, rollups)
          // What has to wait for its share has its turn in a later round.
          return failed.filter((error) => limitIn(error) === null)
        })
        for (let again = 0; again < AGAIN_MAX && ofRepositories.first.size > 0; again += 1) {
          await pause(AGAIN_MS)
          await step('repositories', async () => catchUpWith([]))
        }
        await step('repositories', () => lasts.keep())
        await step('archive', retire)
      }),
    late: () =>
      step('tasks', async () => {
        doubt(await judgedSince(engine, lateSince()))
        return []
      }),
    // What is in doubt stays so until it was looked at.
    doubts: async () => {
      await step('looks', async () => (await compared(engine.doubts.due(), (work) => work())).failed)
      return true
    },
    letIn: again.letIn,
    forget: () => {
      for (const one of [known, knownIssues, sweeping.asleep]) one.clear()
      looks = dueLooks()
    },
  }
}
