// Every sentence of SECURITY.md about what is trusted and what cannot be excluded names the tests that hold it.
import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { promiseProblems, promisesIn, sentencesOf, titlesIn } from './promises.ts'
import { textOf } from './repository.ts'

const read = (path: string): string | null => (existsSync(path) ? textOf(path) : null)

test('each sentence of SECURITY.md has a row, and each row names tests that are there', () => {
  expect(promiseProblems(textOf('SECURITY.md'), promisesIn(textOf('test/house/promises.yml')), read)).toEqual([])
})

test('none of its sections of promises is left out', () => {
  const sections = new Set(sentencesOf(textOf('SECURITY.md')).map(({ section }) => section))
  const told = Object.keys(promisesIn(textOf('test/house/promises.yml')))
  expect([...sections].filter((section) => !told.includes(section))).toEqual(['Security', 'How to report'])
})

describe('reported is', () => {
  const page = '# A\n\n## What the rules trust\n\n- **One is so.** Two is so: `x` is.\n'
  const tests = `test('holds', run)\ndescribe('group', () => { test.each([1])('row %s', run) })\n`
  const files = (path: string): string | null => (path === 'a.test.ts' ? tests : path === 'a.ts' ? tests : null)
  const rows = (...more: readonly string[]) =>
    promisesIn(
      `What the rules trust:\n  - { says: 'One is so.', held_by: ['a.test.ts > holds'] }\n${more.map((one) => `  - ${one}\n`).join('')}`,
    )
  const two = `{ says: 'Two is so:', held_by: ['a.test.ts > row %s'] }`
  const three = `{ says: '\`x\` is.', held_by: ['a.test.ts > group'] }`

  test('nothing where all is in order', () => {
    expect(promiseProblems(page, rows(two, three), files)).toEqual([])
  })

  test.each([
    ['a sentence without a row', rows(two), 'nothing holds “`x` is.”'],
    ['a sentence that changed', rows(two.replace('so', 'not so'), three), 'nothing holds “Two is so:”'],
    ['a row twice', rows(two, two, three), 'twice: “Two is so:”'],
    ['a test that is gone', rows(two.replace('row', 'gone'), three), 'a.test.ts has no such test'],
    ['a file that is gone', rows(two.replace('a.test', 'b.test'), three), 'b.test.ts, which is no file of tests'],
    ['a file without tests', rows(two.replace('a.test', 'a'), three), 'a.ts, which is no file of tests'],
    ['a promise of ours that nothing holds', rows(two, `{ says: '\`x\` is.', outside: luck }`), 'is ours to hold'],
    ['a row that says neither', rows(two, `{ says: '\`x\` is.' }`), 'is held by tests or it is outside'],
    ['a section that is gone', promisesIn('Gone:\n  - { says: a, outside: b }\n'), 'there is no section “Gone”'],
  ])('%s', (_words, table, problem) => {
    expect(promiseProblems(page, table, files)).toContainEqual(expect.stringContaining(problem))
  })

  test('titles are read from the syntax, not from the text', () => {
    expect(titlesIn(`// test('a comment', run)\n${tests}`)).toEqual(['holds', 'group', 'row %s'])
  })
})
