// From news to inputs: finds the task of a pull request, reads what GitHub says about it now, and tells the rules.
// News are hints. What counts is read again, so that late, doubled and reordered messages end in the same state.
import { isFromBefore } from '../../core/as-of.ts'
import { liveAttempt } from '../../core/decision/rules/attempt.ts'
import { besideNow } from '../between/beside.ts'
import type { Attempt } from '../../core/decision/model.ts'
import type { Input } from '../../core/decision/rules/inputs.ts'
import { checkSlot } from '../../core/decision/shown/slots.ts'
import { checkNameOf, isSamePlace } from '../../core/decision/subject.ts'
import type { Maker } from '../../core/people/people.ts'
import { notReadyText, supersededText } from '../../core/words/not-judged.ts'
import type { CheckRunText } from '../../core/words/report.ts'
import { NotShownYet, type Brief, type Forge, type OpenPull } from '../../ports.ts'
import { commitKey, pullKey } from '../../core/decision/record/keys.ts'
import type { Repository } from '../../core/news.ts'
import { isNewer } from '../heard/late.ts'
import { lateMs } from '../rounds/doubts.ts'
import { forgeOf, inTurn, load, type Engine, type TaskRef } from '../engine.ts'
import { whileLeaving } from './leaving.ts'
import { leftAlone } from './left-alone.ts'
import { opening, type Changed } from './opening.ts'
import { attemptOf, isOnItsWay, left, taskOf } from './own-task.ts'
import { handedOver } from './owed-again.ts'
import { app, record, type Told } from '../record.ts'
import { settle } from '../settle.ts'

/**
 * Opens an attempt for the head of an open, ready pull request, unless it is open already. One at a time per pull
 * request: a webhook and the sweep that find the same push would both announce it, and one queued run would stay.
 */
export async function pullChanged(
  engine: Engine<Forge>,
  repository: Repository,
  news: Changed,
  correlation_id: string,
  options: Again = {},
): Promise<'opened' | 'as before'> {
  return inTurn(engine, pullKey(repository.key, news.pull), async () => {
    try {
      return await pullChangedAlone(engine, repository, news, correlation_id, options)
    } catch (error) {
      // Whoever tries again takes up what was announced. Where nobody does, it is ended.
      engine.doubts.note({ repository: repository.key, sha: news.head_sha }, lateMs)
      throw error
    }
  })
}

/** `at`: since when it may be so, where that is known better than by the answer in which we came across it. */
type Seen = Pick<OpenPull, 'head_sha' | 'base_ref' | 'base_is_default' | 'updated_at'> & {
  readonly pull: number
  readonly at?: string
}

/** A pull request that we came across ourselves: nobody told us of it, so nobody is known to have pushed. */
export const pullSeen = (
  engine: Engine<Forge>,
  repository: Repository,
  { pull, head_sha, base_ref, base_is_default, updated_at: found, at = found }: Seen,
  correlation_id: string,
  options?: Again,
): Promise<'opened' | 'as before'> => {
  const seen = { pull, head_sha, base_ref, base_is_default, at, ready: true, by: null, push: null, found } as const
  return pullChanged(engine, repository, { kind: 'pull_changed', ...seen }, correlation_id, options)
}

/**
 * `again`: read by which terms a commit is judged although it has not moved; a newer policy of its base counts. `renew`: and
 * so does what its task asks by now. `aside`: also where it is a draft or closed, so that a no about it has a place.
 */
type Again = { readonly again?: boolean; readonly renew?: boolean; readonly aside?: boolean }

