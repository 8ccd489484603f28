// Characters that nobody sees: which of them refer a change to a human, which are only named, and which have their use.
import { describe, expect, test } from 'vitest'
import { hiddenIn } from '../../src/verifier/change/hidden-text.ts'

const found = (text: string, first = false): string | null => {
  const hidden = hiddenIn(text, 'src/a.ts:1', first)
  return hidden && `${hidden.sign}${hidden.useless ? ' has no use' : ''}`
}

describe('hidden is', () => {
  test.each([
    ['nothing in plain text', 'const a = 1\t// fine', null],
    ['nothing in letters of any script', 'naïve 東京 über', null],
    ['an override of direction', 'a\u202eb', 'U+202E has no use'],
    ['an isolate', 'a\u2066b', 'U+2066 has no use'],
    ['a tag', 'a\u{e0041}', 'U+E0041 has no use'],
    ['a filler', 'a\u3164', 'U+3164 has no use'],
    ['a joiner within a name', 'us\u200ber', 'U+200B has no use'],
    ['a soft hyphen within a name', 'us\u00ader', 'U+00AD has no use'],
    ['several selectors, which carry a message', 'a\ufe00\ufe01', 'U+FE00 has no use'],
    ['a joiner at the end of a name', 'user.role\u200d = 1', 'U+200D has no use'],
    ['a selector at the end of a name', 'const role\ufe0f = 1', 'U+FE0F has no use'],
    ['a mark that shows nothing at the end of a name', 'role\u034f()', 'U+034F has no use'],
    ['a joiner that a script needs, by name only', 'می\u200cخواهم', 'U+200C'],
    ['nothing in keys in their frames', '1️⃣ and ©️', null],
    ['a joiner between words, by name only', 'a \u200b b', 'U+200B'],
    ['a control character, by name only', 'a\u0007', 'U+0007'],
    ['the worse of two', 'a \u200b b\u202e', 'U+202E has no use'],
    ['nothing in emoji', 'done ✔️ 👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿', null],
  ])('%s', (_title, text, expected) => expect(found(text)).toBe(expected))

  test('a byte order mark has its use where a file begins, and nowhere else', () => {
    expect(found('\ufeffconst a = 1', true)).toBeNull()
    expect(found('\ufeffconst a = 1')).toBe('U+FEFF')
    expect(found('const a\ufeffb = 1', true)).toBe('U+FEFF has no use')
  })
})
