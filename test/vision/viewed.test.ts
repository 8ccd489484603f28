// What a model is asked that is shown pictures, how its answer is read, and what comes of it.
import { describe, expect, test } from 'vitest'
import { redactor } from '../../src/verifier/asking/clean.ts'
import { readView } from '../../src/verifier/vision/answer.ts'
import { measuredFindings, viewedFindings } from '../../src/verifier/vision/found.ts'
import { viewRequest, type Shown } from '../../src/verifier/vision/request.ts'
import { aContract, attemptFor } from '../verifier/lab.ts'
import { shotOf } from './pictures.ts'

const png = Buffer.from('picture')
const seen = (page: string): Shown => ({
  shot: shotOf(page, png).named,
  kind: 'seen',
  width: 750,
  height: 100,
  measured: [],
  png,
})
const finding = {
  page: 2,
  severity: 'HIGH',
  claim: 'It is red.',
  expected: 'blue',
  seen: 'red',
  fix: 'paint it',
  confidence: 0.9,
}
const said = (more: object = {}) =>
  JSON.stringify({
    schema: 'v1',
    nonce: 'n1',
    pages: [
      { page: 2, shows: 'a cart' },
      { page: 1, shows: 'a page' },
    ],
    findings: [finding],
    summary: 'Looked.',
    ...more,
  })

describe('an answer', () => {
  test('of our nonce that speaks of every picture is read', () => {
    expect(readView(said(), 'n1', 2)).toEqual({ ok: true, value: { findings: [finding], summary: 'Looked.' } })
  })

  test.each<[string, string, number, RegExp]>([
    ['of another nonce', said({ nonce: 'n2' }), 2, /nonce is another/],
    ['that leaves a picture out', said(), 3, /Not every picture/],
    [
      'that speaks of one twice',
      said({
        pages: [
          { page: 1, shows: '' },
          { page: 1, shows: '' },
        ],
      }),
      2,
      /Not every picture/,
    ],
    ['about a picture that was not shown', said({ findings: [{ ...finding, page: 3 }] }), 2, /that was not shown/],
    ['in another shape', '{"schema":"v1"}', 2, /not one JSON object/],
  ])('%s is none', (_, text, count, why) => {
    expect(readView(text, 'n1', count)).toEqual({ ok: false, errors: [expect.stringMatching(why)] })
  })

  test.each([
    [7, 1],
    [-1, 0],
  ])('that is %s sure is %s sure', (confidence, is) => {
    const read = readView(said({ findings: [{ ...finding, confidence }] }), 'n1', 2)
    expect(read.ok && read.value.findings[0]?.confidence).toBe(is)
  })
})

test('what it saw is told in one sentence, and weighs less where it is unsure', () => {
  const pages = [seen('page'), seen('cart')]
  const told = (more: object) =>
    viewedFindings({ findings: [{ ...finding, severity: 'HIGH', ...more }], summary: '' }, pages, 'sha')[0]
  expect(told({})).toMatchObject({
    path: 'cart',
    line: 0,
    claim: 'It is red.; it shows red; expected blue',
    fix: 'paint it',
    severity: 'HIGH',
    level: 'blocking',
    first_sha: 'sha',
  })
  expect(told({ seen: '', expected: '' })?.claim).toBe('It is red.')
  expect([told({ confidence: 0.49 })?.severity, told({ confidence: 0.5 })?.severity]).toEqual(['LOW', 'HIGH'])
  expect(told({ confidence: 0.1, severity: 'INFO' })).toMatchObject({ severity: 'INFO', level: 'question' })
  expect(told({ confidence: 0.49 })?.level).toBe('question')
})

test('what is as expected is no finding, and what nobody could measure is none either', () => {
  const expectation = { kind: 'size', description: 'wide', severity: 'HIGH' } as const
  const measured = ([true, null, false] as const).map((met) => {
    return { expectation, measure: { met, measured: '1 × 1', expected: '2 × 1' } }
  })
  expect(measuredFindings([{ ...seen('cart'), measured }], [expectation], 'sha')).toMatchObject([
    { claim: 'wide; it shows 1 × 1', fix: 'it should show 2 × 1' },
  ])
})

test('a kind that nobody looks at is a finding only where its page is expected', () => {
  const other = { shot: shotOf('cart', png, { media_type: 'image/gif' }).named, kind: 'passed over' } as const
  const expectation = { kind: 'size', description: 'wide', severity: 'HIGH' } as const
  expect(measuredFindings([other], [expectation], 'sha')).toEqual([])
  expect(measuredFindings([other], [{ ...expectation, page: 'cart' }], 'sha')).toHaveLength(1)
  expect(measuredFindings([other], [{ ...expectation, page: 'pay' }], 'sha')).toHaveLength(1)
  const ofAny = { ...expectation, description: 'small' }
  expect(measuredFindings([other], [{ ...expectation, page: 'cart' }, ofAny], 'sha')).toMatchObject([
    { path: 'cart', claim: 'only PNG is looked at, and this is image/gif', severity: 'MEDIUM' },
  ])
})

describe('a request', () => {
  const contract: ReturnType<typeof aContract> = { ...aContract(), brief: 'A calm page.', expectations: [] }
  const terms = { redact: redactor([]), keyed: () => '0123456789abcdef' }
  const ask = (remarks: readonly string[], given = contract) =>
    viewRequest(attemptFor(given), [seen('cart')], terms, { nonce: 'n1', model: 'm', remarks })

  test('shows each picture behind its number, and reckons it by its size', () => {
    const [first, second, last] = ask([]).content
    expect(first?.text).toBe('Picture 1:')
    expect(second).toMatchObject({ picture: { png: png.toString('base64'), tokens: 100 } })
    expect(second?.text).toBe(`[image sha256=${shotOf('cart', png).named.sha256}]`)
    expect(last?.text).toContain('A calm page.')
    expect(last?.text).toContain('{"name":"cart","page":1}')
  })

  test('says what was wrong with the answer before, and nothing where there was none', () => {
    expect(ask([]).content.at(-1)?.text).not.toContain('# Remarks')
    expect(ask(['The nonce is another.']).content.at(-1)?.text).toMatch(
      /# Remarks\n⟦criteria-json \w+ "remarks"⟧\nThe nonce/,
    )
  })

  test('names what is expected, and of which page', () => {
    const expectations = [
      { kind: 'size', description: 'it is wide', severity: 'HIGH' },
      { kind: 'size', page: 'cart', description: 'it is small', severity: 'HIGH' },
    ] as const
    const text = ask([], { ...contract, expectations: [...expectations] }).content.at(-1)?.text ?? ''
    expect(text).toContain('- it is wide')
    expect(text).toContain('- cart: it is small')
    expect(text).not.toContain('undefined')
  })

  test('leaves out what the builder says of the change where nobody else says what it is for', () => {
    const own = attemptFor({ ...contract, description: 'Trust me.', task_id: 'acme/shop#9' }, { pull: 9 })
    const asked = viewRequest(own, [seen('cart')], terms, { nonce: 'n1', model: 'm', remarks: [] })
    expect(asked.content.at(-1)?.text).not.toContain('Trust me.')
  })
})
