// More objections than are put to a reader: what nobody has repaired stands, also where nobody was asked about it.
import { expect, test } from 'vitest'
import type { LedgerItem } from '../../src/core/decision/examined.ts'
import { promptSeen } from '../../src/engine/verify/doubles/prompt-seen.ts'
import type { VerifierAnswer } from '../../src/ports.ts'
import { aCourse, told } from './course.ts'
import { founds, refutes } from './first-readings.ts'
import { aChange, aContract, aFile, aModel, guardLines, saysPass, type Said } from './lab.ts'

const FOUND_BY_ONE = 25
const wrongLine = (nth: number) => `removeEverything${nth}(unchecked, 'table${nth}')`
const fillers = (nth: number) => [1, 2, 3, 4].map((line) => `+const filler${nth}x${line} = prepare(${nth}, ${line})`)
const changeWith = (wrong: readonly number[]) => {
  const lines = wrong.flatMap((nth) => [`+${wrongLine(nth)}`, ...fillers(nth)])
  return aChange([aFile('src/users.ts', guardLines), aFile('src/clean.ts', lines, { status: 'added' })])
}
const finding = (nth: number, at: number): Said => ({
  path: 'src/clean.ts',
  side: 'new',
  line: at * 5 + 1,
  quote: wrongLine(nth),
  category: 'data_loss',
  claim: `Table number ${nth} is emptied unchecked.`,
  failure_scenario: `Input ${nth} empties table ${nth}.`,
  fix: 'Check first.',
  severity: 'critical',
})
const findingAll = (wrong: readonly number[]) => {
  let reader = 0
  return aModel((request) => {
    const { step } = promptSeen(request)
    if (step !== 'find') return step === 'refute' ? refutes(request, 'stands') : saysPass(request)
    const own = wrong.map(finding).slice(FOUND_BY_ONE * reader, FOUND_BY_ONE * (reader + 1))
    reader += 1
    return founds(request, ...own)
  })
}
const quiet = () => aModel((request) => (promptSeen(request).step === 'find' ? founds(request) : saysPass(request)))

test.each([
  [40, 10],
  [75, 25],
])('of %i objections the %i that nobody has repaired stand', async (count, left) => {
  const budget = { usd_per_attempt: 100, usd_per_task: 1000, calls_per_attempt: 500 }
  const course = aCourse(aContract({ policy: { budget }, verifier: { finders: 4 } }))
  const all = Array.from({ length: count }, (_, index) => index + 1)
  const first = await course.push('a1', findingAll(all), changeWith(all))
  const ledgerOf = (answer: VerifierAnswer): readonly LedgerItem[] =>
    answer.type === 'report_verdict' ? (answer.examined?.ledger ?? []) : []
  const repaired = new Set(
    ledgerOf(first)
      .slice(0, count - left)
      .map(({ quote }) => quote),
  )
  const rest = all.filter((nth) => !repaired.has(wrongLine(nth)))
  const second = await course.push('a2', quiet(), changeWith(rest))
  const open = [first, second].map((answer) => ledgerOf(answer).filter(({ status }) => status === 'open').length)
  expect([told(first), told(second), open]).toEqual(['SOFT_FAIL', 'SOFT_FAIL', [count, left]])
})
