// Cleaning twice is cleaning once, for whatever text: nothing that a replacement leaves is something for another one.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { harmless } from '../../src/core/words/text/harmless.ts'
import { clean, redactor } from '../../src/verifier/asking/clean.ts'
import { inert, wrapUntrusted } from '../../src/verifier/asking/fence.ts'

describe('cleaning is a fixed point', () => {
  const nasty = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '⟦',
          '⟧',
          '⟦U+',
          '⟦/code-diff ',
          '</code-diff>',
          '<',
          '\u200b',
          '\u{e0041}',
          '`',
          '``',
          '\\',
          '@ada',
          '#12',
          '![x](y)',
          '[a](http://b.c/d)',
          '](',
          '&lt;',
          '&',
          '/approve',
          '\n',
          '~~~',
          'https://x.y',
          '<!--',
          '-->',
          '\ud800',
        ),
        fc.string({ maxLength: 4 }),
      ),
      { maxLength: 14 },
    )
    .map((parts) => parts.join(''))

  test('of what goes into a prompt', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        expect(inert(inert(text))).toBe(inert(text))
        expect(clean(text).replaceAll(/⟦(?:U\+[0-9A-F]{4,6}|(?:SECRET|PERSON) \d{1,6})⟧/g, '')).not.toMatch(/[⟦⟧]/)
      }),
      { numRuns: 2_000 },
    )
  })

  test('and of what is posted', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const posted = harmless(text)
        if (posted.startsWith('```text\n')) return
        expect(harmless(posted)).toBe(posted)
        expect(posted.replaceAll(/`[^`\n]*`/g, ' ')).not.toMatch(/@\w|[<>]|!\[|\]\(|https?:|#\d/)
      }),
      {
        numRuns: 4_000,
        examples: ['[](=https://x.y)', '[](https://https://x.y)', '[](a:https://x.y)'].map((text) => [text]),
      },
    )
  })
})

test('a fence has its kind, its id and, where there is one, its label', () => {
  expect(wrapUntrusted('task-data', 'i1', '', 'text')).toBe('⟦task-data i1⟧\ntext\n⟦/task-data i1⟧')
  const labelled = '⟦code-diff i1 "src/a.ts"⟧\ntext\n⟦/code-diff i1⟧'
  expect(wrapUntrusted('code-diff', 'i1', 'src/a.ts', 'text')).toBe(labelled)
})

describe('a placeholder stands for', () => {
  test.each([
    ['a secret of the configuration', 'a eightlet b', 'a ⟦SECRET 1⟧ b'],
    ['the same secret, the same one', 'eightlet eightlet', '⟦SECRET 1⟧ ⟦SECRET 1⟧'],
    ['an e-mail address', 'to ada@example.org.', 'to ⟦PERSON 2⟧.'],
    ['a telephone number', 'call +44 20 7946 0958 now', 'call ⟦PERSON 2⟧ now'],
    ['a card number', 'pay 4111 1111 1111 1111 now', 'pay ⟦PERSON 2⟧ now'],
    ['one whose doubled digits go over nine', 'pay 5500005555555559 now', 'pay ⟦PERSON 2⟧ now'],
    ['the shortest one', 'pay 4222222222222 now', 'pay ⟦PERSON 2⟧ now'],
  ])('%s', (_title, text, cleaned) => {
    expect(redactor(['eightlet', 'seven77']).people(text).replace('PERSON 1', 'PERSON 2')).toBe(cleaned)
  })

  test.each([
    ['a secret that is too short to be one', 'seven77'],
    ['a long number without the check digit', '4111 1111 1111 1112'],
    ['a number of a commit', 'deadbeef1234567890123'],
  ])('not for %s', (_title, text) => {
    expect(redactor(['eightlet', 'seven77']).people(text)).toBe(text)
  })

  test('a key over several lines of a diff, each of which stays a line with its sign', () => {
    const key = [
      '-----BEGIN PRIVATE KEY-----',
      '+MIIEvQIBADANBgkqhkiG9w0BAQEFAASC',
      ' MIIEvQIBADANBgkqhkiG9w0BAQEFAASC',
    ]
    const mark = '⟦SECRET 1⟧'
    expect(redactor([]).secrets(`+${key.join('\n')}\n+end`)).toBe(`+${mark}\n+${mark}\n ${mark}\n+end`)
  })

  test('people are left in what is only rid of secrets', () => {
    expect(redactor(['eightlet']).secrets('eightlet ada@example.org')).toBe('⟦SECRET 1⟧ ada@example.org')
  })
})
