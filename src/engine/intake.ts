// From news to inputs: finds the task of a pull request, reads what GitHub says about it now, and tells the rules.
// News are hints. What counts is read again, so that late, doubled and reordered messages end in the same state.
import { liveAttempt } from '../core/decision/rules/attempt.ts'
import { sayPlace } from '../core/contract/governing.ts'
import { taskNumber } from '../core/contract/task-sources.ts'
import type { OpenAttempt } from '../core/decision/rules/inputs.ts'
import type { Attempt, Reason } from '../core/decision/model.ts'
import { checkSlot } from '../core/decision/shown/slots.ts'
import { buildersOf, type Maker } from '../core/people/builders.ts'
import type { Person } from '../core/people/people.ts'
import { beginText, notReadyText, supersededText, switchedOffText } from '../core/words/not-judged.ts'
import type { CheckRunText } from '../core/words/report.ts'
import { pullKey, type Brief, type Forge, type News, type Repository } from '../ports.ts'
import { forgeOf, inTurn, load, type Engine, type TaskRef } from './engine.ts'
import { app, record, type Told } from './record.ts'
import { settle } from './settle.ts'
import { contractOf, governedBy, ownText } from './terms.ts'

/** The task of a pull request, once its first attempt has opened. */
export async function taskOf(engine: Engine, repository: Repository, pull: number): Promise<TaskRef | null> {
  const [stream] = await engine.store.find(pullKey(repository.key, pull))
  return stream === undefined ? null : refOf(repository, stream)
}

export function refOf({ full_name }: Repository, stream: string): TaskRef {
  return { stream, task_id: `${full_name}#${stream.split('#')[1] ?? ''}` }
}

export async function attemptOf(engine: Engine, ref: TaskRef, pull: number): Promise<Attempt | null> {
  const { task } = await load(engine, ref)
  return liveAttempt(task, pull) ?? null
}

type Changed = Extract<News, { kind: 'pull_changed' }>

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
  return inTurn(engine, pullKey(repository.key, news.pull), async () =>
    pullChangedAlone(engine, repository, news, correlation_id, options),
  )
}

type Seen = Pick<Changed, 'pull' | 'head_sha' | 'base_ref' | 'base_is_default' | 'at'>

/** A pull request that we came across ourselves: nobody told us of it, so nobody is known to have pushed. */
export const pullSeen = (
  engine: Engine<Forge>,
  repository: Repository,
  seen: Seen,
  correlation_id: string,
  options?: Again,
): Promise<'opened' | 'as before'> =>
  pullChanged(engine, repository, { kind: 'pull_changed', ...seen, ready: true, by: null }, correlation_id, options)

/** `again`: read by which terms a commit is judged although it has not moved; a newer policy of its base counts. */
type Again = { readonly again?: boolean }

async function pullChangedAlone(
  engine: Engine<Forge>,
  repository: Repository,
  news: Changed,
  correlation_id: string,
  { again = false }: Again,
): Promise<'opened' | 'as before'> {
  const forge = await forgeOf(engine, repository)
  const known = await taskOf(engine, repository, news.pull)
  const open = known === null ? null : await attemptOf(engine, known, news.pull)
  const name = await checkName(forge, news)
  const isNew = open?.head_sha !== news.head_sha || open.base_ref !== news.base_ref
  // A commit that was shown before, as after a draft, has its run; another one would stay queued if we died now.
  const before = known === null ? null : (await load(engine, known)).task.slots[checkSlot(news.head_sha, name)]
  // People see at once that their push was noticed; everything else is read meanwhile.
  const announced = isNew && news.ready && !before ? forge.announce(news.head_sha, name) : null
  const read = forge.brief(news.pull, news.base_ref)
  // Whatever failed, what was announced has arrived before anybody tries again.
  await Promise.allSettled([read, announced])
  const [{ facts, terms }, shown] = [await read, await announced]
  const told: Told = { actor: news.by === null ? app : actorOf(news.by), correlation_id }
  const announcement = { sha: news.head_sha, name, ref: shown?.ref ?? null }
  if (!facts.open || facts.draft) {
    await letGo(forge, announcement, notReadyText)
    if (known === null || open === null) return 'as before'
    await record(
      engine,
      known,
      { type: 'end_attempt', attempt_id: open.id, why: facts.open ? 'draft' : 'closed' },
      told,
    )
    await settle(engine, known)
    return 'as before'
  }
  if (known !== null && !isNew && !again && facts.head_sha === news.head_sha) {
    await settle(engine, known)
    return 'as before'
  }
  const opened = await opening(engine, forge, repository, known, { facts, terms }, { ...news, name })
  if (opened.kind !== 'open') {
    await letGo(forge, { ...announcement, ref: announcement.ref ?? before?.ref ?? null }, opened.shown)
    return 'as before'
  }
  const { ref, input } = opened
  const isOfHead = input.head_sha === news.head_sha
  const { task, events } = await record(engine, ref, { ...input, announced: isOfHead ? announcement.ref : null }, told)
  const attempt = liveAttempt(task, news.pull)
  if (!isOfHead) await letGo(forge, announcement, supersededText)
  if (attempt !== undefined && facts.conflicts)
    await record(engine, ref, { type: 'report_obstacle', attempt_id: attempt.id, obstacle: 'merge_conflict' }, told)
  await settle(engine, ref)
  return events.length > 0 ? 'opened' : 'as before'
}