async function pullChangedAlone(
  engine: Engine<Forge>,
  repository: Repository,
  news: Changed,
  correlation_id: string,
  { again = false, renew = false, aside = false }: Again,
): Promise<'opened' | 'as before'> {
  const forge = await forgeOf(engine, repository)
  const known = await taskOf(engine, repository, news.pull)
  const open = await attemptOf(engine, known, news.pull)
  const name = checkNameOf(news)
  const isNew = open?.head_sha !== news.head_sha || open.base_ref !== news.base_ref
  if (news.found !== undefined && isNew && open !== null && !isNewer(engine, news.found, open.head_at)) {
    // Whatever showed it there had not seen yet where it is now.
    if (isFromBefore(news.found, open.head_at)) return 'as before'
    throw new NotShownYet(`GitHub shows pull request ${news.pull} at two places in one second`)
  }
  // A commit that was shown before, as after a draft, has its run; another one would stay queued if we died now.
  const before = known === null ? null : (await load(engine, known)).task.slots[checkSlot(news.head_sha, name)]
  // Where nothing may be shown, as without a policy, nothing is announced either.
  const isJudged = known !== null || engine.governed.has(`${repository.key}:${news.base_ref}`)
  // People see at once that their push was noticed; everything else is read meanwhile.
  const announced = isNew && isJudged && news.ready && !aside && !before ? forge.announce(news.head_sha, name) : null
  const read = briefOf(engine, forge, news, open)
  // Whatever failed, what was announced has arrived before anybody tries again.
  await Promise.allSettled([read, announced])
  const [brief, shown] = [await read, await announced]
  const { facts } = brief
  const told: Told = { actor: news.by === null ? app : actorOf(news.by), correlation_id }
  const place = { sha: news.head_sha, name, ref: shown?.ref ?? null }
  const letGo: LetGo = (run, text) =>
    endedOrHandedOver(engine, forge, repository, { ...run, pull: news.pull, text }, correlation_id)
  const announcement = await takenUp(engine, repository, { ...brief, mayTake: isNew && !before }, place, letGo)
  const unready = !facts.open ? 'closed' : facts.draft ? 'draft' : null
  if (unready !== null && !aside) {
    await letGo(announcement, notReadyText)
    if (known === null || open === null) return 'as before'
    await whileLeaving(engine, open, async () => {
      await record(engine, known, { type: 'end_attempt', attempt_id: open.id, why: unready }, told)
      await settle(engine, known)
    })
    return 'as before'
  }
  if (aside && facts.head_sha !== news.head_sha)
    throw new NotShownYet(`GitHub does not show pull request ${news.pull} as it is`)
  const isAsBefore = !isNew && !again && isSamePlace(facts, open)
  if (known !== null && isAsBefore && !(await isOnItsWay(engine, known, news.pull))) {
    await record(engine, known, await closedBeside(engine, repository, known, news, brief), told)
    await settle(engine, known)
    return 'as before'
  }
  const opened = await opening(engine, forge, repository, known, brief, news)
  if (opened.kind !== 'open') {
    await letGo({ ...announcement, ref: announcement.ref ?? before?.ref ?? null }, opened.shown)
    await opened.stand(forge)
    leftAlone(engine, pullKey(repository.key, news.pull), facts)
    return 'as before'
  }
  const { ref, input, leaving, waits, beside } = opened
  const isOfNews = input.head_sha === news.head_sha && input.check_name === name
  const joining = leaving === null ? [] : await left(engine, leaving, { pull: news.pull, to: ref }, told)
  const waiting: readonly Input[] = waits === null ? [] : [{ type: 'report_dependencies', on: waits }]
  const opens: Input = {
    ...input,
    announced: isOfNews ? announcement.ref : null,
    renewed: renew,
    ...(unready === null ? {} : { aside: unready }),
  }
  const leaves = open !== null && (open.head_sha !== input.head_sha || open.check_name !== input.check_name)
  return whileLeaving(engine, leaves ? open : null, async () => {
    const { task, events } = await record(engine, ref, [...waiting, beside, opens, ...joining], told)
    const attempt = liveAttempt(task, news.pull)
    if (!isOfNews) await letGo(announcement, supersededText)
    if (attempt !== undefined && facts.conflicts)
      await record(engine, ref, { type: 'report_obstacle', attempt_id: attempt.id, obstacle: 'merge_conflict' }, told)
    await settle(engine, ref)
    return events.length > 0 ? 'opened' : 'as before'
  })
}

