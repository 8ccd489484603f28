// What each stage of a review has come to, as far as it has: passed by whom, sent back by whom and why, or left out. Kept with the
// record, so that whoever reads it later need not work it out.
import { factsOf } from './facts.ts'
import { stagesNow } from './stages.ts'
import type { Attempt, TaskState } from '../model.ts'
import type { StageResult } from '../stage-result.ts'

export function stageResults(task: TaskState, attempt: Attempt): StageResult[] {
  const { contract, files, group } = attempt
  if (contract.policy.review.stages.length === 0 || files === null || group !== null) return []
  const { approvals, rejection } = factsOf(task, attempt)
  const sentBack = rejection !== null && 'stage' in rejection ? rejection : null
  return stagesNow(task, attempt, approvals).flatMap(({ name: stage, state, by }): StageResult[] => {
    if (sentBack !== null && sentBack.stage === stage)
      return [{ stage, verdict: 'FAIL', by: [sentBack.user], reason: sentBack.reason }]
    if (state === 'filled') return [{ stage, verdict: 'PASS', by: by.map((one) => one.by).toSorted(), reason: '' }]
    return state === 'left_out' ? [{ stage, verdict: 'SKIP', by: [], reason: '' }] : []
  })
}
