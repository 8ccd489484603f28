// Whoever gives no answer takes nothing back: what is proven by then, or was proven before and is still there, stands.
import { describe, expect, test } from 'vitest'
import { promptSeen } from '../../src/engine/verify/doubles/prompt-seen.ts'
import { attemptFor, aChange, aContract, aFile, aModel, endedAs, failedWith, guardLines, refusedAs } from './lab.ts'
import { outcomeOf, proof, saysPass, verdictOf, type Script } from './lab.ts'
import { aCourse, before, elsewhere, passing, told } from './course.ts'
import { founds, refutes } from './first-readings.ts'
import { guard, many } from './packed.ts'

const minor = { severity: 'minor' }
const looked = attemptFor(aContract({ verifier: { finders: 3 } }))
const aReader = (judge: Script, found: object = {}) =>
  aModel((request, nth) => {
    const { step } = promptSeen(request)
    if (step === 'find') return founds(request, { ...found })
    return step === 'refute' ? refutes(request, 'stands') : judge(request, nth)
  })

describe('what first readings found and nobody refuted stands', () => {
  test.each<[string, Script, string]>([
    ['refuses', () => refusedAs('cyber'), 'the model refused to answer: cyber'],
    ['is cut off', () => endedAs('truncated'), 'the answer was cut off'],
    ['writes prose', () => 'It is fine.', 'the answer could not be read'],
    ['has no room', () => endedAs('context_exceeded'), 'the change is too large to be read whole'],
  ])('where the judge %s', async (_title, judge, why) => {
    const answer = await verdictOf({ attempt: looked, model: aReader(judge) })
    expect(answer).toMatchObject({
      verdict: { outcome: 'SOFT_FAIL', objections: [expect.any(String)], confidence: 0.9 },
      examined: {
        findings: [{ level: 'blocking', proven: true }],
        ledger: [{ status: 'open' }],
        remarks: expect.arrayContaining([`Questions stayed open: ${why}.`]),
      },
    })
  })

  test('and a mere question does not', async () => {
    expect(await outcomeOf({ attempt: looked, model: aReader(() => refusedAs('cyber'), minor) })).toBe('REFER refused')
  })

  test('and an outage is still one', async () => {
    const down = aReader(() => failedWith('transient'))
    expect(await outcomeOf({ attempt: looked, model: down })).toBe('UNAVAILABLE transient')
  })
})

describe('what one piece of a change proves stands', () => {
  const change = aChange([guard, aFile('src/x.ts', many(7_000)), aFile('src/y.ts', many(7_000))])
  const attempt = attemptFor(aContract({ policy: { budget: { usd_per_attempt: 20, usd_per_task: 20 } } }))
  const no = { probes: [{ id: 'c1.p1', evidence: [proof], why: 'The guard is turned round.', answer: 'not_met' }] }
  const refusing = (first: Script) => aModel((request, nth) => (nth === 1 ? first(request, nth) : refusedAs('cyber')))

  test('where another one is refused', async () => {
    const model = refusing((request) => saysPass(request, no))
    expect(await verdictOf({ attempt, change, model })).toMatchObject({
      verdict: { outcome: 'SOFT_FAIL', objections: expect.arrayContaining(['c1.p1']) },
    })
    expect(model.requests).toHaveLength(2)
  })

  test('and a yes about one piece is none about the whole', async () => {
    expect(await outcomeOf({ attempt, change, model: refusing((request) => saysPass(request)) })).toBe('REFER refused')
  })
})

describe('what an earlier commit left stands at its lines', () => {
  const objecting = aReader((request) => saysPass(request))
  const refusing = aModel(() => refusedAs('cyber'))
  const course = () => aCourse(aContract({ verifier: { finders: 3 } }))
  const mended = aChange([
    aFile('src/users.ts', [...guardLines.slice(0, 2), '+  requireAdmin(me)', '+  drop(user)', ' }']),
  ])

  test('where every reader of the next one refuses', async () => {
    const one = course()
    expect(told(await one.push('a1', objecting, before))).toBe('SOFT_FAIL')
    expect(told(await one.push('a2', refusing, elsewhere))).toBe('SOFT_FAIL')
    expect(told(await one.push('a3', aModel(findsNothing), mended))).toBe('PASS')
  })

  test('and where its lines are other code a person looks', async () => {
    const one = course()
    await one.push('a1', objecting, before)
    expect(told(await one.push('a2', refusing, mended))).toBe('REFER refused')
  })

  test('and with nothing left a person looks', async () => {
    const one = course()
    await one.push('a1', passing(), before)
    expect(told(await one.push('a2', refusing, elsewhere))).toBe('REFER refused')
  })
})

const findsNothing: Script = (request) => {
  const { step, probes } = promptSeen(request)
  if (step === 'find') return founds(request)
  const guarded = { path: 'src/users.ts', side: 'new', line: 2, quote: 'requireAdmin(me)' }
  const yes = probes.map(({ id }) => ({ id, evidence: [guarded], why: 'It is asked for.', answer: 'met' }))
  return saysPass(request, { probes: yes })
}
