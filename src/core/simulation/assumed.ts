// What another policy asks for and nobody asked for then. It is taken as passed, so that only what is known can differ.
import { gateNames } from '../decision/gate-report.ts'
import { isVerifierOn } from '../decision/gate/facts.ts'
import type { Decision, RowName } from '../decision/decision.ts'
import type { Attempt } from '../decision/model.ts'
import type { Verdict } from '../decision/verdict.ts'
import type { NewEvent } from '../decision/record/events.ts'

/** What one policy waits for and the other did not ask for, and nobody answered all the same. */
export function unaskedOf(was: Attempt, is: Attempt): ReadonlySet<string> {
  const [before, answered] = [awaitedBy(was), answeredTo(was)]
  return new Set([...awaitedBy(is)].filter((key) => !before.has(key) && !answered.has(key)))
}

/** Rows that decide before anybody's answer is asked for: nothing that is not known moves them. */
const withoutAnswers: readonly RowName[] = ['invalid', 'rejected', 'approved', 'scope', 'protected']
export const restsOnAnswers = ({ row }: Pick<Decision, 'row'>): boolean => !withoutAnswers.includes(row)

/** What it still waits for: whatever came of it is gone, or was never there. */
export function missingIn(attempt: Attempt): ReadonlySet<string> {
  const answered = answeredTo(attempt)
  return new Set([...awaitedBy(attempt)].filter((key) => !answered.has(key)))
}

/** By name: `check:<name>`, `verifier`, `red_team`, `vision`. */
function awaitedBy(attempt: Attempt): ReadonlySet<string> {
  const { verification, security } = attempt.contract.policy
  const required = verification.checks.filter(({ required: is }) => is).map(({ name }) => checkKey(name))
  const gates = gateNames.filter((gate) => security[gate].enabled)
  return new Set([...required, ...(isVerifierOn(attempt) ? ['verifier'] : []), ...gates])
}

function answeredTo({ checks, verifier, gates }: Attempt): ReadonlySet<string> {
  const ran = Object.values(checks).filter(({ state }) => state !== 'left_out' && state !== 'running')
  const asked = verifier.phase === 'idle' || verifier.phase === 'running' ? [] : ['verifier']
  return new Set([...ran.map(({ name }) => checkKey(name)), ...asked, ...Object.keys(gates)])
}

export const checkKey = (name: string): string => `check:${name}`

const run = 'not known'

export function assumedOf(
  { id: attempt_id, head_sha, contract }: Attempt,
  keys: ReadonlySet<string>,
): readonly NewEvent[] {
  const at = { attempt_id, head_sha }
  const ids = { task_id: contract.task_id, attempt_id }
  const passed = { passed: true, exit_code: 0, duration_ms: 0, required: true, error_code: null, output_ref: null }
  const gate = { run, verdict: 'PASS', summary: '', elapsed_ms: 0, skipped: false } as const
  return Array.from(keys, (key): NewEvent => {
    if (key === 'verifier') return { type: 'VerificationCompleted', ...at, data: { ...ids, ...verdict } }
    if (key === 'red_team') return { type: 'RedTeamGateCompleted', ...at, data: gate }
    if (key === 'vision') return { type: 'VisionGateCompleted', ...at, data: gate }
    const check_name = key.slice(checkKey('').length)
    return { type: 'CheckCompleted', ...at, data: { check_name, ...ids, ...passed, run, result: null } }
  })
}

const verdict: Verdict = {
  outcome: 'PASS',
  reason_code: null,
  confidence: 1,
  reasoning: '',
  feedback: null,
  objections: [],
  votes: null,
  evaluator: { login: '', agent_id: '', session_id: run, model_id: '', model_family: '' },
}
