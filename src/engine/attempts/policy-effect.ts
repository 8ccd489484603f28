// What a policy in a change would have decided, from the record alone, so that whoever lets it in sees what it does.
import type { Attempt } from '../../core/decision/model.ts'
import type { Simulated } from '../../core/simulation/another-policy.ts'
import { simulationLines } from '../../core/words/simulation.ts'
import type { Engine, TaskRef } from '../engine.ts'
import { numberIn, repositoryIn } from '../../core/names.ts'

/** So many pull requests of the past say what a policy does, looked for among so many numbers before this one. */
const PULLS_MAX = 30
const NUMBERS_MAX = 200

/** In words. A task that takes more time to tell again than one may take is left out. */
export async function effectOf(
  engine: Engine,
  { stream }: TaskRef,
  { base_ref }: Attempt,
  own: string,
): Promise<readonly string[]> {
  const [repository, number] = [repositoryIn(stream), numberIn(stream)]
  const { organisation } = await (await engine.forges.of(stream)).policy(base_ref)
  const rows: Simulated[] = []
  const last = Math.max(1, number - NUMBERS_MAX)
  for (let at = number - 1; at >= last && rows.length < PULLS_MAX; at -= 1) {
    const events = await engine.store.read(`${repository}#${at}`)
    const [first] = events
    if (first === undefined) continue
    const question = { own, organisation, task_id: first.task_id, events }
    rows.push(...((await engine.aside.simulation(question, repository)) ?? []))
  }
  return simulationLines(rows.slice(0, PULLS_MAX))
}
