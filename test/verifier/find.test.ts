// First several readers look for what is wrong, then each thing they find is given to somebody who is to refute it, and only
// then it is judged. What stands needs no word of the judge; what falls is counted, and code has to show that it falls.
import { expect, test } from 'vitest'
import type { PolicyInput } from '../../src/core/contract/policy/policy.ts'
import { promptSeen } from '../../src/engine/verify/doubles/prompt-seen.ts'
import { findingLenses } from '../../src/verifier/asking/role.ts'
import type { ModelRequest } from '../../src/verifier/calls/model.ts'
import { aCourse, before, told } from './course.ts'
import {
  aChange,
  aContract,
  aFile,
  aModel,
  attemptFor,
  failedWith,
  guardLines,
  outcomeOf,
  promptText,
  refusedAs,
  saysPass,
  verdictOf,
  type Said,
  type Script,
} from './lab.ts'
import { founds, refutes } from './first-readings.ts'

type Verifier = NonNullable<NonNullable<PolicyInput['verification']>['verifier']>
const lensesOf = (verifier: Verifier = {}) => attemptFor(aContract({ verifier: { finders: 3, ...verifier } }))
const step = (request: ModelRequest): string => promptSeen(request).step

const drop = { line: 3, quote: 'drop(user)', claim: 'A user who is gone already is dropped again.' }
const guard = { path: 'src/users.ts', side: 'new', line: 2, quote: 'if (!me.isAdmin) throw new Forbidden()' }

type Course = { find?: Script; refute?: Script; judge?: Script }
const aReader = ({ find = (request) => founds(request), refute, judge = (request) => saysPass(request) }: Course) =>
  aModel((request, nth) => {
    if (step(request) === 'find') return find(request, nth)
    if (step(request) === 'refute') return (refute ?? ((one) => refutes(one, 'stands')))(request, nth)
    return judge(request, nth)
  })

async function examinedOf(model: ReturnType<typeof aReader>, attempt = lensesOf(), change = aChange()) {
  const answer = await verdictOf({ model, attempt, change })
  if (answer.type !== 'report_verdict' || answer.examined === undefined) throw new Error(JSON.stringify(answer))
  return { ...answer.verdict, ...answer.examined }
}

test('five look, each for something else, and then one judges', async () => {
  const model = aReader({})
  expect(await outcomeOf({ model, attempt: attemptFor(aContract({ verifier: { finders: 5 } })) })).toBe('PASS')
  expect(model.requests.map(step)).toEqual(['find', 'find', 'find', 'find', 'find', 'judge'])
  const eyes = model.requests.map((request) =>
    Object.values(findingLenses).find((eye) => promptText(request).includes(eye)),
  )
  expect(new Set(eyes.slice(0, 5)).size).toBe(5)
  expect(model.requests.map((request) => request.model)).toEqual([
    ...Array.from({ length: 5 }, () => 'claude-haiku-5-5'),
    'claude-sonnet-5-5',
  ])
})

test('every other one reads the files from the last to the first', async () => {
  const model = aReader({})
  const change = aChange([aFile('src/a.ts', guardLines), aFile('src/b.ts', guardLines)])
  await outcomeOf({ model, attempt: lensesOf({ finders: 2 }), change })
  const files = model.requests.slice(0, 2).map((request) => promptSeen(request).files.slice(1).join(' '))
  expect(files.toSorted()).toEqual(['src/a.ts src/b.ts', 'src/b.ts src/a.ts'])
})

// prettier-ignore
test.each<[string, Verifier, number]>([
  ['how many there are', { finders: 1 }, 2],
  ['none of them', { finders: 0 }, 1],
  ['no lens', { lenses: [] }, 1],
  ['more of them than lenses', { finders: 4, lenses: ['security', 'tests'] }, 5],
])('the policy says %s', async (_title, verifier, calls) => {
  const model = aReader({})
  expect(await outcomeOf({ model, attempt: lensesOf(verifier) })).toBe('PASS')
  expect(model.requests).toHaveLength(calls)
})

test('a model of their own finds too, unless another one is named', async () => {
  const prices = { house: { input: 1, output: 1 }, other: { input: 1, output: 1 } }
  for (const [verifier, finder] of [
    [{ model: 'house' }, 'house'],
    [{ model: 'house', finder_model: 'other' }, 'other'],
  ] as const) {
    const model = aReader({})
    const contract = aContract({ policy: { budget: { prices } }, verifier: { finders: 1, ...verifier } })
    await outcomeOf({ model, attempt: attemptFor(contract) })
    expect(model.requests.map((request) => request.model)).toEqual([finder, 'house'])
  }
})

test('what stands blocks, whatever the judge says of it', async () => {
  const model = aReader({ find: (request) => founds(request, drop) })
  const { outcome, findings, objections, feedback, ledger } = await examinedOf(model)
  expect(outcome).toBe('SOFT_FAIL')
  expect(findings).toMatchObject([{ claim: drop.claim, level: 'blocking', proven: true }])
  expect(objections).toEqual(findings.map(({ id }) => id))
  expect(feedback).toContain(drop.claim)
  expect(ledger).toMatchObject([{ claim: drop.claim, status: 'open' }])
  // Three readers found the same, and it is tried once.
  expect(model.requests.map(step)).toEqual(['find', 'find', 'find', 'refute', 'judge'])
  const [judge] = model.requests.filter((request) => step(request) === 'judge').map(promptText)
  expect(judge).toContain('# Findings at hand')
  expect(judge).toContain(drop.claim)
})

