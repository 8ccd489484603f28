// How a verification begins: who judges, what is on record, and everything that is read before anybody is asked.
import type { RecordedEvent } from '../../core/decision/record/events.ts'
import type { Attempt } from '../../core/decision/model.ts'
import type { Identity } from '../../core/decision/verdict.ts'
import { redactor } from '../../verifier/asking/clean.ts'
import { refuseSelf } from '../../verifier/asking/identity.ts'
import { bothPurses, endlessPurse } from '../../verifier/calls/money.ts'
import { familyOf } from '../../verifier/calls/model.ts'
import type { Asking } from './asking/asking.ts'
import type { Breakers } from './asking/breakers.ts'
import { pastOf } from './recorded.ts'
import { stepsFor, usualSteps } from './steps/usual.ts'
import type { Given } from './subject.ts'
import { surroundingsOf } from './surroundings.ts'
import type { VerifierOptions, VerifierPorts } from './verifier.ts'

/** Below the expiry of the queue that verifications run on. */
const ATTEMPT_MS_MAX = 600_000
export const verifierAgent = 'countersign-verifier'

export type Session = { readonly attempt: Attempt; readonly session_id: string; readonly stream: string }

export async function evaluatorOf(
  options: VerifierOptions,
  { attempt, session_id, stream }: Session,
): Promise<Identity> {
  const model_id = attempt.contract.policy.verification.verifier.model
  const login = await options.login(stream)
  return { login, agent_id: verifierAgent, session_id, model_id, model_family: familyOf(model_id) }
}

export type Ready = VerifierPorts & { readonly breakers: Breakers }
type Begun = {
  readonly given: Given
  readonly asking: Asking | null
  readonly events: readonly RecordedEvent[]
}

/** Everything that is read before anybody is asked. */
export async function begin(
  ports: Ready,
  options: VerifierOptions,
  { attempt, stream }: Session,
  { evaluator, superseded }: { evaluator: Identity; superseded: AbortSignal },
): Promise<Begun> {
  const { evidence } = ports
  const asker = { attempt, stream, evaluator, superseded }
  const { asking, events, past, steps, redact } = await beginAsking(ports, options, asker)
  const [change, declaredModels] = await Promise.all([
    evidence.change(attempt, stream),
    evidence.declaredModels(attempt, stream),
  ])
  const { snapshot } = evidence
  const surroundings = snapshot === undefined ? null : surroundingsOf((files) => snapshot(attempt, files, stream))
  const { keyed, clock } = ports
  const known = { events, now: clock.now(), past, declaredModels }
  const given = { attempt, change, ...known, redact, keyed, evaluator, surroundings, steps }
  return { given, asking, events }
}

type Asker = Pick<Session, 'attempt' | 'stream'> & {
  readonly evaluator: Identity
  readonly superseded: AbortSignal
}

/** Whoever asks about the same task at once pays from the same purse. */
async function purseOf({ taskPurses, purse }: VerifierOptions, { attempt, stream }: Asker, recorded: number) {
  const limit = attempt.contract.policy.budget.usd_per_task
  const ofTask = taskPurses?.(stream, { limit, recorded }) ?? endlessPurse
  return purse === undefined ? ofTask : bothPurses(ofTask, await purse(stream))
}

/** What was asked before counts for the same money. */
export async function beginAsking(ports: Ready, options: VerifierOptions, of: Asker) {
  const { evidence, clock, model, breakers } = ports
  const { attempt, stream, evaluator, superseded } = of
  refuseSelf(attempt, evaluator)
  const events = await evidence.past(attempt, stream)
  const past = pastOf(events, attempt, clock.now())
  const late = AbortSignal.timeout(options.attemptMsMax ?? ATTEMPT_MS_MAX)
  const { verifier } = attempt.contract.policy.verification
  const steps = stepsFor(attempt, options.steps ?? usualSteps)
  const redact = redactor(options.secrets)
  const asking: Asking | null =
    model === null
      ? null
      : {
          model,
          breakers,
          signal: AbortSignal.any([superseded, late]),
          pause: ports.pause,
          chance: ports.chance,
          nonce: ports.nonce,
          fallbackModel: verifier.fallback_model,
          budget: attempt.contract.policy.budget,
          purse: await purseOf(options, of, past.spent),
          taskUsd: past.spent,
          before: past.before,
          calls: [],
          paid: { usd: 0, calls: 0 },
          own: redact.own,
          steps: steps.verifier,
          written: new Set(),
          underWay: new Set(),
        }
  return { asking, events, past, steps, redact }
}
