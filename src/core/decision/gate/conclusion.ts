// How a decision looks to branch protection. Never neutral or skipped: GitHub counts both as a pass.
// https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/collaborating-on-repositories-with-code-quality-features/about-status-checks
import type { Decision } from '../decision.ts'

export type Conclusion = 'success' | 'failure' | 'action_required' | 'pending'

export function conclusionOf({ status }: Pick<Decision, 'status'>): Conclusion {
  const conclusions = {
    pending: 'pending',
    success: 'success',
    retry: 'failure',
    failed: 'failure',
    refer: 'action_required',
  } as const satisfies Record<Decision['status'], Conclusion>
  return conclusions[status]
}
