// What is said of the attempt to come is true in every state; so is what is said of the present one.
import { describe, expect, test } from 'vitest'
import { conclude } from '../../src/core/decision/gate/conclude.ts'
import type { Attempt, TaskState } from '../../src/core/decision/model.ts'
import { attemptLine, headline, titleOf } from '../../src/core/words/headline.ts'
import { labelsOf } from '../../src/core/words/labels.ts'
import { notesOf } from '../../src/core/words/notes.ts'
import { checkRunText, stickyText } from '../../src/core/words/report.ts'
import { renderRetryContext, retryContext } from '../../src/core/words/retry/retry-context.ts'
import { aDecision, anAttempt, answered, aTask, checks, policyOf, unavailable } from './attempts.ts'
import { actsIn } from './rendered.ts'

const failing = checks(['test', 'failed', 'AssertionError: no'])
const passed = checks(['test', 'passed'])
const passedTier1: Attempt['tier1'] = { id: 't', passed: true, checks: [], findings: [], feedback: null }
const policy = (max_attempts = 3, more = {}) =>
  policyOf({ verification: { checks: ['test'], retry: { max_attempts, stop_on_no_progress: 0 } }, ...more })

function judged(given: Partial<Attempt>, max = 3, task: Partial<TaskState> = {}, more = {}) {
  const attempt = anAttempt(
    {
      state: 'VERIFYING',
      decision: null,
      tier1: passedTier1,
      verifier: answered({ outcome: 'PASS', feedback: null }),
      ...given,
    },
    policy(max, more),
  )
  const whole = { ...aTask(...(task.attempts ?? []), attempt), ...task, attempts: [...(task.attempts ?? []), attempt] }
  const decision = conclude(whole, attempt)
  const concluded = { ...attempt, decision }
  return { task: whole, attempt: concluded, decision, text: renderRetryContext(retryContext(whole, concluded)) }
}
const earlier = judged({ ordinal: 1, checks: failing }).attempt

// prettier-ignore
test.each<[string, ReturnType<typeof judged>, string, string]>([
  ['a failed check', judged({ checks: failing }), 'Attempt 2 of 3 comes next.', 'Attempt 1 of 3.'],
  ['the second', judged({ ordinal: 2, checks: failing }, 3, { attempts: [earlier] }), 'Attempt 3 of 3 comes next.', 'Attempt 2 of 3.'],
  ['the last', judged({ ordinal: 2, checks: failing }, 2, { attempts: [earlier] }), 'No attempt comes next: a person must grant new ones with `/retry`.', 'Attempt 2 of 2.'],
  ['the only one', judged({ checks: failing }, 1), 'No attempt comes next', 'Attempt 1 of 1.'],
  ['the only one, after new ones were granted', judged({ checks: failing }, 1, { counted_after: 1 }), 'Attempt 1 of 1 comes next.', 'New attempts were granted after this one; it is not counted.'],
  ['one after the task had failed', judged({ ordinal: 2, checks: passed }, 1, { attempts: [earlier] }), 'No attempt comes next', 'The task had failed before this commit.'],
  ['a verifier that stops the task', judged({ checks: passed, verifier: answered({ outcome: 'HARD_FAIL' }) }), 'No attempt comes next', 'Attempt 1 of 3.'],
  ['a referral', judged({ checks: passed, verifier: answered({ outcome: 'REFER', reason_code: 'cannot_tell' }) }), 'This attempt is not over.', 'Attempt 1 of 3.'],
  ['one that waits', judged({ checks: {} }), 'This attempt is not over.', 'Attempt 1 of 3.'],
  ['a success', judged({ checks: passed }), 'This attempt is not over.', 'Attempt 1 of 3.'],
  ['an outage', judged({ checks: passed, verifier: unavailable }), 'Attempt 1 of 3 comes next.', 'Attempt 1 of 3.'],
  ['a bot without a limit', judged({ checks: failing, limited: false }), 'Attempts are not limited here.', 'Attempt 1.'],
  ['a superseded one', judged({ checks: failing, live: false, state: 'SUPERSEDED' }), 'This commit is no longer judged.', 'Attempt 1 of 3.'],
])('%s', (_, { task, attempt, decision, text }, next, present) => {
  expect(text).toContain(next)
  if (!next.endsWith('comes next.')) expect(text).not.toMatch(/Attempt \d+ of \d+ comes next/)
  expect(attemptLine(task, attempt, decision)).toBe(present)
})

