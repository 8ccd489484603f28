// From push to push: what was paid for is not paid for again, and what an outage interrupted is asked again later.
import { describe, expect, test } from 'vitest'
import { conclude } from '../../src/core/decision/gate/conclude.ts'
import { verifierReview } from '../../src/core/words/verifier-review.ts'
import { emptyTask, replay } from '../../src/core/decision/record/evolve.ts'
import { aCourse, before, callsOf, elsewhere, passing, told } from './course.ts'
import { aChange, aContract, aFile, aModel, failedWith, guardLines, saysPass, type Said } from './lab.ts'

describe('a rebase', () => {
  const moved = aChange([
    aFile('src/users.ts', guardLines, {
      patch: (before.files[0]?.patch ?? '').replace('@@ -1,3 +1,4 @@', '@@ -70,3 +70,4 @@'),
    }),
  ])

  test('calls nobody, and is judged again with the results of today', async () => {
    const course = aCourse()
    await course.push('a1', passing(), before)
    const nobody = aModel(() => failedWith('transient'))
    const second = await course.push('a2', nobody, moved)
    expect([told(second), callsOf(second), nobody.requests.length]).toEqual(['PASS', 0, 0])
    expect(second).toMatchObject({ examined: { reused: true } })
  })

  test('does not carry a yes over a check that has broken since', async () => {
    const cites = aModel((request): Said => {
      const pass = saysPass(request)
      const probes = Array.isArray(pass['probes']) ? pass['probes'] : []
      return {
        ...pass,
        probes: probes.map((one: Said) => ({
          ...one,
          evidence: [
            ...(Array.isArray(one['evidence']) ? one['evidence'] : []),
            { path: 'check:test', side: 'new', line: 1, quote: 'ran' },
          ],
        })),
      }
    })
    const course = aCourse()
    expect(told(await course.push('a1', cites, before))).toBe('PASS')
    const second = await course.push('a2', passing(), moved, 'failed')
    expect([told(second), callsOf(second)]).toEqual(['SOFT_FAIL', 0])
  })

  test('with three votes calls nobody either', async () => {
    const course = aCourse(aContract({ verifier: { tier: 3 } }))
    expect(callsOf(await course.push('a1', passing(), before))).toBe(4)
    expect(callsOf(await course.push('a2', passing(), moved))).toBe(0)
  })

  test('after thirty days asks again, however often the answer was used since', async () => {
    const course = aCourse()
    await course.push('a1', passing(), before)
    course.wait(20)
    expect(callsOf(await course.push('a2', passing(), moved))).toBe(0)
    course.wait(9)
    expect(callsOf(await course.push('a3', passing(), moved))).toBe(0)
    course.wait(1)
    expect(callsOf(await course.push('a4', passing(), moved))).toBe(1)
    course.wait(29)
    expect(callsOf(await course.push('a5', passing(), moved))).toBe(0)
  })

  test('a changed indentation is another patch', async () => {
    const course = aCourse()
    await course.push('a1', passing(), before)
    const indented = aChange([
      aFile(
        'src/users.ts',
        guardLines.map((line) => line.replace('+  if', '+    if')),
      ),
    ])
    expect(callsOf(await course.push('a2', passing(), indented))).toBe(1)
  })

  test('what could not be read is not remembered', async () => {
    const course = aCourse()
    expect(
      told(
        await course.push(
          'a1',
          aModel(() => 'prose'),
          before,
        ),
      ),
    ).toBe('REFER malformed')
    expect(callsOf(await course.push('a2', passing(), moved))).toBe(1)
  })
})

test('one piece of several that changed is the only one that is asked about', async () => {
  const big = (path: string, start: number) =>
    aFile(
      path,
      Array.from({ length: 7_000 }, (_, at) => `+const value${at} = compute(${start + at})`),
    )
  const budget = { usd_per_attempt: 20, usd_per_task: 40, calls_per_attempt: 50 }
  const course = aCourse(aContract({ policy: { budget } }))
  const guard = aFile('src/users.ts', guardLines)
  expect(callsOf(await course.push('a1', passing(), aChange([guard, big('src/x.ts', 0), big('src/y.ts', 0)])))).toBe(2)
  expect(callsOf(await course.push('a2', passing(), aChange([guard, big('src/x.ts', 0), big('src/y.ts', 5)])))).toBe(1)
})

test('nobody who was not reached writes a review', async () => {
  const budget = { usd_per_attempt: 0.01, usd_per_task: 1, calls_per_attempt: 12 }
  const course = aCourse(aContract({ policy: { budget } }))
  expect(told(await course.push('a1', passing(), before))).toBe('REFER budget')
  expect(verifierReview(course.live(), new Set())).toBeNull()
  const read = aCourse()
  await read.push('a1', passing(), before)
  expect(verifierReview(read.live(), new Set())).not.toBeNull()
})

describe('an outage', () => {
  const down = () => aModel(() => failedWith('transient'))

  test('is asked about again after 2, 5, 15 and 60 minutes, for two hours', async () => {
    const course = aCourse()
    const times: (string | null)[] = []
    let answer = await course.push('a1', down(), before)
    for (let round = 0; round < 4; round += 1) {
      if (answer.type === 'report_unavailable') times.push(answer.retry_at)
      answer = await course.verify(down(), before)
    }
    // The record says 8:00 and the clock 9:00, so an hour of the wait is over from the second time on.
    expect(times).toEqual([
      '2026-01-05T09:02:00.000Z',
      '2026-01-05T09:05:00.000Z',
      '2026-01-05T09:15:00.000Z',
      '2026-01-05T10:00:00.000Z',
    ])
  })

  test('that only somebody can end is not asked about again', async () => {
    const answer = await aCourse().push(
      'a1',
      aModel(() => failedWith('money')),
      before,
    )
    expect(answer).toMatchObject({ type: 'report_unavailable', reason: 'money', retry_at: null })
  })

  test('never becomes a success', async () => {
    const course = aCourse()
    await course.push('a1', down(), before)
    const task = replay(emptyTask('acme/shop#4'), course.events)
    expect(conclude(task, course.live())).toMatchObject({ status: 'pending', row: 'unavailable' })
  })
})

test('what a task has cost before counts against its budget', async () => {
  const budget = { usd_per_attempt: 1, usd_per_task: 0.3, calls_per_attempt: 12 }
  const course = aCourse(aContract({ policy: { budget } }))
  const usage = { input: 100_000, cache_write_5m: 0, cache_write_1h: 0, cache_read: 0, output: 5_000, thinking: 0 }
  expect(
    told(
      await course.push(
        'a1',
        aModel((request) => saysPass(request), { usage }),
        before,
      ),
    ),
  ).toBe('PASS')
  const second = await course.push('a2', passing(), elsewhere)
  expect(told(second)).toBe('REFER budget')
  expect(second).toMatchObject({ verdict: { feedback: expect.stringContaining('`budget.usd_per_task` is 0.3;') } })
})
