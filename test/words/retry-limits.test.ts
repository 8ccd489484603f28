// How the retry context is cut to size, and that the text of others stays where it was put.
import * as fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { describe, expect, test } from 'vitest'
import { canonical, digest } from '../../src/core/canonical.ts'
import {
  CONTEXT_TOKENS_MAX,
  contextSizes,
  contextTokens,
  contextTruncation,
  renderRetryContext,
  retryContext,
} from '../../src/core/words/retry/retry-context.ts'
import { anAttempt, answered, aTask, checks, contextOf, diffOf, lines, rejection } from './attempts.ts'

describe('limits', () => {
  test('output keeps its end, 50 lines of it', () => {
    const context = contextOf(anAttempt({ checks: checks(['test', 'failed', lines(80)]) }))
    const output = context.check_results[0]?.output.split('\n') ?? []
    expect([output[0], output[1], output.at(-1)]).toEqual(['[... 30 lines omitted]', 'line 31', 'line 80'])
    expect(context.truncated).toEqual(['check_results'])
    expect(contextOf(anAttempt({ checks: checks(['test', 'failed', lines(50)]) })).truncated).toEqual([])
  })

  test('a diff keeps its first 500 lines', () => {
    const diff = contextOf(anAttempt(diffOf(lines(501)))).prior_diff.split('\n')
    expect(diff.slice(-2)).toEqual(['line 500', '[... 1 lines omitted]'])
  })

  test('feedback keeps its first 2,000 characters', () => {
    const context = contextOf(anAttempt({ verifier: answered({ feedback: 'x'.repeat(2001) }) }))
    expect(context.verifier_feedback).toBe(`${'x'.repeat(2000)} [... 1 characters omitted]`)
    expect(context.truncated).toEqual(['verifier_feedback'])
  })

  test('the oldest attempt goes first, then the diff, then the output', () => {
    const wordy = (ordinal: number) =>
      anAttempt({ ordinal, checks: checks(['test', 'failed', `${'y'.repeat(300)}\n`.repeat(50)]) })
    const task = aTask(wordy(1), wordy(2), wordy(3))
    const some = retryContext(task, anAttempt({ ordinal: 4, ...diffOf(`${'z'.repeat(99)}\n`.repeat(60).trimEnd()) }))
    expect(some.prior_attempts.map(({ attempt_number }) => attempt_number)).toEqual([2, 3])
    expect(some.truncated).toEqual(['prior_attempts'])
    const diff = diffOf('z\n'.repeat(900).trimEnd())
    const less = retryContext(task, { ...wordy(4), ...diff })
    expect(less.prior_attempts).toEqual([])
    expect(less.truncated).toEqual(['prior_diff', 'prior_attempts'])
    const twice = { ...wordy(4).checks, ...checks(['lint', 'failed', lines(50)]) }
    const none = retryContext(task, anAttempt({ ordinal: 4, checks: twice, ...diff }))
    expect(none.prior_diff).toBe('[... 900 lines omitted]')
    expect(none.check_results.map(({ output }) => output.split('\n')[0])).toEqual([
      '[... 25 lines omitted]',
      '[... 25 lines omitted]',
    ])
    expect(none.truncated).toEqual(['check_results', 'prior_diff', 'prior_attempts'])
    expect(contextTokens(none)).toBeLessThanOrEqual(CONTEXT_TOKENS_MAX)
  })

  test('every failed check keeps its name and exit code', () => {
    const names = Array.from({ length: 60 }, (_, index) => `check-${index}`)
    const all = checks(...names.map((name) => [name, 'failed', lines(60)] as const))
    const context = contextOf(anAttempt({ checks: all }))
    const text = renderRetryContext(context)
    for (const name of names) expect(text).toContain(`\`${name}\` failed with exit code 1.`)
    expect(text).toContain('Shortened for want of space: check_results')
  })

  test('hostile lengths stay within the budget', () => {
    const path = (index: number) => `${'p'.repeat(900)}${index}`
    const denied = Array.from({ length: 500 }, () => 'd'.repeat(500))
    const attempt = anAttempt({
      files: Array.from({ length: 3000 }, (_, index) => ({
        path: path(index),
        previous_path: null,
        status: 'added' as const,
      })),
      scope_violations: Array.from({ length: 3000 }, (_, index) => ({
        violation_type: 'denied' as const,
        path: path(index),
        allowed: ['a'.repeat(500)],
        denied,
      })),
      acts: Array.from({ length: 20 }, (_, index) => rejection(`human${index}`, 'r'.repeat(2000))),
      verifier: answered({
        feedback: 'f'.repeat(20_000),
        objections: Array.from({ length: 400 }, (_, index) => `c1.p${index}`),
      }),
      checks: checks(['test', 'failed', 'o'.repeat(65_536)]),
    })
    const context = contextOf({ ...attempt, ...diffOf('z'.repeat(500_000)) })
    expect(contextTokens(context)).toBeLessThanOrEqual(CONTEXT_TOKENS_MAX)
    expect(context.specific_failures[0]).toBe('check:test')
  })

  test('what is recorded about a cut', () => {
    const attempt = anAttempt({ checks: checks(['test', 'failed', lines(5000)]) })
    const cut = contextTruncation(aTask(attempt), attempt)
    expect(cut).toMatchObject({ budget: 4000, sections: ['check_results'] })
    expect(cut?.original).toBeGreaterThan(4000)
    expect(cut?.truncated).toBeLessThan(1000)
    expect(contextTruncation(aTask(anAttempt()), anAttempt())).toBeNull()
  })

  test('what is recorded about the context', () => {
    const context = contextOf(anAttempt({ checks: checks(['test', 'failed']), verifier: answered({ feedback: 'ü' }) }))
    const json = canonical(context)
    expect(contextSizes(context)).toEqual({
      bytes: json.length + 1,
      sources: ['checks', 'verifier'],
      hash: digest(context),
    })
  })
})

