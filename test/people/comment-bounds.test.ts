// How much of a comment is read, and what is said of the rest.
import { describe, expect, test } from 'vitest'
import { readCommands } from '../../src/core/people/read-commands.ts'
import { LINES_MAX } from '../../src/core/people/spoken-lines.ts'
import { costMs } from '../aside/computed.ts'
import { heard, override } from './as-heard.ts'

describe('bounds', () => {
  test('at most 65,536 characters are read', () => {
    const filler = 'a'.repeat(65_530)
    expect(heard(`/status\n\n${filler}${filler}`)).toEqual(['/status'])
    expect(heard(`/\n${filler}\n\n/override x\n\ntext`)).toEqual([])
    const cutComment = `text\n\ntext <!--\n/override x\n${filler}-->`
    expect(heard(cutComment)).toEqual([])
    expect(heard(`${'['.repeat(2000)}\n\n${filler}\n\n/override x`)).toEqual([])
    expect(readCommands(`override ${' '.repeat(70_000)}x`, 'cli')).toMatchObject([{ command: override() }])
  })

  test('of a long line its beginning is repeated, and of a long word', () => {
    const [read] = readCommands(`/countersign ${'w'.repeat(80)} ${'x'.repeat(600)}`, 'comment')
    expect(read).toMatchObject({ kind: 'unknown', word: 'w'.repeat(50) })
    expect(read?.text).toHaveLength(500)
  })

  test.each([
    ['quotes', '>'.repeat(100_000)],
    ['lists', '- '.repeat(50_000)],
    ['lists in quotes', '> - '.repeat(25_000)],
    ['nested lists on many lines', '- - - a\n'.repeat(12_000)],
    ['emphasis', '*a_ '.repeat(25_000)],
    ['brackets', '['.repeat(50_000) + ']'.repeat(50_000)],
    ['HTML openers', 'a<?'.repeat(33_000)],
    ['one-line quotes', '>a\n\n'.repeat(25_000)],
  ])('100,000 characters of %s take no time', async (_what, hostile) => {
    expect(await costMs(() => readCommands(`/override x\n\n${hostile}`, 'comment'))).toBeLessThan(400)
  })

  test('what would take too long to read is said to be unread where it names a command', () => {
    const costly = '['.repeat(2000)
    expect(heard(`${costly}\n\n  /Override it is fine`)).toEqual(['unreadable /Override'])
    expect(heard(`${costly}\n\n/countersign status`)).toEqual(['unreadable /countersign'])
    expect(heard(`${costly}\n\n/usr/bin/node\n/override-it\n/status/x\n> /override x`)).toEqual([])
  })

  const log = (lines: number): string => `\`\`\`\n${'a line\n'.repeat(lines)}\`\`\``
  test('what stands behind the last line that is read is said to be unread, and what stands before it is read', () => {
    expect(heard(`${log(LINES_MAX)}\n\n/reject it fails`)).toEqual(['unreadable /reject'])
    expect(heard(`/override it is fine\n\n${log(LINES_MAX)}\n\n/reject it fails`)).toEqual([
      '/override it is fine',
      'unreadable /reject',
    ])
    expect(heard(`${log(LINES_MAX - 10)}\n\n/reject it fails`)).toEqual(['/reject it fails'])
    expect(heard(`/status\n\n${log(LINES_MAX)}\n\n/usr/bin/node\n`)).toEqual(['/status'])
  })

  test('so is what comes after the tenth command', () => {
    const ten = Array.from({ length: 10 }, () => '/status')
    expect(heard([...ten, '/reject it fails', '/status'].join('\n\n'))).toEqual([...ten, 'unreadable /reject'])
    expect(heard([...ten, '/usr/bin/node', 'and so on'].join('\n\n'))).toEqual(ten)
    expect(heard(`${ten.join('\n\n')}\n\n/status\n\n${log(LINES_MAX)}\n\n/reject it fails`)).toEqual([
      ...ten,
      'unreadable /status',
    ])
  })

  test('so is the block that goes on behind that line', () => {
    const [before, behind] = ['\n'.repeat(LINES_MAX - 2), '\nmore']
    expect(heard(`/status\n${before}/reject it fails${behind}`)).toEqual(['/status', 'unreadable /reject'])
  })
})

describe('on a command line', () => {
  test.each([
    ['override --check test flaky', ['command']],
    ['/override flaky', ['command']],
    ['/countersign override flaky', ['command']],
    ['', ['command']],
    ['frobnicate', ['unknown']],
  ])('%j is one command', (typed, kinds) => expect(readCommands(typed, 'cli').map((read) => read.kind)).toEqual(kinds))
})
