// What a push means beside the pull request that it moves: who had a hand in a commit, and which policy governs now.
import { isSame } from '../../core/people/people.ts'
import { type Forge } from '../../ports.ts'
import type { Attempt } from '../../core/decision/model.ts'
import { commitKey } from '../../core/decision/record/keys.ts'
import type { News, Repository } from '../../core/news.ts'
import { forgeOf, load, type Engine } from '../engine.ts'
import { pullSeen } from '../attempts/intake.ts'
import { attemptOf, refOf, taskOf } from '../attempts/own-task.ts'
import { noteMove } from './moves.ts'
import { app, record } from '../record.ts'
import { settle } from '../settle.ts'

type Of<K extends News['kind']> = Extract<News, { kind: K }>

/** Whoever pushed a commit had a hand in it, also where somebody else opened its pull request. */
export async function pushed(
  engine: Engine<Forge>,
  repository: Repository,
  news: Of<'pushed'>,
  correlation_id: string,
): Promise<void> {
  const { branch, sha, changes_policy } = news
  noteMove(engine.moves, repository, news)
  if (sha !== null) await pushedBy(engine, repository, { ...news, sha }, correlation_id)
  // It may be the default of a whole organisation.
  if (changes_policy) engine.unjudged.clear()
  if (changes_policy) await policyChanged(engine, repository, branch, correlation_id)
}

async function pushedBy(
  engine: Engine<Forge>,
  repository: Repository,
  { branch, sha, by }: Of<'pushed'> & { readonly sha: string },
  correlation_id: string,
): Promise<void> {
  for (const stream of await engine.store.find(commitKey(repository.key, sha))) {
    const ref = refOf(repository, stream)
    const { task } = await load(engine, ref)
    const attempts = task.attempts.filter(
      ({ head_sha, head_branch, live, merges_base }) =>
        head_sha === sha && head_branch === branch && live && !merges_base,
    )
    if (attempts.length === 0 || task.builders.some((one) => isSame(one, by))) continue
    const forge = await forgeOf(engine, repository)
    const person = await forge.person(by, [])
    const builder = { ...person, via: ['pusher'] } as const
    const inputs = attempts.map(({ id: attempt_id }) => ({ type: 'add_builder', attempt_id, builder, sha }) as const)
    await record(engine, ref, inputs, { actor: app, correlation_id })
    await settle(engine, ref)
  }
}

/**
 * What the policy on its base does not enforce yet, or could not be judged by, may be judged by the one that came now; the rest is
 * frozen. A mode belongs to the branch: what stood there while it enforced nothing would count as a pass for ever.
 */
async function policyChanged(
  engine: Engine<Forge>,
  repository: Repository,
  branch: string,
  correlation_id: string,
): Promise<void> {
  const forge = await forgeOf(engine, repository)
  for (const { number, draft, ...open } of await forge.openPulls()) {
    // Beside the default branch nothing is loosened, so what that says may govern another base too.
    if (draft || (open.base_is_default && open.base_ref !== branch)) continue
    const attempt = await attemptOf(engine, await taskOf(engine, repository, number), number)
    if (attempt !== null && isFrozen(attempt)) continue
    await pullSeen(engine, repository, { pull: number, ...open }, correlation_id, { again: true })
  }
}

const isFrozen = ({ invalid, contract }: Attempt): boolean => invalid.length === 0 && contract.policy.mode === 'enforce'