/**
 * What GitHub says in one go. An answer may be older than what was heard, or than what is judged already: where it does
 * not fit, it is read again from another place. Where that is older too, it waits: nothing is superseded by half a truth.
 */
async function briefOf(engine: Engine, forge: Forge, news: Changed, open: Attempt | null): Promise<Brief> {
  const first = await forge.brief(news)
  const { facts } = first
  const fits = facts.head_sha === news.head_sha && facts.base_ref === news.base_ref
  const isOlder = open !== null && open.head_sha !== facts.head_sha && news.at < open.head_at
  if (fits && !isOlder) return first
  const anew = async (base_ref: string): Promise<Brief> => ({
    ...(await forge.brief({ ...news, base_ref }, { anew: true })),
    queued: first.queued,
  })
  const now = await forge.now(news.pull)
  if (now === null) return facts.open && !facts.draft ? anew(facts.base_ref) : first
  const isAsOpen = open === null || isSamePlace(now, open) || isNewer(engine, now.updated_at, open.head_at)
  if (!isAsOpen || !isNewer(engine, now.updated_at, news.found ?? news.at))
    throw new NotShownYet(`GitHub does not show pull request ${news.pull} yet as it told of it`)
  if (isSamePlace(facts, now) && facts.open && !facts.draft) return first
  const again = await anew(now.base_ref)
  if (isSamePlace(again.facts, now)) return again
  throw new NotShownYet(`Pull request ${news.pull} moved while it was read`)
}

/** Its text may have become another one. Where not all can be told, the last look tells. */
async function closedBeside(
  engine: Engine<Forge>,
  repository: Repository,
  ref: TaskRef,
  { pull }: Changed,
  { terms }: Brief,
): Promise<readonly Input[]> {
  const { issues, issues_complete } = await terms()
  if (!issues_complete) return []
  return [await besideNow(engine, repository, ref, { pull, issues: issues.map(({ number }) => number) })]
}

type Announcement = { readonly sha: string; readonly name: string; readonly ref: string | null }
type Queued = Pick<Brief, 'queued'> & { readonly mayTake: boolean }

/**
 * What was announced before a process died, or for a delivery that failed since, is taken up where nothing is announced
 * now. What is left over is ended, also on a commit that nobody judges any more.
 */
async function takenUp(
  engine: Engine<Forge>,
  { key }: Repository,
  { queued, mayTake }: Queued,
  { sha, name, ref }: Announcement,
  letGo: LetGo,
): Promise<Announcement> {
  const others = queued.filter((run) => run.ref !== ref)
  if (others.length === 0) return { sha, name, ref }
  const inPlace = new Set<string | null>()
  for (const stream of await engine.store.find(commitKey(key, sha)))
    for (const slot of Object.values((await load(engine, { stream, task_id: stream })).task.slots))
      inPlace.add(slot.ref)
  const loose = others.filter((run) => !inPlace.has(run.ref))
  const own = ref ?? (mayTake ? (loose.find((run) => run.name === name)?.ref ?? null) : null)
  for (const run of loose) if (run.ref !== own) await letGo({ sha, ...run }, supersededText)
  return { sha, name, ref: own }
}

type LetGo = (run: Announcement, text: CheckRunText) => Promise<void>

/** What was announced and will not be judged must not look as if it still would, nor speak for others on its commit. */
async function endedOrHandedOver(
  engine: Engine<Forge>,
  forge: Forge,
  repository: Repository,
  { sha, name, ref, pull, text }: Announcement & { readonly pull: number; readonly text: CheckRunText },
  correlation_id: string,
): Promise<void> {
  if (ref === null || (await handedOver(engine, repository, { sha, name, ref }, pull, correlation_id))) return
  await forge.show({ kind: 'check_run', sha, name, ...text }, ref)
}

export const actorOf = ({ id, login, kind }: Maker): Told['actor'] => ({
  kind: kind === 'human' ? 'human' : 'app',
  login,
  id,
})
