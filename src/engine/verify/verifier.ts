// The built-in verifier: from an attempt to an answer for the record. The model testifies, the rules judge; what could not
// be read is never a pass, and an outage is not an opinion.
import { gateNames } from '../../core/decision/gate-report.ts'
import type { OnTheWay } from '../../core/decision/record/on-the-way.ts'
import type { Cost } from '../../core/decision/examined.ts'
import type { Attempt, GateName } from '../../core/decision/model.ts'
import { gateKey } from '../../core/decision/record/keys.ts'
import type { Identity } from '../../core/decision/verdict.ts'
import { checkPipeline, pipeline } from '../../core/decision/gate/pipeline.ts'
import type { Clock, Evidence, GateAnswer, Verifier, VerifierAnswer } from '../../ports.ts'
import { criteriaOfContract, identityProbes } from '../../verifier/asking/probes.ts'
import { generatorOf, handoff, refuseSelf } from '../../verifier/asking/identity.ts'
import { taskPurses, type Purse, type TaskPurses } from '../../verifier/calls/money.ts'
import { familyOf, type Model } from '../../verifier/calls/model.ts'
import { priceTable } from '../../core/contract/policy/prices.ts'
import type { Result } from './conclusion.ts'
import { begin, beginAsking, evaluatorOf, type Ready, type Session } from './beginning.ts'
import { examine } from './examine.ts'
import { readInLine, type Reading } from './reading.ts'
import type { Asking } from './asking/asking.ts'
import { breakers as breakersOf, type Breakers, type OnPause } from './asking/breakers.ts'
import { keepable, recordable } from './recordable.ts'
import { nextTry } from './recorded.ts'
import { classified } from './steps/faults.ts'
import type { Steps } from './steps/step.ts'
import { closing } from './surroundings.ts'
import { attack, attackerOf, redTeamAgent } from './red-team.ts'
import { tierOf } from './tier.ts'
import { measuring, view, viewerAgent, viewerOf } from './vision.ts'

export type VerifierPorts = {
  /** Null where the App has no key. */
  readonly model: Model | null
  readonly evidence: Evidence
  readonly clock: Clock
  /** Keyed hash of a text, in hex: the ids of fences must not be guessed. */
  readonly keyed: (text: string) => string
  readonly nonce: () => string
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** From 0 to 1. */
  readonly chance: () => number
}
export type VerifierOptions = {
  /** How the verifier is called where this stream is; nobody but GitHub knows. */
  readonly login: (stream: string) => Promise<string>
  /** Configured secrets, which no prompt may hold. */
  readonly secrets: readonly string[]
  readonly attemptMsMax?: number
  /** Where it is read what others wrote around a stream; in line unless given. */
  readonly reading?: (stream: string) => Reading
  /** What verifications around a stream are paid from; endless unless given. */
  readonly purse?: (stream: string) => Promise<Purse>
  /** What verifications of a task are paid from, in all processes; those of this one share theirs unless given. */
  readonly taskPurses?: TaskPurses
  /** What stands around every verification; the usual steps unless given. */
  readonly steps?: Steps
  /** Told of a step that threw. */
  readonly onFault?: (error: unknown) => void
  /** Told when a model has failed so often that nobody asks it for a while. */
  readonly onPause?: OnPause
}
export type BuiltInVerifier = Omit<Verifier, 'verify'> & {
  readonly verify: (attempt: Attempt, sessionId: string, stream: string) => Promise<VerifierAnswer>
  readonly prepare: NonNullable<Verifier['prepare']>
  readonly abort: NonNullable<Verifier['abort']>
}

export function builtInVerifier(ports: VerifierPorts, given: VerifierOptions): BuiltInVerifier {
  checkPipeline(pipeline)
  const options = { taskPurses: taskPurses(), ...given }
  const breakers = breakersOf(ports.clock, options.onPause)
  const running = new Map<string, AbortController>()
  /** What runs under a name is ended by the name. */
  const run = async <T>(name: string, work: (superseded: AbortSignal) => Promise<T>): Promise<T> => {
    const superseded = new AbortController()
    running.set(name, superseded)
    try {
      return await work(superseded.signal)
    } finally {
      if (running.get(name) === superseded) running.delete(name)
    }
  }
  const ready = { ...ports, breakers }
  return {
    available: ports.model !== null,
    prepare: (attempt, session_id, stream) => prepare(ports, options, { attempt, session_id, stream }),
    verify: (attempt, session_id, stream) =>
      run(attempt.id, (superseded) => verify(ready, options, { attempt, session_id, stream }, superseded)),
    judgeGate: async (attempt, gate, session_id, stream) =>
      run(gateKey(attempt.id, gate), (superseded) =>
        judges[gate](ready, options, { attempt, session_id, stream }, superseded),
      ),
    abort: (attemptId) => {
      for (const name of [attemptId, ...gateNames.map((gate) => gateKey(attemptId, gate))]) running.get(name)?.abort()
    },
  }
}

