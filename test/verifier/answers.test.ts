// Answers as models give them, read strictly: what is not exactly one object of our shape is malformed and never a pass.
import { describe, expect, test } from 'vitest'
import { readAnswer } from '../../src/verifier/answer.ts'
import { blocking, proof, type Said } from './lab.ts'

const expected = { nonce: 'n1', probes: ['c1.p1'], items: ['abc'] }
const whole: Said = {
  schema: 'v1',
  nonce: 'n1',
  probes: [{ id: 'c1.p1', evidence: [proof], why: 'w', answer: 'met' }],
  open_items: [],
  findings: [],
  suspicious_text: [],
  unseen_needed: [],
  feedback: [],
  summary: 's',
  proposed_verdict: 'PASS',
  confidence: 'high',
}
const text = (changed: Said = {}): string => JSON.stringify({ ...whole, ...changed })
const without = (key: string): string =>
  JSON.stringify(Object.fromEntries(Object.entries(whole).filter(([name]) => name !== key)))

describe('what is read', () => {
  test.each([
    ['as it is', text()],
    ['within a code fence', `\`\`\`json\n${text()}\n\`\`\``],
    ['with an unknown key', text({ reasoning: 'because' })],
    ['with white space around', `\n  ${text()}  \n`],
    ['with half a character', text({ summary: '\ud800 ok' })],
  ])('%s', (_title, answer) => {
    expect(readAnswer(answer, expected)).toMatchObject({ ok: true, answer: { proposed_verdict: 'PASS', stated: 1 } })
  })
})

describe('what is malformed', () => {
  test.each<[string, string]>([
    ['nothing', ''],
    ['prose', 'PASS'],
    ['prose around it', `Here it is: ${text()}`],
    ['two objects', `${text()}\n${text()}`],
    ['a list', `[${text()}]`],
    ['a string', JSON.stringify(text())],
    ['cut off', text().slice(0, -5)],
    ['a fence that does not end', `\`\`\`json\n${text()}`],
    ['another nonce', text({ nonce: 'n2' })],
    ['another schema', text({ schema: 'v2' })],
    ['an unknown question', text({ probes: [{ id: 'c2.p1', evidence: [], why: '', answer: 'met' }] })],
    ['an unknown open item', text({ open_items: [{ id: 'xyz', evidence: [], why: '', status: 'fixed' }] })],
    ['an unknown answer', text({ probes: [{ id: 'c1.p1', evidence: [], why: '', answer: 'yes' }] })],
    ['a boolean for a word', text({ probes: [{ id: 'c1.p1', evidence: [], why: '', answer: true }] })],
    ['a number for a word', text({ confidence: 0.9 })],
    ['a word for a number', text({ findings: [{ ...blocking, line: '2' }] })],
    ['a verdict that does not exist', text({ proposed_verdict: 'APPROVE' })],
    ['null for a list', text({ findings: null })],
    ['100 kB of nothing', 'x'.repeat(100_000)],
    ['more than anybody would read', JSON.stringify({ ...whole, summary: 'x'.repeat(500_000) })],
    ...Object.keys(whole).map((key) => [`without ${key}`, without(key)] satisfies [string, string]),
  ])('%s', (_title, answer) => {
    expect(readAnswer(answer, expected).ok).toBe(false)
  })

  test('it says what is wrong, for the one repetition', () => {
    const read = readAnswer(text({ nonce: 'n2' }), expected)
    expect(!read.ok && read.errors).toEqual(['The nonce is another.'])
  })
})

test('what is too long is shortened and counted, never refused', () => {
  const long = 'é😀'.repeat(3_000)
  const read = readAnswer(
    text({
      summary: long,
      findings: Array.from({ length: 30 }, () => ({ ...blocking, claim: long, line: 2.4 })),
      feedback: [{ about: 'x', instruction: long }],
    }),
    expected,
  )
  if (!read.ok) throw new Error('It was refused')
  const { summary, findings, feedback, clipped } = read.answer
  expect([summary.length, findings.length, findings[0]?.claim.length, feedback[0]?.instruction.length]).toEqual([
    1_999, 25, 400, 600,
  ])
  expect([findings[0]?.line, clipped]).toEqual([2, 1 + 25 + 5 + 1])
  expect([summary, findings[0]?.claim ?? ''].every((part) => part.isWellFormed())).toBe(true)
})

describe('the older shapes', () => {
  const old = { passed: true, issues: ['a', 'b'], confidence: 0.8, suggestion: 'do' }
  const older = { outcome: 'PASS', reasoning: 'fine', feedback: null, confidence: null }
  test.each<[string, Said, string, number | null]>([
    ['passed', old, 'PASS', 0.8],
    ['not passed', { ...old, passed: false }, 'SOFT_FAIL', 0.8],
    ['an outcome', older, 'PASS', null],
    ['an outcome that ends it', { ...older, outcome: 'HARD_FAIL', confidence: 1 }, 'HARD_FAIL', 1],
    ['both, and they differ', { ...old, ...older, passed: false }, 'SOFT_FAIL', null],
    ['both, the other way round', { ...old, ...older, outcome: 'SOFT_FAIL' }, 'SOFT_FAIL', null],
  ])('%s', (_title, value, proposed_verdict, stated) => {
    expect(readAnswer(JSON.stringify(value), expected)).toMatchObject({
      ok: true,
      answer: { probes: [], proposed_verdict, stated },
    })
  })

  test.each<[string, Said]>([
    ['a confidence beyond one', { ...old, confidence: 1.2 }],
    ['a confidence in words', { ...old, confidence: 'high' }],
    ['a word for passed', { ...old, passed: 'yes' }],
    ['no reasoning', { ...older, reasoning: '' }],
    ['REFER, which nobody may propose', { ...older, outcome: 'REFER' }],
  ])('%s is malformed', (_title, value) => {
    expect(readAnswer(JSON.stringify(value), expected).ok).toBe(false)
  })
})
