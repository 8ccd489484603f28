// The merge queue: a group's commit is judged in a stream of its own, by the policy at the tip of its base.
import type { OpenAttempt } from '../core/decision/inputs.ts'
import type { Attempt } from '../core/decision/model.ts'
import { checkSlot } from '../core/decision/owed.ts'
import { commitKey, type Forge, type News, type Repository } from '../ports.ts'
import { forgeOf, load, type Engine, type TaskRef } from './engine.ts'
import { attemptOf, checkName, refOf, taskOf } from './intake.ts'
import { governing, plainContract } from './terms.ts'
import { app, record, type Told } from './record.ts'
import { settle } from './settle.ts'

type Requested = Extract<News, { kind: 'group_requested' }>

export async function groupRequested(
  engine: Engine<Forge>,
  repository: Repository,
  news: Requested,
  correlation_id: string,
): Promise<void> {
  const { pull, head_sha, base_ref, at } = news
  const told: Told = { actor: app, correlation_id }
  const ref = refOf(repository, `${repository.key}#group-${head_sha.slice(0, 12)}`)
  const known = (await load(engine, ref)).task.attempts.at(-1)
  // Heard before, and cut short: announced again, the new run would stay queued and stall the queue.
  if (known?.live === true) {
    await memberJudged(engine, repository, ref, known, told)
    await settle(engine, ref)
    return
  }
  const forge = await forgeOf(engine, repository)
  const name = await checkName(forge, news)
  const [shown, texts, roster] = await Promise.all([
    forge.announce(head_sha, name),
    forge.policy(base_ref),
    forge.census(),
  ])
  const { policy, invalid, problems } = governing(texts)
  const title = `Merge group of #${pull}`
  const input: OpenAttempt = {
    type: 'open_attempt',
    pull,
    title,
    head_sha,
    tree_sha: '',
    base_ref,
    check_name: name,
    head_at: at,
    group: { pull, member: 'unknown', covers: [] },
    contract: plainContract(ref.task_id, title, policy),
    policy_source: { sha: texts.sha, problems },
    invalid,
    builders: [],
    builder_known: true,
    model_available: false,
    census: roster.census,
  }
  const { task } = await record(engine, ref, input, told)
  const attempt = task.attempts.at(-1)
  if (attempt === undefined) return
  const slot = checkSlot(head_sha, name)
  const digest = `announced ${shown.ref ?? ''}`
  await record(engine, ref, { type: 'show_slot', attempt_id: attempt.id, slot, digest, ref: shown.ref }, told)
  await memberJudged(engine, repository, ref, attempt, told)
  await settle(engine, ref)
}

/** Whether the pull request is still a success at its head, which is read now. */
export async function memberJudged(
  engine: Engine<Forge>,
  repository: Repository,
  ref: TaskRef,
  attempt: Attempt,
  told: Told,
): Promise<void> {
  if (attempt.group === null) return
  const { pull } = attempt.group
  const own = await taskOf(engine, repository, pull)
  const member = own === null ? null : await attemptOf(engine, own, pull)
  const forge = await engine.forges.of(ref.stream)
  const green = member?.decision?.status === 'success' && (await forge.head(pull)) === member.head_sha
  const acts = member?.acts.filter(({ standing }) => standing === 'stands') ?? []
  const covers = acts.flatMap((act) => act.covers).flatMap(({ subject, result }) => (result === null ? [subject] : []))
  await record(
    engine,
    ref,
    { type: 'report_member', attempt_id: attempt.id, member: green ? 'success' : 'other', covers },
    told,
  )
}

export async function groupEnded(
  engine: Engine<Forge>,
  repository: Repository,
  head_sha: string,
  correlation_id: string,
): Promise<void> {
  for (const stream of await engine.store.find(commitKey(repository.key, head_sha))) {
    const ref = refOf(repository, stream)
    const { task } = await load(engine, ref)
    for (const { id, group, live } of task.attempts) {
      if (group === null || !live) continue
      await record(engine, ref, { type: 'end_attempt', attempt_id: id, why: 'closed' }, { actor: app, correlation_id })
    }
    await settle(engine, ref)
  }
}
