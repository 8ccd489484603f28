// The change as it is kept for the next attempt: bounded, without secrets, and nothing left out without a word.
import { expect, test } from 'vitest'
import type { ChangedFile } from '../../src/core/decision/model.ts'
import { judgedDiff } from '../../src/core/words/retry/judged-diff.ts'
import { redacting } from '../../src/core/words/text/redact.ts'
import { contextTruncation, retryContext } from '../../src/core/words/retry/retry-context.ts'
import { anAttempt, aTask, lines } from './attempts.ts'

const redact = redacting(['the secret of somebody'])
const file = (path: string, given: Partial<ChangedFile> = {}): ChangedFile => ({
  path,
  previous_path: null,
  status: 'modified',
  ...given,
})
const diffOf = (files: readonly ChangedFile[], patches: Readonly<Record<string, string>>) =>
  judgedDiff(files, new Map(Object.entries(patches)), redact)
const added = (text: string): string => text.replaceAll(/^/gm, '+')

test('files as a unified diff has them, and those without lines by their names', () => {
  const files = [
    file('a.ts'),
    file('logo.png'),
    file('new.ts', { previous_path: 'old.ts', status: 'renamed' }),
    file('gone.ts', { status: 'removed' }),
    file('here.ts', { status: 'added' }),
    file('x\n+++ b/y'),
  ]
  const hunk = '@@ -1 +1 @@\n-a\r\n+b\r\n'
  expect(diffOf(files, { 'a.ts': hunk, 'new.ts': '', 'gone.ts': '@@ -1 +0,0 @@\n-a', 'here.ts': '' })).toEqual({
    text: [
      'Not shown: logo.png, "x\\n+++ b/y"',
      '--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-a\n+b',
      '--- a/old.ts\n+++ b/new.ts',
      '--- a/gone.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-a',
      '--- /dev/null\n+++ b/here.ts',
    ].join('\n'),
    omitted_lines: 0,
  })
  expect(diffOf([], {})).toEqual({ text: '', omitted_lines: 0 })
})

test('a change of any size leaves a bounded text, and the next attempt is told how many lines are not in it', () => {
  const files = Array.from({ length: 300 }, (_, at) => file(`f${at}.ts`))
  const patches = Object.fromEntries(files.map(({ path }) => [path, added(lines(400))]))
  const diff = diffOf([...files, ...Array.from({ length: 3000 }, (_, at) => file(`${'p'.repeat(300)}${at}`))], patches)
  expect(diff.text.length).toBeLessThanOrEqual(12_000)
  expect(diff.text).toContain('[... 2990 more]')
  const shown = diff.text.split('\n').length
  expect(diff.omitted_lines).toBe(1 + 300 * 402 - shown)
  const attempt = anAttempt({ diff })
  const context = retryContext(aTask(attempt), attempt)
  expect(context.prior_diff).toMatch(/\n\[\.\.\. \d+ lines omitted\]$/)
  const left = /(\d+) lines omitted/.exec(context.prior_diff)?.[1]
  expect(context.prior_diff.split('\n').length - 1 + Number(left)).toBe(1 + 300 * 402)
  expect(context.truncated).toEqual(['prior_diff'])
  expect(contextTruncation(aTask(attempt), attempt)?.sections).toEqual(['prior_diff'])
})

test('no secret is kept in part, wherever the text was cut', () => {
  const token = `ghp_${'a1B2'.repeat(9)}`
  const key = `-----BEGIN PRIVATE KEY-----\n${'QUJD'.repeat(3_000)}\n-----END PRIVATE KEY-----`
  for (let before = 10_500; before < 13_000; before += 61) {
    for (const secret of [token, 'the secret of somebody']) {
      // What is blacked out before it moves it further to the front.
      for (const front of ['', `${key}\n`]) {
        const text = `${front}${'x\n'.repeat(before / 2)}${secret}\n`.repeat(3)
        const { text: kept } = diffOf([file('a')], { a: added(text) })
        expect(kept).not.toMatch(/ghp_a|the secret|QUJD/)
      }
    }
  }
})
