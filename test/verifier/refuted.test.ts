// A claim falls by code that can be quoted, and by nothing else; an answer that nobody can believe refutes nothing.
import { describe, expect, test } from 'vitest'
import type { Finding } from '../../src/core/decision/examined.ts'
import { redactor } from '../../src/verifier/asking/clean.ts'
import { presentedFile } from '../../src/verifier/change/presented.ts'
import { falls, readRefutation } from '../../src/verifier/weighing/refuted.ts'
import { aFile, guardLines } from './lab.ts'

const shown = (path: string, lines: readonly string[]) => presentedFile(aFile(path, lines), redactor([]))
const presented = {
  files: [
    shown('src/users.ts', [...guardLines, '+// nobody else can come here', '+audit(user, me)']),
    shown('src/more.ts', ['+other.drop(user)']),
  ],
  around: [shown('src/roles.ts', [' export const isAdmin = true', ' // only an administrator comes here'])],
  checks: [{ name: 'test', state: 'passed' as const, exit_code: 0, text: 'ok 1 a guest cannot drop users' }],
}
const claim: Finding = {
  id: 'x',
  path: 'src/users.ts',
  side: 'new',
  line: 3,
  quote: 'drop(user)',
  category: 'correctness',
  claim: 'Anybody can drop a user.',
  failure_scenario: 'A guest calls it.',
  fix: '',
  level: 'blocking',
  proven: true,
}
const guard = { path: 'src/users.ts', side: 'new', line: 2, quote: 'if (!me.isAdmin) throw new Forbidden()' } as const
const fallsBy = (...evidence: Parameters<typeof falls>[1]['evidence']) =>
  falls(claim, { outcome: 'refuted', evidence }, presented, 'near')

describe('a claim', () => {
  test.each([
    ['falls by a line of the change', [guard], true],
    ['falls by a line that the model miscounted by a fraction', [{ ...guard, line: 2.4 }], true],
    [
      'falls by what stands around the change',
      [{ path: 'src/roles.ts', side: 'new', line: 1, quote: 'export const isAdmin = true' }],
      true,
    ],
    ['falls by one good quote among bad ones', [{ ...guard, quote: 'if (isNobody) return' }, guard], true],
    ['stands without a quote', [], false],
    ['stands where the quote is nowhere', [{ ...guard, quote: 'if (isNobody) return' }], false],
    ['stands against its own line', [{ ...guard, line: 3, quote: 'drop(user)' }], false],
    [
      'stands against its own line from the other side',
      [{ ...guard, side: 'old', line: 2, quote: 'drop(user)' }],
      false,
    ],
    ['falls by code that is quoted with its own line', [{ ...guard, quote: `${guard.quote}\ndrop(user)` }], true],
    [
      'stands against a comment around the change',
      [{ path: 'src/roles.ts', side: 'new', line: 2, quote: '// only an administrator comes here' }],
      false,
    ],
    [
      'falls by the line of that number in another file',
      [{ ...guard, path: 'src/more.ts', line: 1, quote: 'other.drop(user)' }],
      true,
    ],
    ['stands against a comment', [{ ...guard, line: 5, quote: '// nobody else can come here' }], false],
    [
      'stands against what a check printed',
      [{ path: 'check:test', side: 'new', line: 1, quote: 'ok 1 a guest cannot drop users' }],
      false,
    ],
  ] satisfies [string, Parameters<typeof falls>[1]['evidence'], boolean][])('%s', (_title, evidence, expected) => {
    expect(fallsBy(...evidence)).toBe(expected)
  })

  test('stands against its own line behind a comment', () => {
    const audit = { ...claim, line: 6, quote: 'audit(user, me)' }
    const quote = '// nobody else can come here\naudit(user, me)'
    expect(falls(audit, { outcome: 'refuted', evidence: [{ ...guard, line: 5, quote }] }, presented, 'near')).toBe(
      false,
    )
  })

  test('of two lines stands against the second of them', () => {
    const two = { ...claim, line: 2, quote: `${guard.quote}\ndrop(user)` }
    const byOwn = { outcome: 'refuted', evidence: [{ ...guard, line: 3, quote: 'drop(user)' }] } as const
    expect(falls(two, byOwn, presented, 'near')).toBe(false)
  })

  test.each(['stands', 'cannot_tell'] as const)('never falls where the reader says "%s"', (outcome) => {
    expect(falls(claim, { outcome, evidence: [guard] }, presented, 'near')).toBe(false)
  })
})

describe('an answer', () => {
  const answer = (more: object = {}): string =>
    JSON.stringify({
      schema: 'v1',
      nonce: 'n',
      copied: [],
      evidence: [guard],
      why: 'It is guarded.',
      outcome: 'refuted',
      probes: [{ id: 'k1.p1', answer: 'met' }],
      ...more,
    })
  const control = { questions: [{ id: 'k1.p1', text: 'Is it?', answer: 'met' as const }], lines: [] }

  test('is read with at most ten quotes', () => {
    const many = Array.from({ length: 12 }, () => guard)
    expect(readRefutation(answer(), 'n', control)).toEqual({
      ok: true,
      value: { outcome: 'refuted', evidence: [guard] },
    })
    expect(readRefutation(answer({ evidence: many }), 'n', control)).toMatchObject({
      value: { evidence: many.slice(0, 10) },
    })
  })

  test.each([
    ['of another shape', '{"outcome":"refuted"}', 'The answer is not one JSON object of the shape that is asked for.'],
    ['with another nonce', answer({ nonce: 'm' }), 'The nonce is another.'],
  ])('%s is none', (_title, text, why) => {
    expect(readRefutation(text, 'n', control)).toEqual({ ok: false, errors: [why] })
  })

  test('that gets a known question wrong is none, and one on record is not asked for it again', () => {
    const wrong = answer({ probes: [{ id: 'k1.p1', answer: 'not_met' }] })
    expect([readRefutation(wrong, 'n', control).ok, readRefutation(wrong, 'n', null).ok]).toEqual([false, true])
  })
})
