// Characters that hide or mislead in added lines, and the many that do neither.
import { describe, expect, test } from 'vitest'
import { hiddenText } from '../../../src/checks/tier1/hidden-text.ts'
import { tier1 } from '../../../src/checks/tier1/tier1.ts'
import { modified, patchOf, settings, workspaceOf } from './small-workspace.ts'

const findingsIn = (text: string, line = 2) => {
  return hiddenText('a.ts', [{ kind: 'added', line, text }]).map(({ severity, message }) => `${severity} ${message}`)
}

describe('is found', () => {
  const reorders = 'that reorders the text around it.'
  const spells = 'that spells text that nobody can see.'
  const changes = 'that is invisible and makes a word another word.'
  const looks = 'that looks like a Latin letter within a Latin word, and is none.'
  test.each([
    ['a right-to-left override', 'if (admin) { \u202e // }', `HIGH This line has a character, U+202E, ${reorders}`],
    ['an isolate', 'a \u2066 b', `HIGH This line has a character, U+2066, ${reorders}`],
    ['tags', 'hello \u{e0068}\u{e0069}', `HIGH This line has a character, U+E0068, ${spells}`],
    [
      'tags behind a flag that spell no flag',
      '\u{1f3f4}\u{e0067}\u{e0062}\u{e0067}\u{e007f}',
      `HIGH This line has a character, U+E0067, ${spells}`,
    ],
    ['a run of variation selectors', 'a😀\ufe0f\ufe01\ufe02', `HIGH This line has a character, U+FE01, ${spells}`],
    ['a zero width space in a name', 'pass\u200bword', `MEDIUM This line has a character, U+200B, ${changes}`],
    ['a zero width joiner behind a name', 'x\u200d = 1', `MEDIUM This line has a character, U+200D, ${changes}`],
    ['a word joiner', 'a\u2060b', `MEDIUM This line has a character, U+2060, ${changes}`],
    ['a soft hyphen', 'a\u00adb', `MEDIUM This line has a character, U+00AD, ${changes}`],
    ['a filler as a name', 'const \u3164 = 1', 'LOW This line has a character, U+3164, that is invisible.'],
    ['a byte order mark in the middle', ' \ufeff ', 'LOW This line has a character, U+FEFF, that is invisible.'],
    [
      'a direction mark',
      'a \u200f b',
      'LOW This line has a character, U+200F, that sets the direction of the text around it.',
    ],
    ['an escape', '\u001b[2K', 'LOW This line has a character, U+001B, that is a control character.'],
    ['a Cyrillic letter in a Latin word', 'раypal', `MEDIUM This line has a character, U+0440, ${looks}`],
    ['a Greek letter in a Latin word', 'ΑdminUser', `MEDIUM This line has a character, U+0391, ${looks}`],
  ])('%s', (_title, text, expected) => {
    expect(findingsIn(text)[0]).toBe(expected)
  })

  test('each kind once on a line, however often', () => {
    expect(findingsIn('\u202e\u202d\u202c \u200bx\u200b')).toHaveLength(2)
  })
})

describe('is left alone', () => {
  test.each([
    ['plain text', 'const a = "b"\t// c\r'],
    ['accents', 'Ünïcödé naïve'],
    ['an emoji', '😀 ❤️ ✔︎ 👍🏽'],
    ['a family', '👩‍👩‍👧‍👦 👩🏽‍💻 🏃‍♂️ 🏳️‍🌈 🏴‍☠️'],
    ['flags', '🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['a keycap', '1️⃣ #️⃣'],
    ['Persian with its joiners', 'می‌خواهم'],
    ['Hindi with its joiners', 'क्‍ष'],
    ['Cyrillic words beside Latin ones', 'test_сложение привет hello USB-кабель'],
    ['Greek letters of science', 'Δt = λx + σ_max'],
    ['a unit', '5 µs, 3 Ω'],
    ['Chinese with a variant', '葛󠄀'],
    ['Arabic signs that can be seen', '\u0600\u0661'],
  ])('%s', (_title, text) => {
    expect(findingsIn(text)).toEqual([])
  })

  test('the byte order mark of a file', () => {
    expect(findingsIn('\ufeffa', 1)).toEqual([])
    expect(findingsIn('\ufeffa', 2)).toHaveLength(1)
  })

  test('a line that is removed or was there before', async () => {
    const patches = new Map([['a.ts', patchOf('-a\u202e', ' b\u202e', '+c')]])
    const { findings } = await tier1([modified('a.ts')], workspaceOf({ 'a.ts': 'x' }), settings(), { patches })
    expect(findings).toEqual([])
  })
})

test('the name of a file hides nothing either', async () => {
  const path = 'src/\u202etxt.ts'
  const { findings, passed } = await tier1([modified(path)], workspaceOf({ [path]: 'x' }), settings(), {
    patches: new Map([[path, '']]),
  })
  expect(passed).toBe(true)
  expect(findings).toEqual([
    {
      path,
      line: 1,
      severity: 'HIGH',
      category: 'hidden_text',
      message: 'The name of this file has a character, U+202E, that reorders the text around it.',
    },
  ])
})
