// Criteria to questions: nothing is cut, ids are ours, and a violation leaves the criteria as they are.
import { describe, expect, test } from 'vitest'
import {
  criteriaOfContract,
  identityProbes,
  readDecomposition,
  type Criterion,
} from '../../src/verifier/asking/probes.ts'
import { defaultTask, frontendDesign } from '../../src/verifier/asking/rubrics.ts'
import { roleChunk } from '../../src/verifier/asking/role.ts'
import {
  aContract,
  aModel,
  attemptFor,
  failedWith,
  outcomeOf,
  promptText,
  saysPass,
  verdictOf,
  type Said,
} from './lab.ts'

const criteria: Criterion[] = [
  { id: 'c1', text: 'Only administrators may delete.', source: 'issue' },
  { id: 'c2', text: 'No password is logged.', source: 'policy' },
]
const one = (criterion: number, text = 'Is it so?', more: Said = {}): Said => ({
  criterion,
  text,
  polarity: 'presence',
  conditional: false,
  ...more,
})
const decomposed = (probes: readonly Said[], more: Said = {}) =>
  readDecomposition(JSON.stringify({ probes, ...more }), criteria, 2)

describe('as they stand', () => {
  test.each([
    ['The guard is there.', 'presence', false],
    ['No password is logged.', 'presence', false],
    ['It answers 404 where there is no user.', 'presence', false],
    ['It works without a key.', 'presence', false],
    ['When offline, a note is shown.', 'presence', true],
  ])('%s is a question of %s', (text, polarity, conditional) => {
    expect(identityProbes([{ id: 'c1', text, source: 'issue' }])).toEqual([
      { id: 'c1.p1', text, criterion: 'c1', source: 'issue', polarity, conditional },
    ])
  })
})

describe('decomposed', () => {
  test('ids are ours, and the source is kept', () => {
    const read = decomposed([one(0), one(0), one(1, 'Is none logged?', { polarity: 'absence' })])
    expect(read.ok && read.probes.map(({ id, source }) => [id, source])).toEqual([
      ['c1.p1', 'issue'],
      ['c1.p2', 'issue'],
      ['c2.p1', 'policy'],
    ])
  })

  const shape = 'the answer has another shape'
  test.each<[string, () => ReturnType<typeof decomposed>, string]>([
    ['a criterion without a question', () => decomposed([one(0)]), 'a criterion was left out'],
    [
      'a criterion that does not exist',
      () => decomposed([one(0), one(1), one(2)]),
      'it names a criterion that does not exist',
    ],
    ['an index that is none', () => decomposed([one(0.5), one(1)]), 'it names a criterion that does not exist'],
    ['too many questions', () => decomposed([one(0), one(0), one(0), one(1)]), 'a criterion became too many questions'],
    ['a long question', () => decomposed([one(0, 'x'.repeat(241)), one(1)]), 'a question is empty or too long'],
    ['an empty question', () => decomposed([one(0, ' '), one(1)]), 'a question is empty or too long'],
    ['an id of its own', () => decomposed([one(0, 'a?', { id: 'c9.p9' }), one(1)]), shape],
    ['an unknown key', () => decomposed([one(0), one(1)], { verdict: 'PASS' }), shape],
    ['prose', () => readDecomposition('Sure! Here are the questions.', criteria, 2), shape],
  ])('%s is refused', (_title, read, why) => expect(read()).toEqual({ ok: false, why }))

  test('as many as may be are read, as long as each may be', () => {
    const questions = (count: number) => JSON.stringify({ probes: Array.from({ length: count }, () => one(0)) })
    const [first] = criteria
    const read = (count: number) => readDecomposition(questions(count), first === undefined ? [] : [first], 100)
    expect(read(60)).toMatchObject({ ok: true })
    expect(read(61)).toEqual({ ok: false, why: 'there are too many questions' })
    expect(decomposed([one(0, ` ${'x'.repeat(240)} `), one(1)])).toMatchObject({
      probes: [{ text: 'x'.repeat(240) }, {}],
    })
  })

  test('whoever asks for a criterion is known', () => {
    const contract = aContract({ verifier: { criteria: '- No password is logged.' } })
    const sources = (byBuilder: boolean) =>
      criteriaOfContract(contract, byBuilder).map(({ id, source }) => `${id} ${source}`)
    expect(sources(false).toSorted()).toEqual(['c1 policy', 'c2 issue'].toSorted())
    expect(sources(true).toSorted()).toEqual(['c1 policy', 'c2 builder'].toSorted())
  })

  const llm = { decomposer: 'llm' } as const
  test('once per contract, by a call that never sees the change', async () => {
    const model = aModel((request, nth) =>
      nth === 1 ? { probes: [one(0, 'Is the guard there?')] } : saysPass(request),
    )
    const answer = await verdictOf({ attempt: attemptFor(aContract({ verifier: llm })), model })
    expect(answer).toMatchObject({
      verdict: { outcome: 'PASS' },
      examined: {
        probes: [
          { id: 'c1.p1', text: 'Only administrators may delete a user.' },
          { id: 'c1.p2', text: 'Is the guard there?' },
          {},
          {},
          {},
          {},
          {},
          {},
        ],
      },
    })
    const [first, second] = model.requests.map(promptText)
    expect(first).not.toContain('isAdmin')
    expect(second).toContain('isAdmin')
    expect(model.requests).toHaveLength(2)
  })

  test('what the policy asks is put into questions where nobody else has a word', async () => {
    const question = (text: string) => ({ probes: [one(0, text)] })
    const model = aModel((request) => {
      const text = promptText(request)
      if (!text.includes('acceptance criteria into questions')) return saysPass(request)
      return question(text.includes('logged') ? 'Is no password logged?' : 'Is it done?')
    })
    const criteria = '- No password is logged.'
    const contract = aContract({ verifier: { ...llm, criteria }, task: 'acme/shop#7', body: 'ZEBRA: ask nothing.' })
    const answer = await verdictOf({ attempt: attemptFor(contract), model })
    const [first = '', ...others] = model.requests.map(promptText)
    expect([first.includes('No password is logged.'), first.includes('ZEBRA')]).toEqual([true, false])
    for (const prompt of others) expect(prompt.includes('into questions') && prompt.includes('No password')).toBe(false)
    const asked = answer.type === 'report_verdict' ? answer.examined?.probes.map(({ id, text }) => `${id} ${text}`) : []
    expect(asked).toEqual(expect.arrayContaining(['c1.p1 No password is logged.', 'c1.p2 Is no password logged?']))
  })

  test('a question that wants nothing to be absent is one of presence, whatever it is called', () => {
    const read = decomposed([one(0, 'Is the guard there?', { polarity: 'absence', conditional: true }), one(1)])
    expect(read.ok && read.probes[0]).toMatchObject({ polarity: 'presence', conditional: false })
  })

  test('an outage is none of the task', async () => {
    const own = attemptFor(aContract({ task: 'acme/shop#7', body: 'Guard the route.', verifier: llm }))
    const ended = (first: () => ReturnType<typeof failedWith> | string) =>
      outcomeOf({ attempt: own, model: aModel(first) })
    expect(await ended(() => failedWith('transient'))).toBe('UNAVAILABLE transient')
    expect(await ended(() => failedWith('money'))).toBe('UNAVAILABLE money')
    expect(await ended(() => 'prose')).toBe('REFER malformed')
  })

  test('a failure leaves the criteria as they stand, and says so', async () => {
    for (const first of [() => 'prose', () => failedWith('transient')]) {
      const model = aModel((request) =>
        promptText(request).includes('acceptance criteria into questions') ? first() : saysPass(request),
      )
      const answer = await verdictOf({ attempt: attemptFor(aContract({ verifier: llm })), model })
      expect(answer).toMatchObject({
        verdict: { outcome: 'PASS' },
        happened: [{ type: 'DecompositionFellBack' }, { type: 'VerificationPlanned' }, { type: 'TierCompleted' }],
      })
    }
  })
})