describe('text of others', () => {
  const nasty = fc
    .array(
      fc.constantFrom(
        '```',
        '````',
        '~~~',
        '</details>',
        '<!--',
        '@ada',
        '# x',
        '\n',
        '\r',
        '- ',
        '> ',
        'a',
        '\u202e',
        '`',
      ),
      { maxLength: 20 },
    )
    .map((parts) => parts.join(''))

  test('stays in its fence or quote, and the same record gives the same bytes', () => {
    fc.assert(
      fc.property(nasty, nasty, nasty, (output, feedback, reason) => {
        const attempt = anAttempt({
          checks: checks(['test', 'failed', output], ['lint', 'failed']),
          verifier: answered({ feedback }),
          acts: [rejection('grace', reason)],
        })
        const reordered = { ...attempt, checks: Object.fromEntries(Object.entries(attempt.checks).toReversed()) }
        const text = renderRetryContext(contextOf(attempt))
        expect(renderRetryContext(contextOf(reordered))).toBe(text)
        expect(contextSizes(contextOf(reordered))).toEqual(contextSizes(contextOf(attempt)))
        const blocks = fromMarkdown(text).children
        expect(blocks.filter(({ type }) => type === 'html')).toEqual([])
        const headings = blocks.filter(({ type }) => type === 'heading').length
        expect(headings).toBe(feedback.trim() === '' ? 2 : 3)
        expect(text).not.toMatch(/[\u202e\r]/)
        const prose = blocks.filter(({ type }) => type !== 'code')
        const sources = prose.map(({ position }) => text.slice(position?.start.offset, position?.end.offset))
        // Within a code span a name calls nobody.
        expect(sources.join('\n').replaceAll(/`[^`\n]*`/g, ' ')).not.toMatch(/@a|<!--/)
      }),
    )
  })
})
