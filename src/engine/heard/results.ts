// Results may have changed on a commit: they are read for every attempt that has it as its head.
import { movedTo } from '../../core/decision/gate/taken-up.ts'
import type { Input } from '../../core/decision/rules/inputs.ts'
import type { Attempt, TaskState } from '../../core/decision/model.ts'
import { liveAttempt } from '../../core/decision/rules/attempt.ts'
import { type Forge } from '../../ports.ts'
import { wentWell } from '../../core/decision/shown/asking.ts'
import { supposed } from '../../core/decision/results/supposed.ts'
import { commitKey } from '../../core/decision/record/keys.ts'
import type { News, Repository, ToldResult } from '../../core/news.ts'
import { forgeOf, load, type Engine, type TaskRef } from '../engine.ts'
import { pullSeen } from '../attempts/intake.ts'
import { lookSupposing } from '../last-look.ts'
import { refOf } from '../attempts/own-task.ts'
import { resultsTaken } from './results-now.ts'
import { settle } from '../settle.ts'

/** Every attempt on the commit, since two pull requests can share one. */
export async function resultsChanged(
  engine: Engine<Forge>,
  repository: Repository,
  { sha, told }: Pick<ResultsNews, 'sha' | 'told'>,
  correlation_id: string,
): Promise<void> {
  const heard: Heard = { engine, repository, sha, told, correlation_id }
  for (const stream of await engine.store.find(commitKey(repository.key, sha))) {
    const ref = refOf(repository, stream)
    const before = await load(engine, ref)
    if (movedTo(before.task) !== null) continue
    const later: Attempt[] = []
    await settle(engine, ref, () => readAll(heard, ref, later))
    // Opened anew, it takes the turn of its pull request first.
    let isLeft = false
    for (const attempt of later) if (!(await openedByNewerPolicy(heard, attempt))) isLeft = true
    if (isLeft) await settle(engine, ref, () => readAll(heard, ref, null))
  }
}

type ResultsNews = Extract<News, { kind: 'results_changed' }>
type Heard = {
  readonly engine: Engine<Forge>
  readonly repository: Repository
  readonly sha: string
  readonly told: readonly ToldResult[] | undefined
  readonly correlation_id: string
}

/** While a commit is judged for another base, what is found out there is nothing about this one. */
const attemptsOn = (task: TaskState, sha: string): readonly Attempt[] =>
  task.attempts.filter(
    ({ head_sha, live, pull }) => head_sha === sha && (live || liveAttempt(task, pull)?.head_sha !== sha),
  )

/** In the turn of the task. Attempts with results under another policy are put aside where that is asked for. */
async function readAll(
  { engine, repository, sha, told, correlation_id }: Heard,
  ref: TaskRef,
  aside: Attempt[] | null,
): Promise<readonly string[]> {
  const forge = await forgeOf(engine, repository)
  const attempts = attemptsOn((await load(engine, ref)).task, sha)
  for (const attempt of attempts) {
    await lookSupposing(engine, ref, supposed(attempt, told ?? []))
    const at = engine.clock.now()
    const inputs = [...(await forge.results(attempt, told)), ...wentWell(attempt, 'results')]
    if (aside !== null && isOfAnotherPolicy(attempt, inputs)) aside.push(attempt)
    else await resultsTaken(engine, ref, attempt, { at, inputs, correlation_id })
  }
  // Without the changed files, tier 1 could not be judged yet.
  return attempts.filter(({ files }) => files !== null).map(({ id }) => id)
}

const isOfAnotherPolicy = ({ live, group }: Attempt, inputs: readonly Input[]): boolean =>
  live && group === null && inputs.some((input) => input.type === 'refuse_result' && input.policy_hash !== null)

/** Results under a policy that came to the base after the attempt had opened: it is opened anew under that one. */
async function openedByNewerPolicy(
  { engine, repository, correlation_id }: Heard,
  { pull, head_at: at }: Attempt,
): Promise<boolean> {
  const now = await (await forgeOf(engine, repository)).now(pull)
  if (now === null) return false
  return (await pullSeen(engine, repository, { pull, ...now, at }, correlation_id, { again: true })) === 'opened'
}