type Announcement = { readonly sha: string; readonly name: string; readonly ref: string | null }

/** What was announced and will not be judged must not look as if it still would. */
async function letGo(forge: Forge, { sha, name, ref }: Announcement, text: CheckRunText): Promise<void> {
  if (ref !== null) await forge.show({ kind: 'check_run', sha, name, ...text }, ref)
}

export const actorOf = ({ login, kind }: Maker): Told['actor'] => ({
  kind: kind === 'human' ? 'human' : 'app',
  login,
  id: null,
})

/** A lenient base must not lend its green to another, so other bases have a check of another name. */
export async function checkName(
  forge: Forge,
  { base_is_default, base_ref }: Pick<Changed, 'base_is_default' | 'base_ref'>,
): Promise<string> {
  if (base_is_default || (await forge.requires(base_ref, 'countersign'))) return 'countersign'
  return `countersign (${base_ref})`
}

type Opening =
  | { readonly kind: 'open'; readonly ref: TaskRef; readonly input: OpenAttempt }
  | { readonly kind: 'not judged'; readonly shown: CheckRunText }

async function opening(
  engine: Engine<Forge>,
  forge: Forge,
  repository: Repository,
  known: TaskRef | null,
  { facts, terms }: Brief,
  news: Changed & { readonly name: string },
): Promise<Opening> {
  const [{ policy: texts, issues }, roster, protection] = await Promise.all([
    terms(),
    forge.census(),
    forge.protects(facts.base_ref, news.name),
  ])
  const governed = await governedBy(engine, repository, texts)
  if (governed.policy.mode === 'off') return { kind: 'not judged', shown: switchedOffText }
  const { name } = news
  const without = texts.own === null && texts.organisation === null
  if (without && !(await forge.requires(facts.base_ref, name)))
    return { kind: 'not judged', shown: beginText(repository.full_name, facts.base_ref) }
  const number = known === null ? taskNumber(news.pull, issues) : Number(known.stream.split('#')[1])
  const ref = known ?? { stream: `${repository.key}#${number}`, task_id: `${repository.full_name}#${number}` }
  const personCalled = (login: string): Person =>
    roster.people.get(login.toLowerCase()) ?? { login, kind: 'human', permission: 'none', teams: [] }
  const { builders, known: builder_known } = buildersOf(
    { ...facts, pusher: news.by },
    governed.policy.identities,
    personCalled,
  )
  const own = await ownText(forge, facts, issues, { pull: news.pull, number })
  const makers = builders.map(({ login }) => login)
  const judged = await contractOf(engine, repository, ref.task_id, own, issues, {
    pull: news.pull,
    governing: governed,
    makers,
    people: roster.people,
  })
  const noPolicy: Reason[] = without ? [{ code: 'no_policy', subject: null, detail: null }] : []
  const input: OpenAttempt = {
    type: 'open_attempt',
    pull: news.pull,
    title: facts.title,
    head_sha: facts.head_sha,
    tree_sha: facts.tree_sha,
    base_ref: facts.base_ref,
    check_name: name,
    protection,
    head_at: news.at,
    group: null,
    contract: judged.contract,
    policy_source: { sha: texts.sha, problems: governed.problems.map(sayPlace) },
    invalid: [...governed.invalid, ...judged.invalid, ...noPolicy],
    remarks: judged.remarks,
    builders,
    builder_known,
    model_available: engine.verifier.available,
    census: roster.census,
    announced: null,
  }
  return { kind: 'open', ref, input }
}
