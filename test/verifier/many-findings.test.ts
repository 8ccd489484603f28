// More findings than one event holds: the verdict is recorded all the same, with the gravest of them, and says that there are
// more. A verdict that is too long for the store would be none, and its attempt would wait for it for ever.
import { expect, test } from 'vitest'
import { eventBytesMax } from '../../src/adapters/store/batch.ts'
import { promptSeen } from '../../src/engine/verify/doubles/prompt-seen.ts'
import type { Change } from '../../src/verifier/change/change.ts'
import { aCourse, told } from './course.ts'
import { attacks, flaw, founds, refutes } from './first-readings.ts'
import { aChange, aContract, aFile, aModel, guardLines, saysPass, type Said } from './lab.ts'

const LINES = 520
const FOUND_BY_ONE = 25
/** Three bytes, as many models write. */
const words = (count: number): string => '漢'.repeat(count)
const wrongLine = (path: string, nth: number) => `removeEverything('${path}', ${nth}, '${'x'.repeat(340)}')`
const wrong = (path: string) =>
  aFile(
    path,
    Array.from({ length: LINES }, (_, nth) => `+${wrongLine(path, nth)}`),
    { status: 'added' },
  )
const changeOf = (pieces: number): Change =>
  aChange([
    aFile('src/users.ts', guardLines),
    ...['a', 'b', 'c', 'd'].slice(0, pieces).map((name) => wrong(`${name}.ts`)),
  ])
const at = (path: string, nth: number): Said => ({
  path,
  side: 'new',
  line: nth + 1,
  quote: wrongLine(path, nth),
  claim: words(400),
  failure_scenario: words(600),
  fix: words(600),
})

/** Each reader finds other lines of a piece, as many as it may. */
function findingAll() {
  const readers = new Map<string, number>()
  return aModel((request) => {
    const { step, files } = promptSeen(request)
    const path = files.find((one) => /^[a-d]\.ts$/.test(one)) ?? 'a.ts'
    const nth = readers.get(`${step} ${path}`) ?? 0
    readers.set(`${step} ${path}`, nth + 1)
    const found = Array.from({ length: FOUND_BY_ONE }, (_, one) => at(path, (nth * FOUND_BY_ONE + one) * 4))
    if (step === 'find') return founds(request, ...found.map((one) => ({ ...one, severity: 'critical' })))
    if (step === 'attack') return attacks(request, ...found.map((one) => ({ ...flaw, ...one })))
    return step === 'refute' ? refutes(request, 'stands') : saysPass(request)
  })
}

const budget = { usd_per_attempt: 100, usd_per_task: 1000, calls_per_attempt: 500 }
const task = () =>
  aCourse(
    aContract({
      stakes: 'high',
      policy: { budget, security: { red_team: { enabled: true } } },
      verifier: { finders: 5, model: 'claude-haiku-5-5' },
    }),
  )
const longest = ({ events }: ReturnType<typeof task>): number =>
  Math.max(...events.map((event) => Buffer.byteLength(JSON.stringify(event))))

test.each([1, 4])('a verdict about %i pieces fits into the store', async (pieces) => {
  const course = task()
  const answer = await course.push('a1', findingAll(), changeOf(pieces))
  expect(told(answer)).toBe('SOFT_FAIL')
  expect(longest(course)).toBeLessThan(eventBytesMax)
  expect(answer).toMatchObject({
    examined: {
      remarks: expect.arrayContaining([expect.stringMatching(/^There is too much to be kept: \d+ findings more/)]),
    },
  })
})

test('so does what the red team found, and what it found before', async () => {
  const course = task()
  for (const name of ['a1', 'a2', 'a3']) {
    await course.push(
      name,
      aModel((request) => saysPass(request)),
      changeOf(4),
    )
    expect(await course.attack(findingAll(), changeOf(4))).toMatchObject({ verdict: 'BLOCK' })
  }
  expect(longest(course)).toBeLessThan(eventBytesMax)
})

test('of a verdict that is no longer than others everything is kept', async () => {
  const course = task()
  const answer = await course.push(
    'a1',
    aModel((request) => saysPass(request)),
    changeOf(1),
  )
  expect(JSON.stringify(answer)).not.toContain('too much to be kept')
})
