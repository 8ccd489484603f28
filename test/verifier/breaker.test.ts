// A model that is down is left alone for a while: nobody waits for it, everybody is told when, and one call finds out
// whether it is back.
import { describe, expect, test } from 'vitest'
import {
  begun,
  closed,
  ended,
  FAILURES_MS,
  heard,
  isOpen,
  PAUSE_MS,
  TRIAL_MS_MAX,
  type Breaker,
} from '../../src/verifier/calls/breaker.ts'
import { sayMoment, explain } from '../../src/core/words/timeline/explain.ts'
import type { Attempt } from '../../src/core/decision/model.ts'
import type { Asked, Model } from '../../src/verifier/calls/model.ts'
import { aCourse, callsOf, told } from './course.ts'
import { aChange, aContract, aModel, attemptFor, aVerifier, failedWith, refusedAs, saysPass } from './lab.ts'

const down = failedWith('transient')
const after = (asked: readonly Asked[], apartMs: number, from: Breaker = closed): Breaker =>
  asked.reduce((breaker, one, nth) => ended(breaker, one, nth * apartMs), from)
const five = [down, down, failedWith('deadline'), down, down]

describe('the rule', () => {
  test('five failures in a row within a minute end the asking, for a minute', () => {
    const breaker = after(five, 1_000)
    expect([isOpen(breaker, 4_000), isOpen(breaker, 4_000 + PAUSE_MS - 1), isOpen(breaker, 4_000 + PAUSE_MS)]).toEqual([
      true,
      true,
      false,
    ])
  })

  test.each([
    ['four', five.slice(1), 1_000],
    ['five over more than a minute', five, FAILURES_MS / 4],
    ['with an answer between them', five.toSpliced(2, 0, refusedAs(null)), 1_000],
    ['with a bill between them', five.toSpliced(4, 0, failedWith('money')), 1_000],
  ])('%s do not', (_what, asked, apartMs) => {
    expect(after(asked, apartMs).until).toBeNull()
  })

  test('one more failure after the pause begins it anew', () => {
    const again = ended(after(five, 1_000), down, 70_000)
    expect([again.failures, again.until]).toEqual([[70_000], 70_000 + PAUSE_MS])
    expect(after([...five, down, down], 1_000).failures).toEqual([2_000, 3_000, 4_000, 5_000, 6_000])
  })

  test('a call that was called off tells nothing', () => {
    expect(after(five.toSpliced(2, 0, failedWith('superseded')), 1_000).until).not.toBeNull()
    expect(ended(closed, failedWith('superseded'), 0)).toEqual(closed)
  })

  test('after the pause one is on trial, and all others wait for how it ends', () => {
    const back = 4_000 + PAUSE_MS
    const trial = begun(after(five, 1_000), back)
    expect(isOpen(trial, back)).toBe(true)
    expect(isOpen(ended(trial, down, back + 5), back + PAUSE_MS)).toBe(true)
    expect(ended(trial, refusedAs('cyber'), back + 5)).toEqual(closed)
    expect(isOpen(heard(trial), back)).toBe(false)
    expect(isOpen(trial, back + TRIAL_MS_MAX)).toBe(false)
    expect(isOpen(ended(trial, failedWith('superseded'), back), back + PAUSE_MS)).toBe(false)
  })
})

/** A clock that a test moves, a model that a test brings back, and attempts at different tasks. */
function anOutage(given: Parameters<typeof aVerifier>[0] = {}) {
  let seconds = 0
  let up = false
  let thought = Promise.resolve()
  const asked = { calls: 0, looks: 0 }
  const speaker = aModel((request) => saysPass(request))
  const model: Model = {
    describe: async () => {
      asked.looks += 1
      return 'unknown'
    },
    ask: async (request, signal, told_) => {
      asked.calls += 1
      if (!up) return down
      const answer = await speaker.ask(request, signal, told_)
      await thought
      return answer
    },
  }
  const paused: string[] = []
  const now = () => new Date(Date.parse('2026-01-05T09:00:00.000Z') + seconds * 1_000).toISOString()
  const onPause = (name: string, until: string) => void paused.push(`${name} until ${until}`)
  const verifier = aVerifier({ model, now, onPause, ...given })
  const another = (title: string): Attempt => attemptFor(aContract({ title, task: `acme/shop#${title}` }))
  return {
    asked,
    paused,
    wait: (more: number) => void (seconds += more),
    recovers: (until = thought): void => {
      up = true
      thought = until
    },
    of: (title: string) => verifier.verify(another(title), title, 'R1#9'),
    verifier,
  }
}

