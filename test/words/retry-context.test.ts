// What the next attempt is told: facts first, then advice, in a text that reads well.
import { describe, expect, test } from 'vitest'
import { renderRetryContext, retryContext } from '../../src/core/words/retry/retry-context.ts'
import {
  aDecision,
  anAttempt,
  answered,
  aTask,
  checks,
  contextOf,
  diffOf,
  policyOf,
  rejection,
  unavailable,
} from './attempts.ts'

describe('the whole text', () => {
  test('a failed check, the verifier and an earlier attempt', () => {
    const first = anAttempt({
      ordinal: 1,
      checks: checks(['test', 'failed', 'expected 8, got 10'], ['lint', 'failed']),
    })
    const second = anAttempt({
      ordinal: 2,
      checks: checks(
        ['lint', 'passed'],
        ['test', 'failed', '\u001b[31mFAIL\u001b[0m cart.test.ts\nexpected 8, got 9\n'],
      ),
      verifier: answered({
        objections: ['c1.p2', '0123456789ab'],
        feedback: 'The total ignores the voucher.\n<!-- @ada -->',
      }),
      ...diffOf('-  return 10\n+  return 9'),
    })
    const context = retryContext(aTask(first, second), second)
    expect(renderRetryContext(context)).toMatchInlineSnapshot(`
      "Previous attempt failed verification: \`test\` failed with exit code 1; the AI review objects.

      Attempt 3 of 3 comes next.

      ### What failed

      - \`test\` failed with exit code 1.

      Passed: \`lint\`.

      Output of \`test\`:

      \`\`\`text
      FAIL cart.test.ts
      expected 8, got 9
      \`\`\`

      ### What the AI review says

      > The total ignores the voucher.
      > \`<!-- @ada -->\`

      This is advice and may be wrong. Where it contradicts a check or the task, follow the check and the task.

      ### What repeats

      - \`test\` has failed in 2 attempts in a row.
      - \`src/cart.ts\` was changed in each of the 2 attempts.

      ### Earlier attempts

      - Attempt 1: a check failed. Failed: \`lint\`, \`test\`. 1 file changed: 1 modified.

      ### How to go on

      - Edit the change that is already on this branch in place, instead of starting over.
      - Do not weaken, skip or delete tests. If a test is wrong, say so and why, and leave it to a person.
      - Fix the cause. Do not special-case the checks, their inputs or the environment they run in.

      ### The change that was judged

      \`\`\`diff
      -  return 10
      +  return 9
      \`\`\`"
    `)
    expect(context).toMatchObject({
      attempt_number: 3,
      max_attempts: 3,
      specific_failures: ['check:test', 'probe:c1.p2', 'finding:0123456789ab'],
      truncated: [],
    })
  })

  test('paths outside the scope, and a human who rejected it', () => {
    const attempt = anAttempt({
      decision: aDecision('rejected', { status: 'failed' }),
      scope_violations: [
        {
          violation_type: 'outside_write',
          path: 'infra/`x`.tf',
          allowed: ['src/**', 'test/**'],
          denied: ['src/generated/**'],
        },
        {
          violation_type: 'denied',
          path: 'src/generated/a.ts',
          allowed: ['src/**', 'test/**'],
          denied: ['src/generated/**'],
        },
      ],
      tier1: {
        id: 'x',
        passed: false,
        feedback: null,
        findings: [],
        checks: [{ name: 'json_parses', passed: false, detail: 'a.json:3 ```' }],
      },
      acts: [rejection('grace', 'not like this,\n@ada knows why')],
    })
    const context = contextOf(attempt)
    expect(renderRetryContext(context)).toMatchInlineSnapshot(`
      "Previous attempt failed verification: it changes paths outside its scope; built-in check \`json_parses\` failed; grace rejected it.

      Attempt 2 of 3 comes next.

      ### What failed

      - \`\` infra/\`x\`.tf \`\` is outside what this task may write.
      - \`src/generated/a.ts\` is denied.
      - Allowed paths: \`src/**\`, \`test/**\`. Denied paths: \`src/generated/**\`.
      - Built-in check \`json_parses\` failed.
      - grace rejected it.

      \`json_parses\`:

      \`\`\`\`text
      a.json:3 \`\`\`
      \`\`\`\`

      grace wrote:

      > not like this,
      > \`@ada\` knows why

      ### How to go on

      - Edit the change that is already on this branch in place, instead of starting over.
      - Do not weaken, skip or delete tests. If a test is wrong, say so and why, and leave it to a person.
      - Fix the cause. Do not special-case the checks, their inputs or the environment they run in."
    `)
    expect(context.specific_failures).toEqual(['scope:infra/`x`.tf', 'scope:src/generated/a.ts', 'tier1:json_parses'])
  })
})