async function prepare({ clock }: VerifierPorts, options: VerifierOptions, session: Session) {
  const { attempt } = session
  const evaluator = await evaluatorOf(options, session)
  refuseSelf(attempt, evaluator)
  const { contract, checks, head_sha } = attempt
  const { hash } = handoff({
    from_agent_id: generatorOf(attempt),
    to_agent_id: evaluator.agent_id,
    from_stage: 'checks',
    to_stage: 'verifier',
    payload: {
      workspace: { task: contract.task_id, sha: head_sha },
      contract_hash: contract.contract_hash,
      iteration: attempt.ordinal - 1,
    },
    artifact_refs: Object.values(checks)
      .map(({ name, id }) => `${name}@${id}`)
      .toSorted(),
    acceptance_probes: identityProbes(criteriaOfContract(contract, false)),
    rubric: contract.policy.verification.verifier.rubric,
    created_at: clock.now(),
  })
  return { tier: tierOf(attempt), handoff_hash: hash } as const
}

async function verify(
  ports: Ready,
  options: VerifierOptions,
  session: Session,
  superseded: AbortSignal,
): Promise<VerifierAnswer> {
  const { clock, breakers } = ports
  const { attempt, session_id, stream } = session
  const evaluator = await evaluatorOf(options, session)
  const { given, asking, events } = await begin(ports, options, session, { evaluator, superseded })
  const cost = costOf(asking)
  const reading = options.reading?.(stream) ?? readInLine
  const result = await closing(given.surroundings, () => examine(given, asking, reading).catch(unmade(options)))
  if (result.kind === 'unavailable') {
    const { reason } = result
    // Whoever comes back to a commit that was left in the middle finds it asked about at once.
    const retry_at = superseded.aborted ? clock.now() : nextTry(events, attempt, reason, clock.now())
    const happened = [...result.happened, ...pausedAmong(attempt, breakers)]
    return {
      type: 'report_unavailable',
      session_id,
      reason,
      retry_at,
      cost: cost(),
      raw: keepable(result.raw),
      happened,
    }
  }
  const { verdict, examined, raw, happened } = recordable(result)
  return { type: 'report_verdict', verdict, examined: { ...examined, cost: cost() }, raw, happened }
}

/** Nobody has judged where a step failed. */
const unmade =
  ({ onFault }: VerifierOptions) =>
  (error: unknown): Result => {
    const fault = classified(error)
    if (fault === null) throw error
    onFault?.(error)
    return { kind: 'unavailable', raw: [], ...fault }
  }

const costOf = (asking: Asking | null) => (): Cost => {
  const calls = [...(asking?.calls ?? [])]
  return { usd: calls.reduce((sum, { usd }) => sum + usd, 0), price_table: priceTable, calls }
}

/** Null where a push has ended it: nobody waits for it any more. */
type GateJudge = (
  ports: Ready,
  options: VerifierOptions,
  session: Session,
  superseded: AbortSignal,
) => Promise<GateAnswer | null>

const attacked: GateJudge = async (ports, options, session, superseded) => {
  const began = Date.parse(ports.clock.now())
  const evaluator = await judgeOf(options, session, redTeamAgent, attackerOf(session.attempt.contract.policy))
  const { given, asking } = await begin(ports, options, session, { evaluator, superseded })
  const reading = options.reading?.(session.stream) ?? readInLine
  const answer = await closing(given.surroundings, () => attack(given, asking, reading))
  if (superseded.aborted) return null
  return { ...answer, elapsed_ms: Math.max(0, Date.parse(ports.clock.now()) - began) }
}

const viewed: GateJudge = async (ports, options, session, superseded) => {
  const { evidence, clock, keyed } = ports
  const { attempt, stream } = session
  const began = Date.parse(clock.now())
  const evaluator = await judgeOf(options, session, viewerAgent, viewerOf(attempt.contract.policy))
  const asker = { attempt, stream, evaluator, superseded }
  const { asking, redact } = await beginAsking(ports, options, asker)
  const declaredModels = evaluator.model_id === measuring ? [] : await evidence.declaredModels(attempt, stream)
  const { pages } = evidence
  const viewer = {
    attempt,
    evaluator,
    declaredModels,
    keyed,
    redact,
    pages: pages === undefined ? null : () => pages(attempt, stream),
  }
  const answer = await view(viewer, asking)
  if (superseded.aborted) return null
  return { ...answer, elapsed_ms: Math.max(0, Date.parse(clock.now()) - began) }
}

const judges = { red_team: attacked, vision: viewed } as const satisfies Record<GateName, GateJudge>

async function judgeOf(
  options: VerifierOptions,
  session: Session,
  agent_id: string,
  model_id: string,
): Promise<Identity> {
  return { ...(await evaluatorOf(options, session)), agent_id, model_id, model_family: familyOf(model_id) }
}

function pausedAmong({ contract }: Attempt, breakers: Breakers): OnTheWay[] {
  const { model, votes_models, fallback_model } = contract.policy.verification.verifier
  const models = new Set([model, ...votes_models, ...(fallback_model === null ? [] : [fallback_model])])
  return [...models].flatMap((one): OnTheWay[] => {
    const until = breakers.pausedUntil(one)
    return until === null ? [] : [{ type: 'ModelPaused', data: { model: one, until } }]
  })
}