test('each is tried alone, by somebody who sees nothing of the others', async () => {
  const other = {
    line: 2,
    quote: 'if (!me.isAdmin) throw new Forbidden()',
    category: 'security',
    claim: 'Nobody signed in is let pass.',
  }
  const model = aReader({ find: (request) => founds(request, drop, other) })
  const { findings } = await examinedOf(model)
  const tried = model.requests.filter((request) => step(request) === 'refute').map(promptText)
  expect(findings).toHaveLength(2)
  expect(tried.map((text) => `${text.includes(drop.claim)} ${text.includes(other.claim)}`).toSorted()).toEqual([
    'false true',
    'true false',
  ])
})

test('what is refuted by code is dropped, counted and told', async () => {
  const model = aReader({
    find: (request) => founds(request, drop),
    refute: (request) => refutes(request, 'refuted', guard),
  })
  const { outcome, findings, dropped, remarks } = await examinedOf(model)
  expect({ outcome, findings }).toEqual({ outcome: 'PASS', findings: [] })
  expect(dropped).toMatchObject({ refuted: 1 })
  expect(remarks).toContain('First readings found 1 thing that a second one refuted.')
})

const noted = aChange([aFile('src/users.ts', [...guardLines, '+// the caller has checked that the user is there'])])
// prettier-ignore
test.each<[string, (request: ModelRequest) => Said]>([
  ['without a line', (request) => refutes(request, 'refuted')],
  ['by a line that is nowhere', (request) => refutes(request, 'refuted', { ...guard, quote: 'if (gone(user)) return' })],
  ['by the line itself', (request) => refutes(request, 'refuted', { ...guard, line: 3, quote: 'drop(user)' })],
  ['by a comment', (request) => refutes(request, 'refuted', { ...guard, line: 5, quote: '// the caller has checked that the user is there' })],
  ['by what a check printed', (request) => refutes(request, 'refuted', { ...guard, path: 'check:test', quote: '12 tests passed in 3 files' })],
  ['by somebody who cannot tell', (request) => refutes(request, 'cannot_tell', guard)],
])('nothing is refuted %s', async (_title, refute) => {
  const model = aReader({ find: (request) => founds(request, drop), refute })
  expect((await examinedOf(model, lensesOf(), noted)).outcome).toBe('SOFT_FAIL')
})

test('whoever refuses to refute has refuted nothing', async () => {
  const model = aReader({ find: (request) => founds(request, drop), refute: () => refusedAs('cyber') })
  expect(await outcomeOf({ model, attempt: lensesOf() })).toBe('SOFT_FAIL')
})

// prettier-ignore
test.each<[string, Said, string, Record<string, number>]>([
  ['minor', { severity: 'minor' }, 'question', {}],
  ['without a scenario', { failure_scenario: ' ' }, 'question', {}],
  ['critical', { severity: 'critical' }, 'blocking', {}],
  ['with a quote that is nowhere', { quote: 'if (gone(user)) return' }, 'none', { absent: 3 }],
])('a finding %s', async (_title, given, level, dropped) => {
  const model = aReader({ find: (request) => founds(request, { ...drop, ...given }) })
  const examined = await examinedOf(model)
  expect(examined.findings.map((one) => one.level)).toEqual(level === 'none' ? [] : [level])
  expect(examined.dropped).toEqual(dropped)
  expect(examined.outcome).toBe(level === 'blocking' ? 'SOFT_FAIL' : 'PASS')
  if (level === 'question') expect(examined.remarks).toContain(`src/users.ts:3: ${drop.claim}`)
  if (level === 'none') expect(examined.remarks).toContain('First readings claimed 3 things without lines that are there.')
})

test('found by several at one place, in other words, is one', async () => {
  const words = ['The user may be gone already.', 'The user may have gone.', 'A second call drops another user.']
  let nth = 0
  const model = aReader({ find: (request) => founds(request, { ...drop, claim: words[nth], line: 2 + (nth++ % 2) }) })
  expect((await examinedOf(model)).findings).toHaveLength(1)
})

test('a reader who is silent is missed, and one of three is not enough', async () => {
  const silent =
    (those: readonly number[]): Script =>
    (request, nth) =>
      those.includes(nth) ? refusedAs(null) : founds(request)
  const one = aReader({ find: silent([2]) })
  expect((await examinedOf(one)).remarks).toContain('1 of 3 first readings gave no answer.')
  expect(await outcomeOf({ model: aReader({ find: silent([1, 2]) }), attempt: lensesOf() })).toBe('REFER refused')
})