describe('a headline says what decided', () => {
  const reviewed = (given = {}) => ({
    id: 'r',
    by: 'bob',
    teams: [],
    permission: 'maintain' as const,
    state: 'approved' as const,
    user_id: null,
    pull: 7,
    base_ref: 'main',
    merges_into: 'main',
    seq: 1,
    standing: 'stands' as const,
    head_sha: '1'.repeat(40),
    tree_sha: '',
    body: '',
    counts: true,
    why_not: null,
    resolves_refer: true,
    solo: false,
    ...given,
  })
  const line = ({ attempt, decision }: ReturnType<typeof judged>) => headline(attempt, decision)

  // prettier-ignore
  test.each<[string, ReturnType<typeof judged>, string]>([
    ['a required check that passed', judged({ checks: passed }), 'Passed: every required check passed and nothing objects'],
    ['no checks', judged({}, 3, {}, { verification: {} }), 'Passed: no checks ran and nothing objects'],
    ['none that applied', judged({}, 3, {}, { verification: { checks: [{ name: 'test', command: 'x', paths: ['docs/**'] }] } }), 'Passed: no check applied to the paths that changed and nothing objects'],
    ['none that was required', judged({ checks: passed }, 3, {}, { verification: { checks: [{ name: 'test', command: 'x', required: false }] } }), 'Passed: no required check applied and nothing objects'],
    ['a referral that somebody lifted', judged({ checks: passed, verifier: answered({ outcome: 'REFER', reason_code: 'cannot_tell' }) }, 3, { reviews: [reviewed()] }), 'Passed: bob looked at what the AI review had left to people, and approved it'],
    ['an outage', judged({ checks: passed, verifier: unavailable }), 'Not reviewed: the AI review could not be made (it took too long)'],
  ])('%s', (_, given, said) => {
    expect(line(given)).toBe(said)
  })

  test('an outage is no judgement anywhere', () => {
    const { task, attempt, decision } = judged({ checks: passed, verifier: unavailable })
    const sticky = stickyText(task, attempt, decision)
    expect(sticky).not.toMatch(/failed verification|Try again|🔁|push a fix/)
    expect(labelsOf(task, attempt, decision)).toEqual(['countersign:pending'])
  })

  test('shadow mode never looks enforced', () => {
    const { task, attempt, decision } = judged({ checks: failing }, 1, {}, { mode: 'shadow' })
    expect(titleOf(attempt, decision)).toBe(
      'Shadow mode, this would be: Stopped: required check `test` failed with exit code 1',
    )
    const { conclusion, summary } = checkRunText(task, attempt, decision)
    expect(conclusion).toBe('neutral')
    expect(summary).toContain('**Shadow mode, this would be: Stopped')
    expect(summary).toContain('### What would come next, were it enforced')
    expect(stickyText(task, attempt, decision)).toMatch(
      /### ❌ Shadow mode, this would be: [^]*\*\*What would come next, were it enforced\*\*/,
    )
    expect(labelsOf(task, attempt, decision)).toEqual([])
    expect(notesOf(task, attempt, decision)).toEqual([])
  })

  test('a title that is cut never ends within a piece of code', () => {
    const name = 'x'.repeat(95)
    const { attempt, decision } = judged(
      { checks: checks([name, 'failed']) },
      3,
      {},
      { verification: { checks: [{ name: `${name} y`, command: 'x' }], verifier: { enabled: false } } },
    )
    expect(titleOf(attempt, decision).match(/`/g)?.length ?? 0).toBe(0)
  })

  test('a title that is cut names nothing that the whole one does not name, and fits where GitHub counts bytes', () => {
    for (const detail of ['0123456789abcdef'.repeat(12), `${'語'.repeat(75)} @ada`]) {
      const decision = aDecision('rejected', { reasons: [{ code: 'rejected_by', subject: 'eve', detail }] })
      const title = titleOf(anAttempt(), decision)
      expect(actsIn(title)).toEqual([])
      expect(Buffer.byteLength(title)).toBeLessThanOrEqual(255)
    }
  })
})

test('include_verifier_feedback: false keeps what the verifier says off the page', () => {
  const secretWords = 'the voucher is ignored'
  for (const outcome of ['SOFT_FAIL', 'HARD_FAIL', 'REFER'] as const) {
    for (const results of [passed, failing]) {
      const { task, attempt, decision } = judged(
        { checks: results, verifier: answered({ outcome, feedback: secretWords, reasoning: secretWords }) },
        3,
        {},
        { verification: { checks: ['test'], retry: { include_verifier_feedback: false } } },
      )
      const page = [
        checkRunText(task, attempt, decision),
        stickyText(task, attempt, decision),
        notesOf(task, attempt, decision),
        decision.reasons,
      ]
      expect(JSON.stringify(page)).not.toContain(secretWords)
      expect(JSON.stringify(page)).toContain('verifier')
    }
  }
})
