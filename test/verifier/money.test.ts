// Money to the cent: what calls cost, and which of them may be made.
import { describe, expect, test } from 'vitest'
import {
  bothPurses,
  dollarsAtMost,
  dollarsExpected,
  dollarsOf,
  endlessPurse,
  mayBegin,
  mayCall,
  taskPurses,
} from '../../src/verifier/calls/money.ts'
import type { ModelRequest, Usage } from '../../src/verifier/calls/model.ts'
import { aContract, aModel, attemptFor, outcomeOf, saysPass, verdictOf } from './lab.ts'

const usage = (given: Partial<Usage>): Usage => ({
  input: 0,
  cache_write_5m: 0,
  cache_write_1h: 0,
  cache_read: 0,
  output: 0,
  thinking: 0,
  ...given,
})

const prices = { 'a-model-of-tomorrow': { input: 3, output: 7.5 } }
const anew = { cached: false, prices: {} }
const cached = { cached: true, prices: {} }

describe('a call costs', () => {
  test.each([
    ['claude-sonnet-5-5', { input: 28_000, output: 5_000 }, 0.106],
    ['claude-sonnet-5-5', { cache_write_5m: 28_000, output: 5_000 }, 0.12],
    ['claude-sonnet-5-5', { cache_write_1h: 28_000, output: 5_000 }, 0.162],
    ['claude-sonnet-5-5', { cache_read: 28_000, output: 5_000 }, 0.0556],
    ['claude-sonnet-5-5-20260928', { input: 28_000, output: 5_000 }, 0.106],
    ['claude-opus-5-5', { input: 28_000, output: 5_000 }, 0.212],
    ['claude-haiku-5-5', { input: 28_000, output: 5_000 }, 0.0053],
    ['claude-haiku-5-5', { input: 60_000, cache_read: 60_000, output: 1_000 }, 0.0355],
    ['claude-haiku-5-5', { input: 60_000, cache_write_5m: 60_000 }, 0.0675],
    ['claude-haiku-5-5', { input: 60_000, cache_write_1h: 60_000 }, 0.09],
    ['a-model-of-tomorrow', { input: 1_000, cache_read: 1_000, cache_write_5m: 1_000, output: 1_000 }, 0.01725],
    ['claude-haiku-5-5-20261007', { cache_write_1h: 1_000_000 }, 1],
  ])('%s %o: $%d', (model, given, usd) => {
    expect(dollarsOf(model, usage(given), prices)).toBeCloseTo(usd, 6)
  })

  test('at most what it would with the whole answer and nothing cached', () => {
    const request: ModelRequest = {
      model: 'claude-sonnet-5-5',
      system: [],
      content: [{ text: 'x'.repeat(2_500), cache: '5m' }],
      format: null,
      effort: 'high',
      max_tokens: 16_000,
    }
    expect(dollarsAtMost(request, anew)).toBeCloseTo((1_000 * 2.5 + 16_000 * 10) / 1e6, 9)
    const system = [{ text: 'x'.repeat(2_499), cache: '1h' as const }]
    expect(dollarsAtMost({ ...request, system }, anew)).toBeCloseTo((2_000 * 4 + 16_000 * 10) / 1e6, 9)
  })
})

describe('a call will probably cost', () => {
  // Of 2,500 characters a thousand tokens are reckoned, and one for what joins them; the answer is taken for 6,000.
  const asking = (cache: '5m' | null, model = 'claude-sonnet-5-5'): ModelRequest => ({
    model,
    system: [],
    content: [
      { text: 'x'.repeat(2_500), cache },
      { text: 'y'.repeat(5_000), cache: null },
    ],
    format: null,
    effort: 'high',
    max_tokens: 16_000,
  })
  test.each([
    ['its prefix written', () => dollarsExpected(asking('5m'), anew), 1_000 * 2.5 + 2_000 * 2],
    ['its prefix read', () => dollarsExpected(asking('5m'), cached), 1_000 * 0.2 + 2_000 * 2],
    ['all of it new where nothing is kept', () => dollarsExpected(asking(null), cached), 3_001 * 2],
  ])('%s', (_title, usd, prompt) => {
    expect(usd()).toBeCloseTo((prompt + 6_000 * 10) / 1e6, 9)
  })
})

test('a call will probably cost more above the length up to which its model is cheap', () => {
  const of = (prefix: number, rest: number, system = '') =>
    dollarsExpected(
      {
        model: 'claude-haiku-5-5',
        system: system === '' ? [] : [{ text: system, cache: null }],
        content: [
          { text: 'x'.repeat(prefix * 2.5), cache: system === '' ? '5m' : null },
          { text: 'y'.repeat(rest * 2.5), cache: null },
        ],
        format: null,
        effort: 'high',
        max_tokens: 16_000,
      },
      cached,
    )
  expect(of(60_000, 40_000)).toBeCloseTo((60_000 * 0.01 + 40_000 * 0.1 + 6_000 * 0.5) / 1e6, 9)
  expect(of(60_000, 40_002)).toBeCloseTo((60_000 * 0.05 + 40_002 * 0.5 + 6_000 * 2.5) / 1e6, 9)
  // Where nothing is kept the system part is new as well; what joins two texts is one character more.
  expect(of(10_000, 20_000, 'z'.repeat(25_000))).toBeCloseTo((40_001 * 0.1 + 6_000 * 0.5) / 1e6, 9)
})

