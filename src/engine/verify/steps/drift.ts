// An answer that speaks of something else than the criteria is remarked upon, and moves no verdict.
import { similarity } from '../../../core/similarity.ts'
import type { Ending, VerifierStep } from './step.ts'

const THRESHOLD = 0.5

export const semanticDrift: VerifierStep = {
  name: 'semantic_drift',
  afterAgent: (ending) => {
    const { subject, result } = ending
    const { policy, acceptance_criteria: criteria } = subject.attempt.contract
    const { enabled, threshold = THRESHOLD } = policy.security.semantic_drift
    if (!enabled) return ending
    const near = Math.round(similarity(saidIn(result), criteria.join('\n')) * 100) / 100
    return near < threshold ? remarked(ending, near, threshold) : ending
  },
}

const saidIn = ({ verdict, examined }: Ending['result']): string =>
  [
    verdict.reasoning,
    verdict.feedback ?? '',
    ...examined.findings.map(({ claim }) => claim),
    ...examined.probes.map(({ why }) => why),
  ].join('\n')

function remarked({ subject, result }: Ending, near: number, threshold: number): Ending {
  const words = `its answer speaks little of the criteria (similarity ${near}, below ${threshold}); that moves no verdict`
  return {
    subject,
    result: {
      ...result,
      examined: { ...result.examined, remarks: [...result.examined.remarks, words] },
      happened: [...result.happened, { type: 'SemanticDriftWarning', data: { similarity: near, threshold } }],
    },
  }
}
