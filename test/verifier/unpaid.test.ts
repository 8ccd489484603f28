// What the budget cannot pay: nothing is left out for it, and what was paid for before an outage is not paid for again.
import { describe, expect, test } from 'vitest'
import { aCourse, before, callsOf, passing, told } from './course.ts'
import { aChange, aContract, aFile, aModel, attemptFor, failedWith, guardLines, saysPass, verdictOf } from './lab.ts'

const usage = (output: number) => ({
  input: 20_000,
  cache_write_5m: 0,
  cache_write_1h: 0,
  cache_read: 0,
  output,
  thinking: 0,
})
const voting = (usd_per_attempt: number, votes = 3) =>
  aContract({
    policy: { budget: { usd_per_attempt, usd_per_task: 5, calls_per_attempt: 20 } },
    verifier: { tier: 3, votes },
  })

describe('votes that cannot be paid for', () => {
  test('refer before anything is spent, with the number that would do', async () => {
    const model = passing()
    const answer = await verdictOf({ model, attempt: attemptFor(voting(0.3)) })
    expect(answer).toMatchObject({
      verdict: { outcome: 'REFER', reason_code: 'budget', feedback: expect.stringMatching(/is 0\.3; 0\.\d+ would do/) },
    })
    expect(model.requests).toEqual([])
  })

  test('refer where answers turned out dearer than expected, and are never left out of the count', async () => {
    const model = aModel((request) => saysPass(request), { usage: usage(15_000) })
    const answer = await verdictOf({ model, attempt: attemptFor(voting(0.5)) })
    expect(answer).toMatchObject({ verdict: { outcome: 'REFER', reason_code: 'budget', votes: null } })
  })

  test('are reckoned also where something is on record', async () => {
    const course = aCourse(voting(0.3))
    expect(told(await course.push('a1', passing(), before))).toBe('REFER budget')
    const model = passing()
    expect(told(await course.push('a2', model, before))).toBe('REFER budget')
    expect(model.requests).toEqual([])
  })
})

test('answers from before an outage are used when it is over', async () => {
  const course = aCourse(aContract({ verifier: { tier: 3, votes: 3 } }))
  const failing = aModel((request, nth) => (nth > 2 ? failedWith('money') : saysPass(request)))
  expect(told(await course.push('a1', failing, before))).toBe('UNAVAILABLE quorum')
  const model = passing()
  const answer = await course.verify(model, before)
  expect([told(answer), model.requests.length]).toEqual(['PASS', 2])
})

test('so are those about other pieces of the change', async () => {
  const lines = Array.from({ length: 7_000 }, (_, at) => `+const value${at} = compute(${at})`)
  const change = aChange([aFile('src/users.ts', guardLines), aFile('src/x.ts', lines), aFile('src/y.ts', lines)])
  const budget = { usd_per_attempt: 20, usd_per_task: 40, calls_per_attempt: 50 }
  const course = aCourse(aContract({ policy: { budget } }))
  const failing = aModel((request, nth) => (nth > 1 ? failedWith('money') : saysPass(request)))
  expect(told(await course.push('a1', failing, change))).toBe('UNAVAILABLE money')
  expect(callsOf(await course.verify(passing(), change))).toBe(1)
})