const budget = { usd_per_attempt: 0.75, usd_per_task: 5, calls_per_attempt: 12, prices: {} }
const spent = { usd: 0, calls: 0, task_usd: 0 }

describe('a call may be made', () => {
  test.each([
    ['up to the limit', () => mayCall(budget, { ...spent, usd: 0.5 }, 0.25), { ok: true }],
    [
      'not beyond it',
      () => mayCall(budget, { ...spent, usd: 0.51 }, 0.25),
      { ok: false, why: '`budget.usd_per_attempt` is 0.75; 0.76 would do' },
    ],
    ['up to the number of calls', () => mayCall(budget, { ...spent, calls: 11 }, 0), { ok: true }],
    [
      'not one more',
      () => mayCall(budget, { ...spent, calls: 12 }, 0),
      { ok: false, why: '`budget.calls_per_attempt` is 12; 13 would do' },
    ],
    [
      'not beyond what the task may cost',
      () => mayCall(budget, { ...spent, task_usd: 4.9 }, 0.2),
      { ok: false, why: '`budget.usd_per_task` is 5; 5.1 would do' },
    ],
    [
      'not beyond it with what this attempt has spent of it',
      () => mayCall(budget, { ...spent, usd: 0.2, task_usd: 4.7 }, 0.2),
      { ok: false, why: '`budget.usd_per_task` is 5; 5.1 would do' },
    ],
    ['when all that are planned and two more fit', () => mayBegin(budget, { calls: 10, usd: 0.1 }, 0), { ok: true }],
    [
      'not when they do not',
      () => mayBegin(budget, { calls: 11, usd: 0.1 }, 0),
      { ok: false, why: '`budget.calls_per_attempt` is 12; 13 would do' },
    ],
  ])('%s', (_title, permit, expected) => {
    expect(permit()).toEqual(expected)
  })
})

describe('two purses', () => {
  const limit = { limit: 1, recorded: 0 }
  test('pay together, and each is given back what a call did not cost', async () => {
    const purses = taskPurses()
    const taken = await bothPurses(purses('a', limit), purses('b', limit)).take(1)
    if (!taken.ok) throw new Error('both were full')
    await taken.spent(0.4)
    const left = await Promise.all(['a', 'b'].map((one) => purses(one, limit).take(0.6)))
    expect(left.map(({ ok }) => ok)).toEqual([true, true])
  })

  test('pay nothing where one of them cannot', async () => {
    const purses = taskPurses()
    const away = { take: () => Promise.reject(new Error('away')) }
    const [full, poor] = [purses('a', limit), purses('b', { limit: 0.5, recorded: 0 })]
    expect(await bothPurses(full, poor).take(1)).toEqual({ ok: false, why: '`budget.usd_per_task` is 0.5; 1 would do' })
    await expect(bothPurses(full, away).take(1)).rejects.toThrow('away')
    expect((await bothPurses(full, endlessPurse).take(1)).ok).toBe(true)
  })
})

describe('over a limit', () => {
  const withBudget = (given: Partial<typeof budget>) =>
    attemptFor(aContract({ policy: { budget: { ...budget, ...given } } }))
  test('nobody is called, and the limit that would do is named', async () => {
    const model = aModel((request) => saysPass(request))
    const answer = await verdictOf({ model, attempt: withBudget({ usd_per_attempt: 0.01 }) })
    expect(answer).toMatchObject({
      verdict: {
        outcome: 'REFER',
        reason_code: 'budget',
        feedback: expect.stringMatching(/usd_per_attempt` is 0.01; 0.\d+ would do/),
      },
    })
    expect(model.requests).toEqual([])
  })

  test('failed calls and repeats count too', async () => {
    const model = aModel(() => 'prose')
    expect(await outcomeOf({ model, attempt: withBudget({ calls_per_attempt: 3 }) })).toBe('REFER malformed')
    expect(await outcomeOf({ model, attempt: withBudget({ calls_per_attempt: 2 }) })).toBe('REFER budget')
  })

  test('many votes wait for each other rather than being left out', async () => {
    const attempt = attemptFor(aContract({ verifier: { tier: 3, votes: 9 } }))
    const model = aModel((request) => saysPass(request))
    expect(await verdictOf({ model, attempt })).toMatchObject({
      verdict: { outcome: 'PASS', votes: { pass: 9, valid: 9 } },
    })
  })
})

test('a model of any name is reckoned as the policy says, and one without a price is never asked', async () => {
  const verifier = { model: 'house-model' }
  const model = aModel((request) => saysPass(request))
  const said = { ...budget, prices: { 'house-model': { input: 1_000, output: 1_000 } } }
  const dear = attemptFor(aContract({ verifier, policy: { budget: said } }))
  expect(await verdictOf({ model, attempt: dear })).toMatchObject({
    verdict: {
      outcome: 'REFER',
      reason_code: 'budget',
      feedback: expect.stringMatching(/usd_per_attempt` is 0.75; \d\d/),
    },
  })
  const priced = attemptFor(aContract({ verifier, policy: { budget: said } }))
  const { contract } = priced
  const bare = { ...contract, policy: { ...contract.policy, budget } }
  expect(await verdictOf({ model, attempt: { ...priced, contract: bare } })).toMatchObject({
    verdict: {
      outcome: 'REFER',
      reason_code: 'budget',
      feedback: expect.stringMatching(/house-model costs; `budget\.prices` can say it/),
    },
  })
  expect(model.requests).toEqual([])
})
