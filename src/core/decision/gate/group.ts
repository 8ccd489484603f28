// A merge group is judged itself: its required checks on its own commit, and every pull request in it a success at an
// unchanged head. What their overrides name is covered here too. A group consumes no attempt.
import { hasFailed, isRunning, notedFaults, rulesThatApply } from './facts.ts'
import type { Attempt, Group } from '../model.ts'
import type { Decision, Reason } from '../decision.ts'

export function concludeGroup(attempt: Attempt, group: Group): Decision {
  const decision = (rest: Pick<Decision, 'status' | 'by' | 'row'>, reasons: readonly Reason[]): Decision => ({
    ...rest,
    reasons,
    warnings: [],
    who_can_unblock: [],
    evidence: Object.values(attempt.checks).map(({ name, id }) => `check:${name}@${id}`),
  })
  const invalid = [...attempt.invalid, ...notedFaults(attempt)]
  if (invalid.length > 0) return decision({ status: 'refer', by: 'policy', row: 'invalid' }, invalid)
  if (group.lacking === null) {
    return decision({ status: 'pending', by: null, row: 'pending' }, [
      { code: 'awaiting_member', subject: String(group.pull), detail: null },
    ])
  }
  if (group.lacking.length > 0) {
    const lacking = group.lacking.map((pull): Reason => ({
      code: 'member_not_green',
      subject: String(pull),
      detail: null,
    }))
    return decision({ status: 'refer', by: 'review', row: 'review' }, lacking)
  }
  const required = rulesThatApply(attempt).filter(
    ({ required, name }) =>
      required && attempt.checks[name]?.state !== 'left_out' && !group.covers.includes(`check:${name}`),
  )
  const running = required.filter(({ name }) => isRunning(attempt.checks[name] ?? null))
  const failed = required.filter(({ name }) => hasFailed(attempt.checks[name] ?? null))
  const about = (code: Reason['code'], rules: typeof required): Reason[] =>
    rules.map(({ name }) => ({ code, subject: name, detail: null }))
  if (running.length > 0) {
    return attempt.waited
      ? decision({ status: 'refer', by: 'checks', row: 'pending' }, about('VERIFICATION_CHECK_MISSING', running))
      : decision({ status: 'pending', by: null, row: 'pending' }, about('awaiting_check', running))
  }
  if (failed.length > 0) {
    return decision({ status: 'retry', by: 'checks', row: 'checks' }, about('VERIFICATION_CHECK_FAILED', failed))
  }
  return decision({ status: 'success', by: 'checks', row: 'success' }, [])
}