describe('an outage', () => {
  test('is found out by two, and costs the third no call and no time', async () => {
    const outage = anOutage()
    const first = await outage.of('one')
    expect([told(first), callsOf(first)]).toEqual(['UNAVAILABLE transient', 3])
    expect(first).toMatchObject({ happened: [{ type: 'VerificationPlanned' }] })
    expect(callsOf(await outage.of('two'))).toBe(2)
    outage.wait(10)
    const third = await outage.of('three')
    expect([told(third), callsOf(third)]).toEqual(['UNAVAILABLE transient', 0])
    expect(third).toMatchObject({
      retry_at: '2026-01-05T09:02:10.000Z',
      happened: [
        { type: 'VerificationPlanned' },
        { type: 'ModelPaused', data: { model: 'claude-sonnet-5-5', until: '2026-01-05T09:01:00.000Z' } },
      ],
    })
    expect(outage.asked).toEqual({ calls: 5, looks: 2 })
    expect(outage.paused).toEqual(['claude-sonnet-5-5 until 2026-01-05T09:01:00.000Z'])
  })

  test('that lasts costs one call a minute, and is announced once', async () => {
    const outage = anOutage()
    for (const name of ['one', 'two', 'three']) await outage.of(name)
    outage.wait(60)
    expect(callsOf(await outage.of('three'))).toBe(1)
    expect(callsOf(await outage.of('four'))).toBe(0)
    expect(outage.paused).toHaveLength(1)
  })

  test('ends with one call that is answered; who came meanwhile comes back', async () => {
    const outage = anOutage()
    for (const name of ['one', 'two']) await outage.of(name)
    outage.wait(60)
    outage.recovers()
    const [one, two] = await Promise.all([outage.of('one'), outage.of('two')])
    expect([one, two].map(told)).toContain('PASS')
    outage.wait(120)
    expect(await Promise.all(['two', 'three'].map(outage.of).map(async (answer) => told(await answer)))).toEqual([
      'PASS',
      'PASS',
    ])
  })

  test('ends for all as soon as that answer begins, since the votes of one attempt follow each other so', async () => {
    const outage = anOutage()
    for (const name of ['one', 'two']) await outage.of(name)
    outage.wait(60)
    const { promise, resolve } = Promise.withResolvers<void>()
    outage.recovers(promise)
    const one = outage.of('one')
    await new Promise(setImmediate)
    const two = outage.of('two')
    await new Promise(setImmediate)
    expect(outage.asked.calls).toBe(7)
    resolve()
    expect((await Promise.all([one, two])).map(told)).toEqual(['PASS', 'PASS'])
  })

  test('does not keep an answer on record from being good', async () => {
    const course = aCourse()
    await course.push(
      'a1',
      aModel((request) => saysPass(request)),
      aChange(),
    )
    const outage = anOutage({ past: course.events })
    for (const name of ['one', 'two']) await outage.of(name)
    const again = await outage.verifier.verify({ ...course.live(), id: 'acme/shop#9@a2' }, 'again', 'R1#9')
    expect([told(again), callsOf(again), outage.asked.calls]).toEqual(['PASS', 0, 5])
  })

  test('is told in the timeline', async () => {
    const course = aCourse()
    await course.push(
      'a1',
      aModel((request) => saysPass(request)),
      aChange(),
    )
    const paused = {
      type: 'ModelPaused',
      data: { model: 'claude-sonnet-5-5', until: '2026-01-05T09:01:00.000Z' },
    } as const
    const last = course.events.at(-1)
    if (last === undefined) throw new Error('Something is on record')
    expect(explain([{ ...last, ...paused }]).map(sayMoment)).toEqual([
      expect.stringContaining('asks claude-sonnet-5-5 nothing until 09:01: it failed too often in a row'),
    ])
  })
})
