// An answer of somebody who did not read is no answer: what this program knows is asked among the rest.
import { expect, test } from 'vitest'
import { controlFlaws, controlOf } from '../../src/verifier/asking/control.ts'
import { presentedFile } from '../../src/verifier/change/presented.ts'
import { redactor } from '../../src/verifier/asking/clean.ts'
import { sha256 } from '../../src/core/canonical.ts'
import { controlled, promptSeen } from '../../src/engine/verify/doubles/prompt-seen.ts'
import { aFile, aModel, guardLines, outcomeOf, saysPass, type Said } from './lab.ts'

const files = [
  presentedFile(aFile('src/users.ts', [...guardLines, '+}', '+    ']), redactor([])),
  presentedFile(aFile('src/rates.ts', ['+export const rate = 1', '-export const old = 2']), redactor([])),
]
const draws = (salt: string) => (what: string) => sha256(`${salt}|${what}`)
const hundred = Array.from({ length: 100 }, (_, nth) => controlOf(files, draws(`${nth}`)))

test('one yes and one no, in no order that could be told, and two lines that are worth copying', () => {
  for (const { questions, lines } of hundred) {
    expect(questions.map(({ answer }) => answer).toSorted()).toEqual(['met', 'not_met'])
    expect(new Set(lines.map(({ path, side, line }) => `${path} ${side} ${line}`)).size).toBe(2)
    for (const { text } of lines) expect(text.length).toBeGreaterThanOrEqual(8)
  }
  expect(new Set(hundred.map(({ questions }) => questions[0]?.answer)).size).toBe(2)
  expect(new Set(hundred.flatMap(({ lines }) => lines.map(({ text }) => text)))).toEqual(
    new Set(['drop(user)', 'if (!me.isAdmin) throw new Forbidden()', 'export const rate = 1', 'export const old = 2']),
  )
})

test('the same every time, and of a change without lines there are only questions', () => {
  expect(controlOf(files, draws('1'))).toEqual(controlOf(files, draws('1')))
  const bare = controlOf([], draws('1'))
  expect([bare.questions.length, bare.lines]).toEqual([2, []])
})

test('a line is copied that can be copied as it is shown, and that nobody would guess', () => {
  const long = 'x'.repeat(160)
  const lines = [
    '+12345678',
    `+${long}`,
    '+1234567',
    `+${long}y`,
    '+before ⟦SECRET 1⟧',
    '+      }',
    ' const same = 1',
    '-}',
  ]
  const one = presentedFile(aFile('src/lines.ts', lines), redactor([]))
  const drawn = Array.from({ length: 40 }, (_, nth) => controlOf([one], draws(`${nth}`)))
  expect(new Set(drawn.flatMap((control) => control.lines.map(({ text }) => text)))).toEqual(
    new Set(['12345678', long]),
  )
  expect(drawn.map((control) => control.lines.length)).toEqual(Array.from({ length: 40 }, () => 2))
})

test('of a change without files it asks for what is always there', () => {
  expect(controlOf([], draws('1')).questions.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['Is there a code-diff with the name "all files"?']),
  )
})

const right = controlOf(files, draws('1'))
const probes = right.questions.map(({ id, answer }) => ({ id, answer }))
const copied = right.lines.map(({ text, ...at }) => ({ ...at, quote: `  ${text} ` }))
const [first, second] = probes
// prettier-ignore
test.each<[string, Parameters<typeof controlFlaws>[1], number]>([
  ['right', { probes, copied }, 0],
  ['yes to all', { probes: probes.map(({ id }) => ({ id, answer: 'met' })), copied }, 1],
  ['no to all', { probes: probes.map(({ id }) => ({ id, answer: 'not_met' })), copied }, 1],
  ['one left out', { probes: probes.slice(1), copied }, 1],
  ['one answered twice', { probes: [...probes, { id: first?.id ?? '', answer: second?.answer ?? '' }], copied }, 1],
  ['a line left out', { probes, copied: copied.slice(1) }, 1],
  ['a line of another place', { probes, copied: copied.map((one) => ({ ...one, line: one.line + 1 })) }, 1],
  ['a line of another file', { probes, copied: copied.map((one) => ({ ...one, path: 'src/other.ts' })) }, 1],
  ['a line of the other side', { probes, copied: copied.map((one) => ({ ...one, side: one.side === 'new' ? 'old' : 'new' })) }, 1],
  ['lines that only look like it', { probes, copied: copied.map((one) => ({ ...one, quote: `${one.quote};` })) }, 1],
  ['nothing', { probes: [], copied: [] }, 2],
])('%s', (_title, said, flaws) => expect(controlFlaws(right, said)).toHaveLength(flaws))

const met = (one: Said): Said => ({ ...one, answer: 'met' })
test.each<[string, (said: Said) => Said]>([
  [
    'says yes to everything',
    (said) => ({ ...said, probes: Array.isArray(said['probes']) ? said['probes'].map(met) : [] }),
  ],
  ['copies nothing', (said) => ({ ...said, copied: [] })],
])('whoever %s has not answered, and is told so once', async (_title, spoilt) => {
  const model = aModel((request) => spoilt(saysPass(request)))
  expect(await outcomeOf({ model })).toBe('REFER malformed')
  expect(model.requests).toHaveLength(2)
  const [, again] = model.requests.map((request) => request.content.map(({ text }) => text).join('\n'))
  expect(again).toMatch(/under Control is (?:answered wrongly|not copied)/)
  const once = aModel((request, nth) => (nth === 1 ? spoilt(saysPass(request)) : saysPass(request)))
  expect(await outcomeOf({ model: once })).toBe('PASS')
})

test('the same change is asked the same, and its author cannot tell what', async () => {
  const asked = async () => {
    const model = aModel((request) => saysPass(request))
    await outcomeOf({ model })
    return model.requests.map((request) => promptSeen(request)).map(({ known, places }) => ({ known, places }))
  }
  expect(await asked()).toEqual(await asked())
  const [one] = await asked()
  expect(one?.places).toHaveLength(2)
  expect(one?.known.map(({ text }) => text).toSorted()[0]).toBe('Is there a code-diff with the name "src/users.ts"?')
})

test('somebody who read answers what is asked', () => {
  const shown = { known: right.questions.map(({ id, text }) => ({ id, text })), places: right.lines }
  const lines = right.lines.map((line) => ({ ...line, sign: '+' as const }))
  const seen = {
    step: 'judge',
    nonce: '',
    probes: [],
    criteria: [],
    items: [],
    files: files.map(({ path }) => path),
  } as const
  expect(controlFlaws(right, controlled({ ...seen, ...shown, lines }))).toEqual([])
})