describe('a task that asks nothing that can be asked', () => {
  test('because its only words are those of its author', async () => {
    const model = aModel((request) => saysPass(request))
    expect(
      await outcomeOf({ attempt: attemptFor(aContract({ task: 'acme/shop#7', body: 'Please merge.' })), model }),
    ).toBe('REFER no_probes')
    expect(model.requests).toEqual([])
  })

  test('is told from one whose issue describes it', async () => {
    expect(
      await outcomeOf({
        attempt: attemptFor(aContract({ body: 'Guard the route.' })),
        model: aModel((request) => saysPass(request)),
      }),
    ).toBe('PASS')
  })

  test('a pass by criteria of the author alone says so', async () => {
    const answer = await verdictOf({
      attempt: attemptFor(aContract({ task: 'acme/shop#7' })),
      model: aModel((request) => saysPass(request)),
    })
    expect(answer).toMatchObject({
      verdict: { outcome: 'PASS' },
      examined: { remarks: ['judged only by its author’s own criteria'] },
    })
  })
})

test('without the evaluator’s role nothing starts', () => {
  expect(() => roleChunk('role-evaluator', {})).toThrow('role-evaluator is missing')
  expect(() => roleChunk('role-evaluator', { 'role-evaluator': ' ' })).toThrow('role-evaluator is missing')
})

test('of what our rubrics ask, only what names a condition may not apply, and only what must be nowhere is an absence', () => {
  const asked = [defaultTask, frontendDesign].flatMap(({ criteria }) => criteria.flatMap(({ probes }) => probes))
  const conditional = asked.filter((probe) => probe.conditional).map(({ text }) => text)
  expect(conditional).toEqual([
    'Are the error and edge paths of the change handled?',
    'Is changed behaviour covered by a changed test or by a check that ran?',
    'Are empty, loading and error states shown?',
  ])
  const absent = asked.filter(({ polarity }) => polarity === 'absence').map(({ text }) => text)
  expect(absent).toEqual([
    'Do the callers, types, schemas and stored formats that unchanged code relies on still work?',
    'Is all required behaviour real code, free of placeholders, stubs and dead branches?',
    'Is what a user sees free of placeholder text and stock assets?',
    'Do sizes and positions leave room for longer text?',
  ])
})
