// The merge queue: a group's commit is judged in a stream of its own, by the policy at the tip of its base.
import { sayPlace } from '../../core/contract/policy/governing.ts'
import { rosterUnder } from '../../core/people/roster.ts'
import type { OpenAttempt } from '../../core/decision/rules/inputs.ts'
import { type Forge } from '../../ports.ts'
import { commitKey, standsOnKey } from '../../core/decision/record/keys.ts'
import type { News, Repository } from '../../core/news.ts'
import { forgeOf, load, type Engine, type TaskRef } from '../engine.ts'
import { refOf } from '../attempts/own-task.ts'
import { membersOf, membersRead } from './members.ts'
import { GROUPS_MAX } from './queued.ts'
import { effective, standSwitchedOff } from '../attempts/opening.ts'
import { checkNameOf } from '../../core/decision/subject.ts'
import { governedBy, plainContract } from '../attempts/terms.ts'
import { app, record, type Told } from '../record.ts'
import { settle } from '../settle.ts'

type Requested = Extract<News, { kind: 'group_requested' }>

export async function groupRequested(
  engine: Engine<Forge>,
  repository: Repository,
  news: Requested,
  correlation_id: string,
): Promise<void> {
  const { pull, head_sha, base_sha, base_ref, at } = news
  const told: Told = { actor: app, correlation_id }
  const ref = refOf(repository, `${repository.key}#group-${head_sha.slice(0, 12)}`)
  const { task: before } = await load(engine, ref)
  // Heard before, and cut short: announced again, the new run would stay queued and stall the queue.
  if (before.attempts.at(-1)?.live === true) return judgedAgain(engine, repository, ref, correlation_id)
  const forge = await forgeOf(engine, repository)
  const name = checkNameOf(news)
  const texts = await forge.policy(base_ref)
  const governed = await effective(engine, repository, forge, await governedBy(engine, repository, texts), news)
  // The group says what its members say: nothing where nothing is judged, and that it is switched off where it is.
  if (governed.policy.mode === 'off')
    return standSwitchedOff(forge, head_sha, name, await forge.requires(base_ref, name))
  const without = texts.own === null && texts.organisation === null
  if (without && (await forge.requires(base_ref, name)) === false) return
  const [shown, roster, merged] = await Promise.all([
    forge.announce(head_sha, name),
    forge.census(),
    // That what it stands on is in the branch already, only the branch proves.
    forge.pullsAhead(base_ref, head_sha),
  ])
  const { invalid, problems } = governed
  const title = `Merge group of #${pull}`
  const judged = await plainContract(engine, repository, ref.task_id, title, governed)
  const input: OpenAttempt = {
    type: 'open_attempt',
    repository: repository.key,
    merges_into: base_ref,
    merges_base: false,
    head_branch: null,
    guest: false,
    sources: [],
    pull,
    title,
    head_sha,
    tree_sha: '',
    base_ref,
    check_name: name,
    protection: null,
    head_at: at,
    group: { pull, beside: merged.filter((one) => one !== pull), base_sha, lacking: null, covers: [] },
    contract: judged.contract,
    policy_source: { sha: texts.sha, problems: problems.map(sayPlace) },
    invalid: [...invalid, ...judged.invalid],
    remarks: judged.remarks,
    builders: [],
    builder_known: true,
    model_available: false,
    census: rosterUnder(governed.policy.identities, roster).census,
    announced: shown.ref,
  }
  await record(engine, ref, input, told)
  await judgedAgain(engine, repository, ref, correlation_id)
}

/** A group, and then those that stand on it, each once. */
async function judgedAgain(
  engine: Engine<Forge>,
  repository: Repository,
  ref: TaskRef,
  correlation_id: string,
  seen = new Set<string>(),
): Promise<void> {
  if (seen.has(ref.stream) || seen.size === GROUPS_MAX) return
  const { task } = await load(engine, ref)
  const attempt = task.attempts.find(({ live }) => live)
  if (attempt === undefined) return
  seen.add(ref.stream)
  await settle(engine, ref, async () => {
    await membersRead(engine, ref, attempt, { actor: app, correlation_id })
    return [membersOf(attempt)]
  })
  for (const stream of await engine.store.find(standsOnKey(repository.key, attempt.head_sha)))
    await judgedAgain(engine, repository, refOf(repository, stream), correlation_id, seen)
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