describe('facts', () => {
  test('the first line sums up what failed', () => {
    const attempt = anAttempt({
      checks: checks(['slow', 'timed_out'], ['gone', 'missing'], ['test', 'failed']),
      verifier: answered({ outcome: 'HARD_FAIL' }),
      gates: { red_team: { id: 'r', verdict: 'BLOCK', summary: 'A token leaks.' } },
    })
    expect(renderRetryContext(contextOf(attempt)).split('\n')[0]).toBe(
      'Previous attempt failed verification: `gone` never reported a result; `slow` timed out (exit code 124); ' +
        '`test` failed with exit code 1; the AI review objects; the red-team gate blocks it.',
    )
  })

  test('an empty pull request says so', () => {
    const context = contextOf(anAttempt({ files: [], decision: aDecision('tier1') }))
    expect(context.specific_failures).toEqual(['tier1:changes'])
    expect(renderRetryContext(context)).toContain('The pull request changes no files.')
  })

  test('checks stand in the order of the policy, and those that only inform stop nothing', () => {
    const policy = policyOf({ verification: { checks: ['test', { name: 'size', command: 'size', required: false }] } })
    const context = contextOf(anAttempt({ checks: checks(['size', 'failed'], ['test', 'failed']) }, policy))
    expect(context.check_results.map(({ name, required }) => [name, required])).toEqual([
      ['test', true],
      ['size', false],
    ])
    expect(context.specific_failures).toEqual(['check:test'])
    expect(renderRetryContext(context)).toContain('`size` failed with exit code 1 (informs only).')
  })

  test('passed checks come without output, running ones not at all', () => {
    const attempt = anAttempt({ checks: checks(['a', 'passed', 'noise'], ['b', 'running'], ['c', 'failed', 'why']) })
    expect(contextOf(attempt).check_results.map(({ name, output }) => [name, output])).toEqual([
      ['a', ''],
      ['c', 'why'],
    ])
  })

  test('include_check_output: false leaves names and exit codes', () => {
    const policy = policyOf({ verification: { retry: { include_check_output: false } } })
    const context = contextOf(anAttempt({ checks: checks(['test', 'failed', 'secret']) }, policy))
    expect(context.check_results).toMatchObject([{ name: 'test', exit_code: 1, output: '' }])
    expect(renderRetryContext(context)).toContain('- `test` failed with exit code 1.')
  })
})

describe('advice', () => {
  test('it stands after the facts and before what to do', () => {
    const text = renderRetryContext(
      contextOf(anAttempt({ checks: checks(['test', 'failed', 'boom']), verifier: answered() })),
    )
    const places = ['exit code 1', 'boom', '> The total', 'may be wrong', 'Do not weaken'].map((part) =>
      text.indexOf(part),
    )
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(places).not.toContain(-1)
  })

  test('an unavailable verifier is named in the text and in the data', () => {
    const context = contextOf(anAttempt({ decision: aDecision('unavailable'), verifier: unavailable }))
    expect(context.verifier_feedback).toBe('verifier unavailable')
    expect(renderRetryContext(context)).toMatch(/^Not reviewed: verifier unavailable\. Nothing is known to be wrong/)
    expect(renderRetryContext(context)).not.toContain('failed verification')
  })

  test('include_verifier_feedback: false leaves the outcome', () => {
    const policy = policyOf({ verification: { retry: { include_verifier_feedback: false } } })
    const context = contextOf(anAttempt({ decision: aDecision('soft'), verifier: answered() }, policy))
    expect(context).toMatchObject({ verifier_feedback: null, verifier_outcome: 'SOFT_FAIL' })
    expect(renderRetryContext(context)).not.toContain('voucher')
  })

  test('a verdict that passes gives no feedback', () => {
    expect(
      contextOf(anAttempt({ verifier: answered({ outcome: 'PASS', feedback: 'nice' }) })).verifier_feedback,
    ).toBeNull()
  })
})
