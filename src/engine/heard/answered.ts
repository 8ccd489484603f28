// The verifier's answer, which takes minutes: it is asked outside of every line of work, and comes back as something that
// is heard, in the line of its pull request.
import type { Attempt, GateName } from '../../core/decision/model.ts'
import { isGateWanted } from '../../core/decision/shown/owed.ts'
import type { GateAnswer, VerifierAnswer } from '../../ports.ts'
import { load, recall, type Engine } from '../engine.ts'
import { app, record } from '../record.ts'
import { settle } from '../settle.ts'

/** What is asked: one session about one attempt; of a gate, where one is named. */
export type Session = {
  readonly stream: string
  readonly attempt_id: string
  readonly session_id: string
  readonly gate?: GateName | undefined
}
export type SlowAnswer =
  | VerifierAnswer
  | ({ readonly type: 'report_gate'; readonly gate: GateName; readonly run: string } & GateAnswer)

/** The attempt as it is now, or null where nobody waits for an answer of this session any more. */
export async function waitingFor(
  engine: Engine,
  { stream, attempt_id, session_id, gate }: Session,
): Promise<Attempt | null> {
  const ref = await recall(engine, stream)
  if (ref === null) return null
  const { task } = await load(engine, ref)
  const attempt = task.attempts.find(({ id }) => id === attempt_id)
  if (attempt === undefined || !attempt.live) return null
  if (gate !== undefined) return isGateWanted(attempt, gate) ? attempt : null
  const { verifier } = attempt
  return verifier.phase === 'running' && verifier.session_id === session_id ? attempt : null
}

export async function answered(
  engine: Engine,
  session: Session,
  answer: SlowAnswer,
  correlation_id: string,
): Promise<void> {
  const { stream, attempt_id } = session
  const ref = await recall(engine, stream)
  if (ref === null) return
  // The first word of a gate stands, should two have been asked.
  if (answer.type === 'report_gate' && (await waitingFor(engine, session)) === null) return
  await record(engine, ref, { ...answer, attempt_id }, { actor: { ...app, kind: 'llm' }, correlation_id })
  await settle(engine, ref)
}
