// Text from outside mentions nobody, closes nothing, links nowhere and cannot pose as ours.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { harmless } from '../../src/core/words/text/harmless.ts'
import { cutInert, neutralLine } from '../../src/core/words/text/neutral.ts'
import { codeSpan, quoted } from '../../src/core/words/text/untrusted.ts'
import { tries } from '../depth.ts'
import { actsIn, nasty } from './rendered.ts'

describe('what could act is set as code', () => {
  // prettier-ignore
  test.each([
    ['a mention', 'ask @ada now', 'ask `@ada` now'],
    ['a team', 'ask @acme/core', 'ask `@acme/core`'],
    ['an address', 'write to eve@example.com', 'write to `eve@example.com`'],
    ['an issue', 'closes #12', 'closes `#12`'],
    ['an issue elsewhere', 'fixes acme/shop#1.', 'fixes `acme/shop#1.`'],
    ['an issue by its old name', 'see GH-12', 'see `GH-12`'],
    ['an advisory', 'see GHSA-aaaa-bbbb-cccc', 'see `GHSA-aaaa-bbbb-cccc`'],
    ['a commit', 'since a1b2c3d all is well', 'since `a1b2c3d` all is well'],
    ['a commit behind a word', 'acme@a1b2c3d', '`acme@a1b2c3d`'],
    ['a link', 'see https://evil.example/x', 'see `https://evil.example/x`'],
    ['a link without a scheme', 'see www.evil.example', 'see `www.evil.example`'],
    ['a link in Markdown', '[click me](//evil.example)', '`[click me](//evil.example)`'],
    ['an image', '![](x)', '`![](x)`'],
    ['a link by reference', '[foo][1]', '`[foo][1]`'],
    ['a footnote', 'so they say[^1]', 'so they `say[^1]`'],
    ['a box to tick', '[ ] done', '`[ ]` done'],
    ['a comment', '<!-- countersign:sticky -->', '`<!--` countersign:sticky `-->`'],
    ['HTML', '</details><img src=x>', '`</details><img src=x>`'],
    ['an entity', 'fixes &#35;12 and &commat;ada', 'fixes `&#35;12` and `&commat;ada`'],
    ['a backslash', String.raw`\@ada`, '`' + String.raw`\@ada` + '`'],
    ['a heading', '# Approved', '`#` Approved'],
    ['a list', '1. first', '`1.` first'],
    ['a rule', '---', '`---`'],
    ['a command to another bot', '/merge now', '`/merge` now'],
    ['a cell', 'a | b', 'a `|` b'],
    ['emphasis', 'a **bold** __init__.py of snake_case', 'a `**bold** __init__.py` of snake_case'],
    ['a sign of ours by its name', ':white_check_mark: fine', '`:white_check_mark:` fine'],
    ['half a sign, which a colon of ours would end', ':tada', '`:tada`'],
    ['a place in a file, which is none', 'src/a.ts:12', 'src/a.ts:12'],
    ['mathematics', 'costs $x$', 'costs `$x$`'],
    ['a direction', 'a\u202eb', 'a\ufffdb'],
    ['several lines', 'a\n# b\r\n\n- c', 'a # b - c'],
  ])('%s', (_, text, shown) => {
    expect(neutralLine(text)).toBe(shown)
  })
})

test.each([
  '`npm test` fails',
  'expected 8, got 10',
  'src/a.ts is too long',
  "it's 100 % fine, isn't it?",
  '👩‍💻 ✔️',
  'C# and F#',
])('%s stays as it is', (text) => expect(neutralLine(text)).toBe(text))

test('code that is never closed opens nothing', () => {
  expect(neutralLine('`@ada and ``#1')).toBe("`@ada and ` `'#1`")
  expect(neutralLine('a`@ada`@bob')).toBe('a`@ada` `@bob`')
})

test('a line stays one line, and has an end', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
      const line = neutralLine(text, 80)
      expect(line.replaceAll('`', '').length).toBeLessThanOrEqual(120)
      expect(line).not.toMatch(/[\n\r]/)
    }),
  )
})

test('whatever it is, nothing in it acts, and doing it twice changes nothing', () => {
  fc.assert(
    fc.property(nasty, (text) => {
      const line = neutralLine(text)
      expect(actsIn(`Somebody said: ${line}`)).toEqual([])
      expect(actsIn(`- ${line}`)).toEqual([])
      expect(neutralLine(line, 1_000)).toBe(line)
      expect(actsIn(quoted(text))).toEqual([])
      expect(actsIn(`Somebody wrote ${codeSpan(text)} there`)).toEqual([])
      expect(actsIn(`- ${codeSpan(text)}: ${line}`)).toEqual([])
    }),
    { numRuns: tries(500) },
  )
})

test('what is cut shows less, and nothing in it acts that did not act before', () => {
  const digits = '0123456789abcdef'.repeat(5)
  expect(actsIn(`Rejected: ${neutralLine(digits)}`)).toEqual([])
  expect(cutInert(`Rejected: ${neutralLine(digits)}`, 40)).toBe('Rejected:…')
  expect(cutInert('see `a b c` and more', 10)).toBe('see…')
  expect(cutInert('see `a b c`, and more', 14)).toBe('see `a b c`,…')
  expect(cutInert('short', 5)).toBe('short')
  fc.assert(
    fc.property(nasty, fc.nat(80), (text, max) => {
      const line = `Said: ${neutralLine(text)}, by ${codeSpan(text)}`
      const cut = cutInert(line, max)
      expect(cut === line || cut.length <= Math.max(1, max)).toBe(true)
      expect(actsIn(cut)).toEqual([])
    }),
    { numRuns: tries(500) },
  )
})

test('letters that only look like ours hide no commit', () => {
  for (const text of ['a1b2c3d\u212a', '\u017fa1b2c3d']) expect(neutralLine(`see ${text}`)).toBe(`see \`${text}\``)
})

test('a model may have its lists and emphasis, and nothing else', () => {
  fc.assert(
    fc.property(nasty, (text) => {
      const posted = harmless(text)
      expect(actsIn(`Before\n\n${posted}\n\nafter`, { emphasis: true })).toEqual([])
      expect(harmless(posted)).toBe(posted)
    }),
    { numRuns: tries(500) },
  )
})
