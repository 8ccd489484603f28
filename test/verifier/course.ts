// The course of one task: pushes, each judged by the built-in verifier and recorded as the engine would, so that the next
// push finds on record what this one left.
import { anOpening } from '../decision/opening.ts'
import { seal, emptyTail } from '../../src/core/decision/record/chain.ts'
import { decide } from '../../src/core/decision/rules/decide.ts'
import type { RecordedEvent } from '../../src/core/decision/record/events.ts'
import { emptyTask, replay } from '../../src/core/decision/record/evolve.ts'
import type { Input } from '../../src/core/decision/rules/inputs.ts'
import type { Attempt, TaskState } from '../../src/core/decision/model.ts'
import { upcast } from '../../src/core/decision/record/upcast.ts'
import type { GateAnswer, VerifierAnswer } from '../../src/ports.ts'
import type { Contract } from '../../src/core/contract/task/contract.ts'
import type { Change } from '../../src/verifier/change/change.ts'
import type { Model } from '../../src/verifier/calls/model.ts'
import type { Steps } from '../../src/engine/verify/steps/step.ts'
import { usualSteps } from '../../src/engine/verify/steps/usual.ts'
import { aChange, aContract, aFile, aModel, aVerifier, guardLines, saysPass } from './lab.ts'

export const passing = () => aModel((request) => saysPass(request))
export const before = aChange()
/** The same, and a line that nothing was said about. */
export const elsewhere = aChange([aFile('src/users.ts', [...guardLines, '+export const more = 1'])])

const eight = '2026-01-05T08:00:00.000Z'
const agent = { id: null, login: 'agent[bot]', kind: 'bot', permission: 'write', teams: [], via: ['author'] } as const
const ada = { id: null, login: 'ada', kind: 'human', permission: 'maintain', teams: [] } as const

export const opening = (head_sha: string, contract: Contract): Input =>
  anOpening(contract, {
    pull: 9,
    title: 'Guard',
    head_sha,
    tree_sha: `t${head_sha}`,
    head_at: eight,
    builders: [agent],
  })

const HOUR_MS = 3_600_000
const later = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString()

export function aCourse(contract: Contract = aContract(), steps: Steps = usualSteps) {
  const events: RecordedEvent[] = []
  let said = 0
  let at = eight
  const state = (): TaskState => replay(emptyTask(contract.task_id), events)
  const tell = (input: Input): void => {
    const last = events.at(-1)
    const tail = last === undefined ? emptyTail : { version: last.version, hash: last.hash }
    const sealing = {
      stream: 'R1#4',
      task_id: contract.task_id,
      at,
      actor: { kind: 'app', login: 'countersign', id: null },
      correlation_id: 'course',
    } as const
    // What is stored is JSON, and read back through the door for stored events.
    for (const event of seal(decide(state(), input, at), tail, sealing))
      events.push(upcast(JSON.parse(JSON.stringify(event))))
  }
  const live = (): Attempt => {
    const attempt = state().attempts.findLast((one) => one.live)
    if (attempt === undefined) throw new Error('Nothing is open')
    return attempt
  }
  const verify = async (model: Model | null, change: Change): Promise<VerifierAnswer> => {
    const session_id = `session ${(said += 1)}`
    const attempt_id = live().id
    const now = later(at, HOUR_MS)
    const verifier = aVerifier({ model, change, past: events, now: () => now, nonces: `nonce-${said}`, steps })
    tell({
      type: 'start_verification',
      attempt_id,
      session_id,
      prompt_hash: null,
      ...(await verifier.prepare(live(), session_id, 'R1#9')),
    })
    const answer = await verifier.verify(live(), session_id, 'R1#9')
    tell({ ...answer, attempt_id })
    return answer
  }
  /** What the red team says of the newest push. */
  const attack = async (model: Model | null, change: Change): Promise<GateAnswer> => {
    const run = `session ${(said += 1)}`
    const now = later(at, HOUR_MS)
    const verifier = aVerifier({ model, change, past: events, now: () => now, nonces: `nonce-${said}`, steps })
    const answer = await verifier.judgeGate(live(), 'red_team', run, 'R1#9')
    if (answer === null) throw new Error('Nobody answered')
    tell({ type: 'report_gate', attempt_id: live().id, gate: 'red_team', run, ...answer })
    return answer
  }
  return {
    events,
    live,
    verify,
    attack,
    wait(days: number): void {
      at = later(at, days * 24 * HOUR_MS)
    },
    async push(
      name: string,
      model: Model | null,
      change: Change,
      checks: 'passed' | 'failed' = 'passed',
      now: Contract = contract,
    ): Promise<VerifierAnswer> {
      const head_sha = name.padEnd(40, '0')
      tell(opening(head_sha, now))
      const attempt_id = live().id
      tell({
        type: 'report_files',
        attempt_id,
        files: [{ path: 'src/users.ts', previous_path: null, status: 'modified' }],
        complete: true,
      })
      tell({ type: 'report_tier1', attempt_id, run: name, passed: true, checks: [], findings: [], feedback: null })
      const result = {
        name: 'test',
        passed: checks === 'passed',
        exit_code: checks === 'passed' ? 0 : 1,
        output: 'ran',
        duration_ms: 5,
        required: true,
      }
      tell({ type: 'report_check', attempt_id, run: name, name: 'test', state: checks, result, output_ref: null })
      return verify(model, change)
    },
    override(reason: string): void {
      const saying = {
        key: `say ${(said += 1)}`,
        user: ada,
        sha: live().head_sha,
        source: 'comment',
        census: { admin: 1, maintain: 1, write: 2, complete: true },
        text: reason,
        at,
        through: null,
      } as const
      tell({
        type: 'give_command',
        pull: 9,
        command: { name: 'override', reason, checks: [], verifier: true, sha: null },
        saying,
      })
    },
  }
}

export const told = (answer: VerifierAnswer): string =>
  answer.type === 'report_unavailable'
    ? `UNAVAILABLE ${answer.reason}`
    : [answer.verdict.outcome, answer.verdict.reason_code].filter((part) => part !== null).join(' ')
export const ledgerOf = (answer: VerifierAnswer): string[] =>
  answer.type === 'report_verdict'
    ? (answer.examined?.ledger ?? []).map(
        ({ kind, status, first_sha, last_sha }) =>
          `${kind} ${status} ${first_sha.slice(0, 2)} to ${last_sha.slice(0, 2)}`,
      )
    : []
export const callsOf = (answer: VerifierAnswer): number =>
  (answer.type === 'report_verdict' ? answer.examined?.cost.calls : answer.cost?.calls)?.length ?? 0

/** As under a policy that wants every verdict written. */
export function alwaysReviewed(attempt: Attempt): Attempt {
  const { contract } = attempt
  const { verification } = contract.policy
  const verifier = { ...verification.verifier, review: 'always' } as const
  return {
    ...attempt,
    contract: { ...contract, policy: { ...contract.policy, verification: { ...verification, verifier } } },
  }
}
