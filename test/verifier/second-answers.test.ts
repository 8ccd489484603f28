// Two answers of one reader, put together: a second one can show more, and can take nothing back.
import { describe, expect, test } from 'vitest'
import { redactor } from '../../src/verifier/asking/clean.ts'
import { presentedFile } from '../../src/verifier/change/presented.ts'
import { unfoundIn, withMore, withQuotes } from '../../src/verifier/weighing/second-look.ts'
import type { Reading } from '../../src/verifier/weighing/weigh.ts'
import { aFile, blocking, guardLines } from './lab.ts'
import { silence } from '../../src/verifier/weighing/answer.ts'

const presented = { files: [presentedFile(aFile('src/users.ts', guardLines), redactor([]))], checks: [] }
type Answer = Reading['answer']
type Finding = Answer['findings'][number]
type Probe = Answer['probes'][number]

const finding = (more: Partial<Finding> = {}): Finding => ({
  ...blocking,
  side: 'new',
  category: 'correctness',
  level: 'blocking',
  ...more,
})
const lost = finding({ quote: 'if (me.isNobody) removeEverybody()' })
const question = finding({ ...lost, level: 'question' })
const there = { path: 'src/users.ts', side: 'new', line: 3, quote: 'drop(user)' } as const
const no = (id: string, ...evidence: Probe['evidence']): Probe => ({ id, answer: 'not_met', evidence, why: '' })
const reading = (more: Partial<Answer> = {}): Reading => ({ answer: { ...silence, ...more }, presented })

describe('what is asked for once more', () => {
  test.each<[string, Partial<Answer>, number]>([
    ['an objection whose quote is nowhere', { findings: [lost] }, 1],
    ['no question whose quote is nowhere', { findings: [question] }, 0],
    ['no objection whose quote is there', { findings: [finding()] }, 0],
    ['a no whose quotes are all nowhere', { probes: [no('c1.p1', lost, lost)] }, 1],
    ['no no of which one quote is there', { probes: [no('c1.p1', lost, there)] }, 0],
    ['no no without a quote', { probes: [no('c1.p1')] }, 0],
    ['no yes', { probes: [{ ...no('c1.p1', lost), answer: 'met' }] }, 0],
  ])('%s', (_title, answer, count) => {
    expect(unfoundIn(reading(answer), 'near')).toHaveLength(count)
  })

  test('with its place, its claim and its quote', () => {
    expect(unfoundIn(reading({ findings: [lost], probes: [no('c1.p1', lost)] }), 'near')).toEqual([
      `${lost.path}:${lost.line}: ${lost.claim}: the quote "if (me.isNobody) removeEverybody()" is not there; copy the lines exactly as they are shown, with their path, side and number, or leave it out`,
      'question c1.p1, answered with not_met: its quote is not there; copy the lines exactly as they are shown, with their path, side and number, or leave it out',
    ])
  })
})

describe('a second answer with better quotes', () => {
  const quotesOf = (first: Partial<Answer>, second: Partial<Answer>) =>
    withQuotes(reading(first), reading(second)).answer.findings.map(({ quote, category }) => `${category}: ${quote}`)
  const found = finding()

  test('takes the place of the objection that it quotes', () => {
    expect(quotesOf({ findings: [lost] }, { findings: [found] })).toEqual([`${found.category}: ${found.quote}`])
  })

  test.each<[string, Partial<Answer>, Partial<Answer>]>([
    ['another kind', { findings: [lost] }, { findings: [finding({ category: 'other' })] }],
    ['another file', { findings: [finding({ ...lost, path: 'src/b.ts' })] }, { findings: [found] }],
    ['a mere question', { findings: [question] }, { findings: [found] }],
    ['what the first one proved', { findings: [finding({ line: 3, quote: 'drop(user)' })] }, { findings: [found] }],
  ])('takes not the place of %s', (_title, first, second) => {
    expect(quotesOf(first, second)).toHaveLength(2)
  })

  test.each<[string, Partial<Answer>]>([
    ['left out', {}],
    ['without a quote that is there', { findings: [lost] }],
    ['as a question', { findings: [finding({ level: 'question' })] }],
  ])('leaves the first objection where it is %s', (_title, second) => {
    expect(quotesOf({ findings: [lost] }, second)).toEqual([`${lost.category}: ${lost.quote}`])
  })

  test('adds each no that it shows, and no other', () => {
    const second = reading({ probes: [no('a', lost, there), no('b', lost), { ...no('c', there), answer: 'met' }] })
    expect(withQuotes(reading({ probes: [no('z')] }), second).answer.probes.map(({ id }) => id)).toEqual(['z', 'a'])
  })
})

describe('a second answer by somebody who was shown more', () => {
  const first = reading({
    findings: [finding(), lost, finding({ level: 'question' })],
    probes: [no('a', there), no('b', lost), { ...no('c', there), answer: 'met' }],
    suspicious_text: [there],
  })
  const second = reading({ summary: 'Second.', probes: [no('z')], findings: [finding({ category: 'other' })] })

  test('keeps what the first one proved, and only that', () => {
    const { answer } = withMore(first, second)
    expect(answer.findings).toEqual([finding({ category: 'other' }), finding()])
    expect(answer.probes.map(({ id }) => id)).toEqual(['z', 'a'])
    expect([answer.summary, answer.suspicious_text]).toEqual(['Second.', [there]])
  })
})
