// Steps behind an answer that a policy may add, by name, in the order in which it names them; a task's own list takes the place of
// the policy's. They remark and move no verdict.
import type { OnTheWay } from '../../core/decision/record/events.ts'
import type { Attempt } from '../../core/decision/model.ts'
import type { Verdict } from '../../core/decision/verdict.ts'
import type { Policy } from '../../core/contract/policy.ts'
import { similarity } from '../../verifier/weighing/drift.ts'
import type { Examination } from './conclusion.ts'

type Answered = {
  readonly attempt: Attempt
  readonly verdict: Verdict
  readonly examined: Pick<Examination, 'findings' | 'probes'>
}
type Remarked = { readonly remarks: readonly string[]; readonly happened: readonly OnTheWay[] }
type StepName = Policy['middleware']['verifier'][number]

const steps: Readonly<Record<StepName, (answered: Answered) => Remarked>> = { semantic_drift: semanticDrift }

export function afterAnswer(answered: Answered): Remarked {
  const { middleware_override, policy } = answered.attempt.contract
  const named = middleware_override ?? policy.middleware.verifier
  const told = named.flatMap((name) => (isStep(name) ? [steps[name](answered)] : []))
  return { remarks: told.flatMap(({ remarks }) => remarks), happened: told.flatMap(({ happened }) => happened) }
}

const isStep = (name: string): name is StepName => Object.hasOwn(steps, name)
const nothing: Remarked = { remarks: [], happened: [] }

const THRESHOLD = 0.5

function semanticDrift({ attempt, verdict, examined }: Answered): Remarked {
  const { enabled, threshold = THRESHOLD } = attempt.contract.policy.security.semantic_drift
  if (!enabled) return nothing
  const said = [
    verdict.reasoning,
    verdict.feedback ?? '',
    ...examined.findings.map(({ claim }) => claim),
    ...examined.probes.map(({ why }) => why),
  ].join('\n')
  const near = Math.round(similarity(said, attempt.contract.acceptance_criteria.join('\n')) * 100) / 100
  if (near >= threshold) return nothing
  const words = `its answer speaks little of the criteria (similarity ${near}, below ${threshold}); that moves no verdict`
  return {
    remarks: [words],
    happened: [{ type: 'SemanticDriftWarning', data: { similarity: near, threshold } }],
  }
}