test.each([['find'], ['refute']] as const)('an outage while they %s is an outage, and no opinion', async (when) => {
  const down: Script = () => failedWith('money')
  const model = aReader({ find: (request) => founds(request, drop), [when]: down })
  expect(await outcomeOf({ model, attempt: lensesOf() })).toBe('UNAVAILABLE money')
  expect(model.requests.filter((request) => step(request) === 'judge')).toEqual([])
})

test('the same patch is not paid for twice, and an answer that was paid for before an outage is kept', async () => {
  const contract = aContract({ verifier: { finders: 3 } })
  const course = aCourse(contract)
  const find: Script = (request) => founds(request, drop)
  const down = aReader({ find, judge: () => failedWith('money') })
  expect(told(await course.push('a1', down, before))).toBe('UNAVAILABLE money')
  const again = aReader({ find })
  expect(told(await course.verify(again, before))).toBe('SOFT_FAIL')
  expect(again.requests.map(step)).toEqual(['judge'])
  const rebased = aReader({ find })
  expect(
    told(
      await course.push(
        'a2',
        rebased,
        aChange([
          aFile('src/users.ts', guardLines, {
            patch: before.files[0]?.patch?.replace('@@ -1,3 +1,4 @@', '@@ -41,3 +41,4 @@') ?? null,
          }),
        ]),
      ),
    ),
  ).toBe('SOFT_FAIL')
  expect(rebased.requests).toEqual([])
})

test('what a human has declined is neither tried nor raised again', async () => {
  const course = aCourse(aContract({ verifier: { finders: 1 } }))
  const find: Script = (request) => founds(request, drop)
  expect(told(await course.push('a1', aReader({ find }), before))).toBe('SOFT_FAIL')
  course.override('it is meant so')
  const next = aReader({ find })
  expect(
    told(await course.push('a2', next, aChange([aFile('src/users.ts', [...guardLines, '+export const more = 1'])]))),
  ).toBe('PASS')
  expect(next.requests.map(step)).toEqual(['find', 'judge'])
})

test('what cannot be paid is said before anybody is asked', async () => {
  const model = aReader({})
  const contract = aContract({ policy: { budget: { calls_per_attempt: 5 } }, verifier: { finders: 3 } })
  const answer = await verdictOf({ model, attempt: attemptFor(contract) })
  expect(answer).toMatchObject({
    verdict: { outcome: 'REFER', reason_code: 'budget', feedback: '`budget.calls_per_attempt` is 5; 6 would do' },
  })
  expect(model.requests).toEqual([])
})

test.each(['src/admin.ts', 'check:src/admin.ts', 'check:test'])('what is found in %s stands', async (path) => {
  const quote = 'export const grant = () => sudo(everybody)'
  const change = aChange([aFile('src/users.ts', guardLines), aFile(path, [`+${quote}`])])
  const model = aReader({ find: (request) => founds(request, { path, line: 1, quote }) })
  expect(await outcomeOf({ model, attempt: lensesOf(), change })).toBe('SOFT_FAIL')
})

// prettier-ignore
test.each<[string, Script, Partial<Record<string, unknown>>]>([
  ['stands: it objects by itself', (request) => refutes(request, 'stands'),
    { outcome: 'SOFT_FAIL', findings: [{ claim: drop.claim, level: 'blocking' }], remarks: expect.arrayContaining([expect.stringContaining('Questions stayed open')]) }],
  ['falls: nothing is left of it', (request) => refutes(request, 'refuted', guard),
    { outcome: 'REFER', reason_code: 'refused', findings: [], remarks: expect.arrayContaining([expect.stringContaining('a second one refuted')]) }],
  ['is refused as well: nobody refuted it', () => refusedAs('cyber'),
    { outcome: 'SOFT_FAIL', findings: [{ claim: drop.claim, level: 'blocking' }] }],
])('what two of five found where the others refuse %s', async (_title, refute, said) => {
  let reader = 0
  const find: Script = (request) => ((reader += 1) > 2 ? refusedAs('cyber') : founds(request, drop))
  const model = aReader({ find, refute })
  expect(await examinedOf(model, lensesOf({ finders: 5 }))).toMatchObject(said)
  expect(model.requests.map(step)).not.toContain('judge')
})

test('what was found before the money ended is told, and blocks nothing that nobody tried to refute', async () => {
  const quote = 'if (!me.isAdmin) throw new Forbidden()'
  const others = [
    { category: 'security', claim: 'Anybody is let pass.' },
    { category: 'test', claim: 'Nothing exercises this guard.' },
    { category: 'data_loss', claim: 'Rows of strangers go missing.' },
  ].map((one) => ({ ...drop, line: 2, quote, ...one }))
  const model = aReader({ find: (request) => founds(request, drop, ...others) })
  const contract = aContract({ policy: { budget: { calls_per_attempt: 6 } }, verifier: { finders: 3 } })
  const { outcome, findings } = await examinedOf(model, attemptFor(contract))
  expect(model.requests.map(step)).toEqual(['find', 'find', 'find', 'refute', 'refute', 'refute'])
  expect([outcome, findings.map(({ level }) => level)]).toEqual([
    'SOFT_FAIL',
    ['blocking', 'blocking', 'blocking', 'question'],
  ])
})
