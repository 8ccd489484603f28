// Bodies fit where GitHub counts bytes: they are cut between characters, keep what must be read, close what they opened
// and say what is missing.
import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { describe, expect, test } from 'vitest'
import { conclude } from '../../src/core/decision/gate/conclude.ts'
import { BODY_BYTES_MAX, bytesOf, cutAtLine, fitted, upToBytes } from '../../src/core/words/text/fit.ts'
import { checkRunText, stickyText } from '../../src/core/words/report.ts'
import { anAttempt, answered, aTask, checks, policyOf } from './attempts.ts'

test.each([
  ['ascii', 'abcdef', 4, 'abcd'],
  ['two bytes', 'äöü', 3, 'ä'],
  ['three bytes', '漢字', 5, '漢'],
  ['a pair', 'a👍b', 4, 'a'],
  ['enough room', '漢字', 6, '漢字'],
  ['none', 'abc', 0, ''],
])('%s is cut between characters', (_, text, max, cut) => {
  expect(upToBytes(text, max)).toBe(cut)
})

test('no cut is longer than it may be, or ends within a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(60), (text, max) => {
      const cut = upToBytes(text, max)
      expect(bytesOf(cut)).toBeLessThanOrEqual(max)
      expect(text.startsWith(cut)).toBe(true)
    }),
  )
})

describe('a cut part', () => {
  test('ends with a line, and closes its fence and its fold', () => {
    const text = `<details><summary>x</summary>\n\n\`\`\`\`text\n${'ä line\n'.repeat(400)}\`\`\`\`\n\n</details>`
    const cut = cutAtLine(text, 1_000)
    expect(bytesOf(cut)).toBeLessThanOrEqual(1_000)
    expect(cut.split('\n').slice(-4)).toEqual(['ä line', '````', '', '</details>'])
    const kinds = fromMarkdown(`${cut}\n\nafter`).children.map(({ type }) => type)
    expect(kinds).toEqual(['html', 'code', 'html', 'paragraph'])
  })

  test('what follows a cut stands outside of it', () => {
    const long = `\`\`\`text\n${'漢字\n'.repeat(40_000)}\`\`\``
    const body = fitted([
      { name: null, text: 'first' },
      { name: 'the output', text: long },
      { name: null, text: '### What to do next\n- ada' },
    ])
    expect(bytesOf(body)).toBeLessThanOrEqual(BODY_BYTES_MAX)
    expect(body.startsWith('first\n\n```text\n漢字')).toBe(true)
    expect(body.endsWith('_Cut for want of space: the output._\n\n### What to do next\n- ada')).toBe(true)
    expect(fromMarkdown(body).children.at(-2)?.type).toBe('heading')
  })

  test('nothing is said where nothing is missing', () => {
    expect(
      fitted([
        { name: 'a', text: 'one' },
        { name: 'b', text: '' },
        { name: null, text: 'two' },
      ]),
    ).toBe('one\n\ntwo')
  })
})

test('a summary of thousands of paths keeps who can change it, within the bytes that GitHub takes', () => {
  const many = Array.from({ length: 3_000 }, (_, index) => ({
    path: `漢字/${'長'.repeat(200)}${index}`,
    violation_type: 'denied' as const,
    allowed: [],
    denied: [],
  }))
  const policy = policyOf({
    verification: {
      checks: Array.from({ length: 150 }, (_, index) => ({ name: `検査${'験'.repeat(60)}${index}`, command: 'x' })),
    },
  })
  const output = '失敗\n'.repeat(20_000)
  const attempt = anAttempt(
    {
      state: 'VERIFYING',
      decision: null,
      scope_violations: many,
      remarks: Array.from({ length: 300 }, () => '警'.repeat(400)),
      checks: checks(['x', 'failed', output]),
      verifier: answered({ feedback: '漢'.repeat(9_000) }),
    },
    policy,
  )
  const decision = conclude(aTask(attempt), attempt)
  const { summary } = checkRunText(aTask(attempt), attempt, decision)
  const sticky = stickyText(aTask(attempt), attempt, decision)
  expect(bytesOf(summary)).toBeLessThanOrEqual(65_535)
  expect(bytesOf(sticky)).toBeLessThanOrEqual(65_535)
  expect(summary).toContain('_Cut for want of space: ')
  expect(summary.split('| Stage |')[0]).toContain('### What to do next\n- The builder: push a change within the scope')
})
