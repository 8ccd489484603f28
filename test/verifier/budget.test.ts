// What a task and an attempt may cost is never exceeded: not by asking again after an outage, and not by asking at once.
import { expect, test } from 'vitest'
import type { VerifierAnswer } from '../../src/ports.ts'
import { noUsage } from '../../src/verifier/calls/model.ts'
import { aCourse, before, callsOf, elsewhere, told } from './course.ts'
import { aContract, aModel, attemptFor, aVerifier, failedWith, saysPass } from './lab.ts'

/** An answer as long as it may be, which is what a call is reckoned at. */
const dear = () => aModel((request) => saysPass(request), { usage: { ...noUsage, output: 16_000 } })
const usdOf = (answer: VerifierAnswer): number =>
  (answer.type === 'report_verdict' ? answer.examined?.cost : answer.cost)?.usd ?? 0
const sumOf = (answers: readonly VerifierAnswer[]): number => answers.reduce((sum, one) => sum + usdOf(one), 0)

test('one attempt after another spends at most what the task may cost', async () => {
  const course = aCourse(aContract({ policy: { budget: { usd_per_task: 0.3 } } }))
  const answers = [await course.push('a1', dear(), before), await course.push('a2', dear(), elsewhere)]
  expect(answers.map(told)).toEqual(['PASS', 'REFER budget'])
  expect(sumOf(answers)).toBeLessThanOrEqual(0.3)
})

test('two attempts at once spend at most what the task may cost', async () => {
  const contract = aContract({ policy: { budget: { usd_per_task: 0.3 } } })
  const verifier = aVerifier({ model: dear(), change: before })
  const attempts = [
    attemptFor(contract, { id: 'a1', pull: 9 }),
    attemptFor(contract, { id: 'a2', pull: 10, head_sha: 'b'.repeat(40) }),
  ]
  const answers = await Promise.all(attempts.map((one) => verifier.verify(one, `session ${one.id}`, 'R1#4')))
  expect(answers.map(told)).toEqual(['PASS', 'REFER budget'])
  expect(sumOf(answers)).toBeLessThanOrEqual(0.3)
})

test('an attempt that is asked about again spends no more than one that is asked about once', async () => {
  const course = aCourse(aContract({ policy: { budget: { usd_per_attempt: 0.75 } } }))
  // Each answer breaks off behind what was read of it, which is billed.
  const cut = () => aModel(() => failedWith('transient', { usage: { ...noUsage, output: 10_000 } }))
  const answers = [await course.push('a1', cut(), before)]
  for (let time = 0; time < 3; time += 1) answers.push(await course.verify(cut(), before))
  expect(answers.map(told)).toEqual(['UNAVAILABLE transient', 'UNAVAILABLE transient', 'REFER budget', 'REFER budget'])
  expect(sumOf(answers)).toBeLessThanOrEqual(0.75)
})

test('an outage that nobody is billed for uses nothing up, however long it is', async () => {
  const course = aCourse(aContract({ policy: { budget: { calls_per_attempt: 6 } } }))
  const away = () => aModel(() => failedWith('transient'))
  const answers = [await course.push('a1', away(), before)]
  for (let time = 0; time < 3; time += 1) answers.push(await course.verify(away(), before))
  expect(answers.reduce((sum, one) => sum + callsOf(one), 0)).toBeGreaterThan(6)
  expect(told(await course.verify(dear(), before))).toBe('PASS')
})
