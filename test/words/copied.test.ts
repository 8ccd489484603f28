// The text of a request as the text of its task: it asks the same, hides nothing, and calls nobody.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findTaskBlock } from '../../src/core/contract/task/task-text.ts'
import { requestWords } from '../../src/core/requests/request-words.ts'
import { visible } from '../../src/core/visible.ts'
import { copied } from '../../src/core/words/text/copied.ts'
import { costMs } from '../aside/computed.ts'
import { tries } from '../depth.ts'
import { actsIn, nasty } from './rendered.ts'

describe('what GitHub does not show is left out', () => {
  test.each([
    ['one <!-- do it quietly --> two', 'one <!-- --> two'],
    ['<!-- do it\n\nquietly -->\n\ntwo', '<!-- -->\n\ntwo'],
    ['- one\n  <!-- quietly -->\n- two', '- one\n  <!-- -->\n- two'],
    ['one\n\n<!-- do it quietly', 'one\n\n<!-- -->'],
    ['<div> <!--\n\ndo it quietly\n\n<div> --> two\n\nthree', '<div> <!-- --> two\n\nthree'],
    ['<div> <!--\n\ndo it --> quietly', '<div> <!-- -->'],
    ['<div> <!--\n\ndo it quietly', '<div> <!-- -->'],
    ['a\u200bb', 'a\ufffdb'],
  ])('%j becomes %j', (given, text) => expect(copied(given)).toBe(text))
})

describe('what it shows stays', () => {
  test.each([
    'Templates may hold `<!--`.\n\n### Acceptance criteria\n\n- They are shown as they are',
    '```html\n<!-- a template -->\n```\n\nand more',
    'one \\<!-- two --> three',
    '    <!-- in code -->\n\nand more',
    '- [ ] **all** of [it](https://example.org), `@ada` too\n\n> quoted\n\n```countersign\nscope: {}\n```',
    'ada@example.org, a@b and https://example.org/a',
  ])('%j', (text) => expect(copied(text)).toBe(text))
})

test('a deletion would make a heading, a fence or a name of these', () => {
  expect(copied('<!-- a -->## Acceptance criteria')).toBe('<!-- -->## Acceptance criteria')
  expect(copied('``<!-- a -->`countersign')).toBe("''<!-- -->'countersign")
  expect(copied('@<!-- a -->ada')).toBe('@<!-- -->ada')
})

describe('nobody is called', () => {
  test.each([
    ['@ada and (@acme/core)', '`@ada` and (`@acme/core`)'],
    ['**@ada** \\@bob &#64;cleo &#X40;dan &commat;eve', '**`@ada`** `@bob` `@cleo` `@dan` `@eve`'],
    ['` *a* @ada', "' *a* `@ada`"],
    ['<b>@ada</b>', '<b>`@ada`</b>'],
    ['<p title="@ada">@ada</p>', '<p title="@ada"><code>@ada</code></p>'],
    ['see https://example.org/@ada', 'see `https://example.org/@ada`'],
    ['[@ada](https://example.org)', '[`@ada`](https://example.org)'],
  ])('%j becomes %j', (given, text) => expect(copied(given)).toBe(text))
})

const asked = [
  '## Acceptance criteria\n\n- ',
  '\n- ',
  '```countersign\nscope: { write: [a] }\n```',
  '`<!--`',
  '<!-- a -->',
  '<div>',
]
const piece = fc.oneof(fc.constantFrom(...asked), nasty)
const text = fc
  .array(piece, { maxLength: 8 })
  .map((parts) => visible(['## Acceptance criteria\n\n- one', ...parts].join('\n').replaceAll('\r\n', '\n')))

test('whatever it is, it asks what it asked, and nothing in it calls or hides', () => {
  let asking = 0
  const plain = (one: string): string => one.replaceAll(/[`'\\]|&#64;|@|<\/?code>/g, '')
  const criteriaOf = (one: string): string[] => requestWords('', one).criteria.map(plain)
  fc.assert(
    fc.property(text, (given) => {
      const done = copied(given)
      expect(actsIn(done).filter(({ kind }) => kind === 'a mention' || kind === 'something hidden')).toEqual([])
      // What stands in a comment that something else left open is not shown.
      const [before, after] = [criteriaOf(given), criteriaOf(done)]
      const bare = given.replaceAll('<!-- a -->', '')
      const isWhole = !bare.includes('<!--') || !bare.replaceAll('`<!--`', '').includes('<')
      if (isWhole) expect(after).toEqual(before)
      else expect(after.length).toBeLessThanOrEqual(before.length)
      if (isWhole && after.length > 0) asking += 1
      if (isWhole) expect(findTaskBlock(done, 'f').ok).toBe(findTaskBlock(given, 'f').ok)
    }),
    { numRuns: tries(300) },
  )
  expect(asking).toBeGreaterThan(20)
})

test.each([
  ['comments', '<!-- a -->\n\n'.repeat(5_000)],
  ['comments that nobody ends', '<!--\n<div>\n'.repeat(5_000)],
  ['names', '@ada '.repeat(12_000)],
])('65,536 characters of %s take no time', async (_what, hostile) => {
  expect(await costMs(() => copied(hostile.slice(0, 65_536)))).toBeLessThan(1_000)
})
