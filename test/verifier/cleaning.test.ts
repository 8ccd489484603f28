// Cleaning twice is cleaning once, for whatever text: nothing that a replacement leaves is something for another one.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { harmless } from '../../src/core/words/harmless.ts'
import { clean } from '../../src/verifier/clean.ts'
import { inert } from '../../src/verifier/fence.ts'

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
      { numRuns: 4_000 },
    )
  })
})
