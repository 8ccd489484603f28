// What a gate's finding means: each severity under each way in which agents may work, and the gravest decides.
import { describe, expect, test } from 'vitest'
import { gravestFirst, severities, weighed, type Autonomy } from '../../src/core/decision/gate-report.ts'

const ways = ['locked', 'supervised', 'semi', 'full'] as const satisfies readonly Autonomy[]
const [block, pass] = ['BLOCK', 'PASS_WITH_FINDINGS']
const cells = [
  ['CRITICAL', block, block, block, block],
  ['HIGH', block, block, block, block],
  ['MEDIUM', block, block, pass, pass],
  ['LOW', pass, pass, pass, pass],
  ['INFO', pass, pass, pass, pass],
] as const

describe('all twenty cells', () => {
  test.each(
    cells.flatMap(([severity, ...meanings]) =>
      meanings.map((meaning, at) => [severity, ways[at] ?? 'locked', meaning] as const),
    ),
  )('%s under %s is %s', (severity, autonomy, meaning) => {
    expect(weighed([{ severity }], autonomy)).toBe(meaning)
    expect(weighed([{ severity: 'INFO' }, { severity }, { severity: 'LOW' }], autonomy)).toBe(meaning)
  })
})

test('nothing found is a pass; where the policy says nothing, agents are supervised', () => {
  expect(ways.map((way) => weighed([], way))).toEqual(['PASS', 'PASS', 'PASS', 'PASS'])
  for (const severity of severities) expect(weighed([{ severity }])).toBe(weighed([{ severity }], 'supervised'))
})

test('the gravest comes first, and among equals the first', () => {
  const all = [...severities].toReversed().flatMap((severity) => [1, 2].map((nth) => ({ severity, nth })))
  expect(gravestFirst(all).map(({ severity, nth }) => `${severity} ${nth}`)).toEqual(
    severities.flatMap((severity) => [`${severity} 1`, `${severity} 2`]),
  )
})
