// What a decision must not keep quiet about although it does not block.
import { expect, test } from 'vitest'
import type { PolicyInput } from '../../src/core/contract/policy/policy.ts'
import { conclude } from '../../src/core/decision/gate/conclude.ts'
import type { Attempt, TaskState } from '../../src/core/decision/model.ts'
import type { Act } from '../../src/core/people/act.ts'
import type { Review } from '../../src/core/people/people.ts'
import { anAttempt, answered, aTask, checks, policyOf, rejection, unavailable } from '../words/attempts.ts'

const off = { verifier: { enabled: false } } as const
const tested: PolicyInput = { verification: { checks: ['test'], ...off } }
const docs = { name: 'docs', command: 'npm run docs', paths: ['docs/**'] }
const style = { name: 'style', command: 'npm run style', required: false }
const passed = checks(['test', 'passed'])
const pass = answered({ outcome: 'PASS', objections: [] })
const census = { admin: 1, maintain: 1, write: 3, complete: true }
const alone = { admin: 1, maintain: 0, write: 0, complete: true }

function warned(policy: PolicyInput, given: Partial<Attempt>, task: Partial<TaskState> = {}): string[] {
  const tier1 = { id: 't', passed: true, checks: [], findings: [], feedback: null }
  const attempt = anAttempt({ state: 'VERIFYING', decision: null, tier1, census, ...given }, policyOf(policy))
  const { status, row, warnings } = conclude({ ...aTask(attempt), ...task }, attempt)
  const told = warnings.map(({ code, subject, detail }) => [code, subject, detail].filter(Boolean).join(' '))
  return [`${status} ${row}`, ...told]
}
const act = (given: Partial<Act>): Act => ({ ...rejection('ann', 'r'), type: 'ACKNOWLEDGMENT', ...given })
// prettier-ignore
const review = (given: Partial<Review>): Review => ({
  id: 'r', by: 'bob', user_id: null, teams: [], permission: 'write', state: 'approved', pull: 7, base_ref: 'main', merges_into: 'main',
  head_sha: '1'.repeat(40), tree_sha: '', body: '', counts: true, why_not: null, resolves_refer: false, solo: false, seq: 1,
  standing: 'stands', ...given,
})
const confirmed = (by: string, separation: 'solo' | 'triple') => ({ by, user_id: null, notes: '', separation, at: '' })
const verified: PolicyInput = { ...tested, merge_requires: 'verified' }
const verifiedByModel: PolicyInput = { verification: { checks: ['test'] }, merge_requires: 'verified' }

// prettier-ignore
test.each<[string, () => string[], string[]]>([
  ['nothing', () => warned(tested, { checks: passed }), ['success success']],
  ['that no check ran', () => warned({}, { verifier: pass }), ['success success', 'no_checks_ran']],
  ['that no check applied to what changed', () => warned({ verification: { checks: [docs] } }, { verifier: pass }), ['success success', 'no_check_applied']],
  ['that no check was required', () => warned({ verification: { checks: [style] } }, { verifier: pass, checks: checks(['style', 'passed']) }), ['success success', 'no_required_check']],
  ['that a check failed which only informs', () => warned({ verification: { checks: ['test', style], ...off } }, { checks: { ...passed, ...checks(['style', 'failed']) } }), ['success success', 'advisory_failed style failed']],
  ['that it ran out of time', () => warned({ verification: { checks: ['test', style], ...off } }, { checks: { ...passed, ...checks(['style', 'timed_out']) } }), ['success success', 'advisory_failed style timed_out']],
  ['that it was missing', () => warned({ verification: { checks: ['test', style], ...off } }, { checks: { ...passed, ...checks(['style', 'missing']) } }), ['success success', 'advisory_failed style missing']],
  ['not that it still runs', () => warned({ verification: { checks: ['test', style], ...off } }, { checks: { ...passed, ...checks(['style', 'running']) } }), ['success success']],
  ['that it failed, also where a required one did', () => warned({ verification: { checks: ['test', style], ...off } }, { checks: checks(['test', 'failed'], ['style', 'failed']) }), ['retry checks', 'advisory_failed style failed']],
  ['that there is no model to ask', () => warned({ verification: { checks: ['test'] } }, { checks: passed, model_available: false }), ['success success', 'verifier_off']],
  ['not where policy wants none', () => warned(tested, { checks: passed, model_available: false }), ['success success']],
  ['not where policy leaves it at tier 1', () => warned({ verification: { checks: ['test'], verifier: { tier: 1 } } }, { checks: passed, model_available: false }), ['success success']],
  ['that not all votes passed', () => warned({ verification: { checks: ['test'] } }, { checks: passed, verifier: answered({ outcome: 'PASS', votes: { pass: 2, valid: 3 } }) }), ['success success', 'not_unanimous 2 3']],
  ['not that all did', () => warned({ verification: { checks: ['test'] } }, { checks: passed, verifier: answered({ outcome: 'PASS', votes: { pass: 3, valid: 3 } }) }), ['success success']],
  ['nothing of this on what is no success', () => warned({}, { verifier: unavailable }), ['retry unavailable']],
  ['that somebody acted alone', () => warned(tested, { checks: passed, acts: [act({ solo: true })] }), ['success success', 'solo_act ann']],
  ['not that somebody else did', () => warned(tested, { checks: passed, acts: [act({})] }), ['success success']],
  ['that somebody approved alone', () => warned({ ...tested, merge_requires: 'completed' }, { checks: passed }, { reviews: [review({ solo: true })] }), ['success success', 'solo_act bob']],
  ['that somebody confirmed alone', () => warned(verified, { checks: passed, confirmed_by: confirmed('ann', 'solo') }, { reviews: [review({})] }), ['success success', 'solo_verification ann']],
  ['that who approved confirmed too', () => warned(verified, { checks: passed, confirmed_by: confirmed('Bob', 'triple') }, { reviews: [review({})] }), ['success success', 'solo_verification Bob']],
  ['that one of those who approved confirmed too', () => warned(verified, { checks: passed, confirmed_by: confirmed('bob', 'triple') }, { reviews: [review({}), review({ id: 's', by: 'eve' })] }), ['success success', 'solo_verification bob']],
  ['not where three people had a part', () => warned(verified, { checks: passed, confirmed_by: confirmed('ann', 'triple') }, { reviews: [review({})] }), ['success success']],
  ['that the built-in verifier confirmed', () => warned(verifiedByModel, { checks: passed, verifier: pass, census: alone }, { reviews: [review({})] }), ['success success', 'solo_verification the built-in verifier']],
  ['not where no confirmation was asked for', () => warned({ verification: { checks: ['test'] } }, { checks: passed, verifier: pass, census: alone }), ['success success']],
])('it says %s', (_title, said, expected) => {
  expect(said()).toEqual(expected)
})
