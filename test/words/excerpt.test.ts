// What agents read of a program's output: everything that it said, without what steers a terminal.
import { describe, expect, test } from 'vitest'
import { costMs } from '../aside/computed.ts'
import { linesOf } from '../../src/core/words/text/excerpt.ts'

const esc = '\u001b'

describe('what steers a terminal is gone', () => {
  // prettier-ignore
  test.each([
    ['a colour', `${esc}[31mFAIL${esc}[0m cart.test.ts`, 'FAIL cart.test.ts'],
    ['a colour without numbers', `${esc}[mplain`, 'plain'],
    ['many colours', `${esc}[1;38;5;196mred${esc}[39;49m`, 'red'],
    ['colours with colons', `${esc}[4:3mcurly${esc}[4:0m`, 'curly'],
    ['an erased line before words, as compilers write it', `${esc}[01m${esc}[Ksrc/a.c:1:${esc}[m${esc}[K error`, 'src/a.c:1: error'],
    ['a cursor that is hidden and shown', `${esc}[?25lworking${esc}[?25h`, 'working'],
    ['a cursor that moves', `${esc}[2A${esc}[1Gdone`, 'done'],
    ['a cursor that moves without numbers', `${esc}[A${esc}[2Kdone`, 'done'],
    ['a title', `${esc}]0;npm test\u0007ok`, 'ok'],
    ['a link, whose words stay', `${esc}]8;;https://example.com${esc}\\docs${esc}]8;;${esc}\\`, 'docs'],
    ['a character set', `${esc}(Bok`, 'ok'],
  ])('%s', (_, text, shown) => {
    expect(linesOf(text)).toEqual([shown])
  })
})

describe('nothing else is', () => {
  // prettier-ignore
  test.each([
    ['a level in brackets on a second line', 'ran\n[ERROR] no route', ['ran', '[ERROR] no route']],
    ['after a carriage return', '50 %\r[ERROR] no route', ['50 %', '[ERROR] no route']],
    ['after a tab', 'a\t[INFO] b', ['a\t[INFO] b']],
    ['after a bell', 'a\u0007[ERROR] b', ['a\ufffd[ERROR] b']],
    ['after a null', '\u0000[31;ERROR] b', ['\ufffd[31;ERROR] b']],
    ['after an escape that begins nothing', `${esc}[ERROR] b`, ['\ufffd[ERROR] b']],
    ['words that look like a movement', `${esc}[DEBUG] b`, ['\ufffd[DEBUG] b']],
    ['a title that never ends', `${esc}]0;npm test failed`, ['\ufffd]0;npm test failed']],
    ['a title over two lines', `${esc}]0;a\nb\u0007`, ['\ufffd]0;a', 'b\ufffd']],
    ['an escape alone', `a${esc}`, ['a\ufffd']],
    ['the first form of a sequence in one character', '\u009b31mred', ['\ufffd31mred']],
    ['an index', 'list[0]m', ['list[0]m']],
    ['emoji', '✔️ 1 👩‍💻 2️⃣', ['✔️ 1 👩‍💻 2️⃣']],
    ['a direction', 'a\u202eb', ['a\ufffdb']],
    ['a filler', 'a\u3164b\u2800', ['a\ufffdb\ufffd']],
  ])('%s', (_, text, shown) => {
    expect(linesOf(text)).toEqual(shown)
  })
})

test.each([`${esc}[`, `${esc}]0;`, `${esc}[1;`, `${esc}(`, '👩\u200d'])(
  'a megabyte of %j costs its length',
  async (piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length))
    expect(await costMs(() => linesOf(text))).toBeLessThan(2_000)
  },
)
