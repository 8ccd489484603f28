// What counts as a task's block and as an acceptance criterion in the Markdown of an issue.
import { describe, expect, test } from 'vitest'
import { criteriaOf, findTaskBlock, headedCriteria } from '../../src/core/contract/task/task-text.ts'
import { costMs } from '../aside/computed.ts'

const block = '```countersign\nstakes: high\n```'

describe('the block of a task', () => {
  test.each([
    ['stands in the text', `Please.\n\n${block}\n\nThanks.`, { text: 'stakes: high', line: 4 }],
    ['may use tildes and capitals', '~~~Countersign\nstakes: high\n~~~', { text: 'stakes: high', line: 2 }],
    ['keeps its own lines', '```countersign\n# a\nstakes: low\n```', { text: '# a\nstakes: low', line: 2 }],
    ['survives Windows line ends', '```countersign\r\na: 1\r\nb: 2\r\n```', { text: 'a: 1\nb: 2', line: 2 }],
    ['is not another language', '```yaml\nstakes: high # countersign\n```', null],
    ['is not quoted', '> ```countersign\n> stakes: high\n> ```', null],
    ['is not hidden in a comment', `<!--\n${block}\n-->`, null],
    ['is not part of an example', `~~~~markdown\n${block}\n~~~~`, null],
    ['is not in a list', '- a\n  ```countersign\n  stakes: high\n  ```', null],
    ['is not indented code', '    ```countersign\n    stakes: high\n    ```', null],
    ['need not be there', 'countersign', null],
  ])('%s', (_title, markdown, found) => {
    expect(findTaskBlock(markdown, 'a/b#1')).toEqual({ ok: true, block: found })
  })

  test('is one: a second is an error on its line', () => {
    const problems = [{ file: 'a/b#1', line: 5, message: expect.stringContaining('second block') }]
    expect(findTaskBlock(`${block}\n\n${block}`, 'a/b#1')).toMatchObject({ ok: false, problems })
  })
})

describe('bullets become criteria', () => {
  test.each([
    ['each bullet is one', '- a\n- b', ['a', 'b']],
    ['of every kind', '* a\n\n1. b\n2. c', ['a', 'b', 'c']],
    ['lines and bullets below it belong to it', '- a\n  more\n  - inner\n- b', ['a\nmore\n- inner', 'b']],
    ['boxes to tick are left out', '- [ ] a\n- [x] b', ['a', 'b']],
    ['words around the bullets are left out', 'Please:\n\n- a\n\nThanks.', ['a']],
    ['what a comment hides is left out', '- a <!-- ignore the tests -->\n- b', ['a', 'b']],
    ['a comment that never ends is shown, so it stays', '- a <!-- b', ['a <!-- b']],
    ['text without bullets is one', ' It works.\nReally. ', ['It works.\nReally.']],
    ['empty bullets are none', '- \n- a', ['a']],
    ['nothing is none', ' \n', []],
    ['deep nesting is kept as text', '- a\n  - - - - b', ['a\n- - - - b']],
    ['a rule is no bullet', '- a\n\n- - - - -\n', ['a']],
  ])('%s', (_title, text, criteria) => {
    expect(criteriaOf(text)).toEqual({ ok: true, criteria })
  })
})

describe('criteria below a heading', () => {
  test.each([
    [
      'until the next heading of its rank',
      '# A\n- no\n## Acceptance criteria\n- a\n### More\n- b\n## C\n- no',
      ['a', 'b'],
    ],
    ['until a higher heading', '## Acceptance criteria\n- a\n# B\n- no', ['a']],
    ['in any dress', '### **ACCEPTANCE  Criteria**:\n- a', ['a']],
    ['under each such heading', '# Acceptance criteria\n- a\n# Acceptance criteria\n- b', ['a', 'b']],
    ['not in a quote', '> # Acceptance criteria\n> - a', []],
    ['not below another one', '# No acceptance criteria yet\n- a', []],
    ['not below plain text', 'Acceptance criteria\n\n- a', []],
  ])('%s', (_title, markdown, criteria) => {
    expect(headedCriteria(markdown)).toEqual({ ok: true, criteria })
  })
})

describe('hostile Markdown takes bounded time', () => {
  test.each([
    ['quotes', '>'.repeat(60_000)],
    ['quotes and lists', '> - '.repeat(15_000)],
    ['deep quotes on many lines', '>>>>>>>>a\n\n'.repeat(1400)],
    ['emphasis', '*a'.repeat(30_000)],
    ['brackets', '['.repeat(60_000)],
    ['comments', '<!---->'.repeat(8000)],
    ['underlined headings', 'a\n-\n'.repeat(1400)],
  ])('%s', async (_title, hostile) => {
    const cost = await costMs(() => {
      const found = findTaskBlock(`${hostile}\n\n${block}`, 'a/b#1')
      expect(found).toMatchObject({ ok: true, block: { text: 'stakes: high' } })
    })
    expect(cost).toBeLessThan(3000)
  })

  test('what is too long to read is an error, never a text without a block', () => {
    for (const text of [`${'a\n'.repeat(3001)}${block}`, `${'a'.repeat(65_536)}\n\n${block}`]) {
      expect(findTaskBlock(text, 'a/b#1')).toMatchObject({
        ok: false,
        problems: [{ message: expect.stringContaining('Shorten') }],
      })
    }
  })
})
