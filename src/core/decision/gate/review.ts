// Which approvals a merge needs, and which of them are there.
import { changesRequestedBefore, type Facts } from './facts.ts'
import { hasSentBack, stageInTurn, stagesNow, type StageNow } from './stages.ts'
import { mayReview } from '../../people/separation.ts'
import { spoken } from '../../people/stage-people.ts'
import type { Reason } from '../decision.ts'

const NAMES_MAX = 12

/** What the reviewers still owe; empty when nothing does. The stage whose turn it is is the one named. */
export function approvalsMissing(facts: Facts): Reason[] {
  const { task, attempt, approvals } = facts
  const stage = stageInTurn(stagesNow(task, attempt, approvals))
  const standing = changesRequestedBefore(task, attempt).map(({ by, head_sha }): Reason => ({
    code: 'changes_requested',
    subject: by,
    detail: head_sha,
  }))
  // Where one of its people asked for changes, the stage is named before them; any other waits until they are done.
  if (stage !== null && (standing.length === 0 || hasSentBack(task, attempt, stage.name)))
    return [stageReason(stage), ...standing]
  if (standing.length > 0) return standing
  const isReviewed = approvals.some(({ by: login, teams }) => mayReview(facts.policy, { login, teams }))
  if (!approvalNeeded(facts) || isReviewed) return []
  return [{ code: 'approval_missing', subject: null, detail: null }]
}

export function approvalNeeded({ policy, required }: Facts): boolean {
  if (policy.merge_requires !== 'success') return true
  return policy.verification.no_checks === 'require_human' && required.length === 0
}

function stageReason({ name: subject, state, trouble, missing }: StageNow): Reason {
  if (state === 'unread') return { code: 'awaiting_stages', subject, detail: null }
  if (trouble !== null) return { code: trouble.code, subject, detail: trouble.detail }
  const names = missing.map((group) => group.slice(0, NAMES_MAX).map(spoken).join(', '))
  return { code: 'stage_missing', subject, detail: names.slice(0, NAMES_MAX).join(' and ') || null }
}
