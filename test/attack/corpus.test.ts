// The corpus of the attack is whole: every role has its cases, and no two share a name. `npm run attack` plays them.
import { expect, test } from 'vitest'
import { allCases } from './all-cases.ts'
import { roles } from './case.ts'

const casesMin = 150

test('there are cases by every role, each under a name of its own', () => {
  expect(allCases.length).toBeGreaterThanOrEqual(casesMin)
  for (const role of roles) expect(allCases.filter((one) => one.role === role).length).toBeGreaterThan(5)
  const names = allCases.map(({ role, name }) => `${role}: ${name}`)
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([])
})
