// Whoever overrules results has seen them at GitHub, and we have not yet, perhaps: those that are still awaited are read before such
// a word is judged, or it would lift nothing.
import { factsOf, isRunning } from '../../core/decision/gate/facts.ts'
import { liveAttempt } from '../../core/decision/rules/attempt.ts'
import type { Command } from '../../core/people/command.ts'
import { inTurn, load, type Engine } from '../engine.ts'
import { resultsNow } from './results-now.ts'
import type { Scene } from './speak.ts'

/** What names a check lifts whatever comes of it. */
export const liftsResults = (command: Command): boolean =>
  command.name === 'reason' || (command.name === 'override' && command.checks.length === 0 && !command.verifier)

export async function resultsSeen(
  engine: Engine,
  { ref, told }: Pick<Scene, 'ref' | 'told'>,
  pull: number,
): Promise<void> {
  await inTurn(engine, ref.stream, async () => {
    const { task } = await load(engine, ref)
    const attempt = liveAttempt(task, pull)
    if (attempt === undefined || !factsOf(task, attempt).required.some(({ record }) => isRunning(record))) return
    await resultsNow(engine, ref, attempt, told.correlation_id)
  })
}
