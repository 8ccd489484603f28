// The verifier's answer, which takes minutes: it is asked outside of every line of work, and comes back as something that
// is heard, in the line of its pull request.
import type { Attempt } from '../core/decision/model.ts'
import type { VerifierAnswer } from '../ports.ts'
import { load, recall, type Engine } from './engine.ts'
import { app, record } from './record.ts'
import { settle } from './settle.ts'

/** What is asked: one session about one attempt. */
export type Session = { readonly stream: string; readonly attempt_id: string; readonly session_id: string }

/** The attempt as it is now, or null where nobody waits for an answer of this session any more. */
export async function waitingFor(engine: Engine, { stream, attempt_id, session_id }: Session): Promise<Attempt | null> {
  const ref = await recall(engine, stream)
  if (ref === null) return null
  const { task } = await load(engine, ref)
  const attempt = task.attempts.find(({ id }) => id === attempt_id)
  if (attempt === undefined || !attempt.live) return null
  const { verifier } = attempt
  return verifier.phase === 'running' && verifier.session_id === session_id ? attempt : null
}

export async function answered(
  engine: Engine,
  { stream, attempt_id }: Session,
  answer: VerifierAnswer,
  correlation_id: string,
): Promise<void> {
  const ref = await recall(engine, stream)
  if (ref === null) return
  await record(engine, ref, { ...answer, attempt_id }, { actor: { ...app, kind: 'llm' }, correlation_id })
  await settle(engine, ref)
}
