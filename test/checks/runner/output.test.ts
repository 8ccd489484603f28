// What is kept of a program's output: its head and its tail, without secrets, however the bytes arrive.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redact } from '../../../src/core/words/text/redact.ts'
import { checkEnvironment, secretValues } from '../../../src/checks/runner/environment.ts'
import { headAndTail } from '../../../src/checks/runner/head-and-tail.ts'
import { redactedStream } from '../../../src/checks/runner/redacted-stream.ts'

const kept = (max: number, texts: readonly string[]): { text: string; omitted: number } => {
  const output = headAndTail(max)
  for (const text of texts) output.add(text)
  return { text: output.text(), omitted: output.omittedBytes() }
}

describe('head and tail', () => {
  test('what fits is kept as it is', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 20 })), (texts) => {
        const whole = Buffer.from(texts.join('')).toString()
        fc.pre(Buffer.byteLength(whole) <= 64)
        expect(kept(64, [whole])).toEqual({ text: whole, omitted: 0 })
      }),
    )
  })

  test('of what does not, a quarter from the beginning and the rest from the end', () => {
    const lines = Array.from({ length: 100 }, (_, at) => `line ${String(at).padStart(3, '0')}\n`)
    const { text, omitted } = kept(90, lines)
    expect(text).toBe('line 000\nline 001\nline\n[... 90 lines omitted]\n' + lines.slice(-8).join('').slice(-68))
    expect(omitted).toBe(900 - 90)
  })

  test('never more than the limit and a mark, never half a character, and the end is the end', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 60 })),
        fc.integer({ min: 16, max: 200 }),
        (texts, max) => {
          const { text } = kept(max, texts)
          const whole = texts.join('')
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(Math.max(max, 0) + 40)
          if (!whole.includes('\ufffd')) expect(text).not.toContain('\ufffd')
          const last = text.split(/\[\.\.\. \d+ lines omitted\]\n?/).at(-1) ?? ''
          expect(whole.endsWith(last)).toBe(true)
        },
      ),
    )
  })
})

describe('a stream without secrets', () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`
  const streamed = (bytes: Buffer, cuts: readonly number[], secrets: readonly string[] = []): string[] => {
    const told: string[] = []
    const stream = redactedStream(secrets, (text) => told.push(text))
    let from = 0
    for (const cut of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
      stream.push(bytes.subarray(from, cut))
      from = Math.max(from, cut)
    }
    stream.end()
    return told
  }

  test('however it is cut, it is what the whole text would be', () => {
    const pieces = fc.constantFrom(
      'one ',
      'ünï\n',
      secret,
      'known value',
      '\n',
      'x'.repeat(50),
      '-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----',
      '🙂',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), fc.array(fc.nat(2_000)), (parts, cuts) => {
        const text = parts.join('')
        const bytes = Buffer.from(text)
        const inside = cuts.filter((cut) => cut < bytes.length)
        // Two secrets side by side may be told as one or as two.
        const asOne = (shown: string): string => shown.replaceAll(/(?:\*\*\*)+/g, '***')
        expect(asOne(streamed(bytes, inside, ['known value']).join(''))).toBe(asOne(redact(text, ['known value'])))
      }),
    )
  })

  test('a line is told when it is whole, and an endless one in pieces', () => {
    expect(streamed(Buffer.from('one\ntwo'), [5])).toEqual(['one\n', 'two'])
    const endless = Buffer.from(`${'x'.repeat(60_000)} ${secret} ${'y'.repeat(60_000)}`)
    const told = streamed(endless, [20_000, 60_010, 70_000, 100_000])
    expect(told.length).toBeGreaterThan(1)
    expect(told.join('')).toBe(redact(endless.toString()))
  })
})

test('a check sees what is harmless, and its own', () => {
  const runner = {
    PATH: '/bin',
    GITHUB_SHA: 'abc',
    GITHUB_TOKEN: 'x',
    GITHUB_OUTPUT: '/tmp/o',
    ACTIONS_RUNTIME_TOKEN: 'x',
    ACTIONS_CACHE_ROOT: 'x',
    'INPUT_GITHUB-TOKEN': 'x',
    LC_ALL: 'C',
    GOROOT_1_22_X64: '/go',
    GO_ROOT: '/go',
    JAVA_HOME_21_X64: '/java',
    TOKEN_HOME: 'x',
    MY_OWN: 'x',
    BASH_ENV: '/tmp/evil',
  }
  expect(checkEnvironment(runner, { MY_OWN: 'mine' })).toEqual({
    PATH: '/bin',
    GITHUB_SHA: 'abc',
    LC_ALL: 'C',
    GO_ROOT: '/go',
    JAVA_HOME_21_X64: '/java',
    CI: 'true',
    MY_OWN: 'mine',
  })
  expect(secretValues({ ...runner, DB_PASSWORD: 'hunter2', HOME: '/h' })).toEqual(['x', 'x', 'x', 'x', 'hunter2'])
})
