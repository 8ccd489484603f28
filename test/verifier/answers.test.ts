// Answers as models give them, read strictly: what is not exactly one object of our shape is malformed and never a pass.
import { describe, expect, test } from 'vitest'
import { readAnswer } from '../../src/verifier/weighing/answer.ts'
import { blocking, proof, type Said } from './lab.ts'

const expected = { nonce: 'n1', probes: ['c1.p1'], items: ['abc'], control: null }
const whole: Said = {
  schema: 'v1',
  nonce: 'n1',
  probes: [{ id: 'c1.p1', evidence: [proof], why: 'w', answer: 'met' }],
  open_items: [],
  copied: [],
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
    ['within a code fence without a word', `\n\`\`\` \n\n${text()} \n \n\`\`\` \n`],
    ['within a code fence', `\`\`\`json\n${text()}\n\`\`\``],
    ['with an unknown key', text({ reasoning: 'because' })],
    ['with white space around', `\n  ${text()}  \n`],
    ['with half a character', text({ summary: '\ud800 ok' })],
  ])('%s', (_title, answer) => {
    expect(readAnswer(answer, expected)).toMatchObject({ ok: true, answer: { proposed_verdict: 'PASS', stated: 1 } })
  })
})

test.each([
  ['and nothing else', `\`\`\`${'\n'.repeat(3_000)}.`],
  ['within an object that never ends', `\`\`\`json\n{${'\n'.repeat(60_000)}.`],
])('blanks without end, %s, keep nobody waiting', (_title, answer) => {
  const began = performance.now()
  expect(readAnswer(answer, expected)).toMatchObject({ ok: false })
  expect(performance.now() - began).toBeLessThan(1_000)
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
    ['a fence of another language', `\`\`\`js\n${text()}\n\`\`\``],
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
    const errors = (answer: string): readonly string[] => {
      const said = readAnswer(answer, expected)
      return said.ok ? [] : said.errors
    }
    expect(errors('PASS')).toEqual(['The answer is not one JSON object.'])
    expect(errors('{}')).toHaveLength(10)
    const strange = ['c2.p1', 'x'.repeat(50), 'c4.p1', 'c5.p1'].map((id) => ({
      id,
      evidence: [],
      why: '',
      answer: 'met',
    }))
    expect(errors(text({ probes: strange }))).toEqual([
      'There is no question "c2.p1".',
      `There is no question "${'x'.repeat(40)}".`,
      'There is no question "c4.p1".',
    ])
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

test('of too many entries the first are read', () => {
  const many = <T>(one: T): T[] => Array.from({ length: 30 }, () => one)
  const long = 'x'.repeat(3_000)
  const item = { id: 'abc', evidence: many(proof), why: long, status: 'fixed' }
  const read = readAnswer(
    text({
      probes: [{ id: 'c1.p1', evidence: many({ ...proof, line: 1.6, quote: long }), why: long, answer: 'met' }],
      open_items: [item],
      findings: [{ ...blocking, quote: long, failure_scenario: long, fix: long }],
      suspicious_text: many(proof),
      unseen_needed: many(long),
      feedback: many({ about: 'x', instruction: 'i' }),
    }),
    expected,
  )
  if (!read.ok) throw new Error('It was refused')
  const { probes, open_items, findings, suspicious_text, unseen_needed, feedback, clipped } = read.answer
  expect([probes[0]?.evidence.length, open_items[0]?.evidence.length]).toEqual([25, 25])
  expect([suspicious_text.length, unseen_needed.length, feedback.length]).toEqual([25, 25, 25])
  expect(probes[0]?.evidence[0]).toMatchObject({ line: 2, quote: 'x'.repeat(400) })
  expect([probes[0]?.why, open_items[0]?.why, unseen_needed[0]]).toEqual(
    Array.from({ length: 3 }, () => 'x'.repeat(600)),
  )
  const [finding] = findings
  expect([finding?.quote.length, finding?.failure_scenario.length, finding?.fix.length]).toEqual([400, 600, 600])
  expect(clipped).toBe(25 + 1 + 1 + 3 + 25)
})

test('nothing that fits is shortened', () => {
  const fits = text({
    summary: 's'.repeat(2_000),
    unseen_needed: ['u'.repeat(600)],
    findings: [{ ...blocking, claim: 'c'.repeat(400) }],
  })
  const read = readAnswer(fits, expected)
  expect(read).toMatchObject({ answer: { summary: 's'.repeat(2_000), unseen_needed: ['u'.repeat(600)], clipped: 0 } })
})

test('an answer on record is not held against the open items of today', () => {
  const items = [{ id: 'xyz', evidence: [], why: '', status: 'fixed' }]
  expect(readAnswer(text({ open_items: items }), { ...expected, items: null, control: null }).ok).toBe(true)
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

  test('say what they have to say, shortened', () => {
    const told = (value: Said) => {
      const read = readAnswer(JSON.stringify(value), expected)
      return read.ok ? [read.answer.summary, ...read.answer.feedback.map(({ instruction }) => instruction)] : null
    }
    expect(told(old)).toEqual(['a; b', 'do'])
    expect(told({ ...old, suggestion: ' ' })).toEqual(['a; b'])
    expect(told({ ...older, feedback: 'mend it' })).toEqual(['fine', 'mend it'])
    expect(told(older)).toEqual(['fine'])
    expect(told({ ...old, ...older, feedback: 'mend it' })).toEqual(['fine', 'do'])
    const long = 'x'.repeat(3_000)
    expect(told({ ...older, reasoning: long, feedback: long })).toEqual(['x'.repeat(2_000), 'x'.repeat(600)])
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
