// The decision table, each of its cases a test of its own, so that a mutant meets only the cases that reach it.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { playCase } from '../../src/entry/cli/cases/play-case.ts'
import { readCases } from '../../src/entry/cli/cases/read-cases.ts'
import { outcomeOf } from '../../src/entry/cli/test.ts'

const file = 'test/decision/table.test.yml'
const fetch = async (path: string) => ({ text: readFileSync(path, 'utf8'), file: path })
const cases = await readCases(readFileSync(file, 'utf8'), file, fetch)

test.each(cases)('$name', (one) => {
  expect(outcomeOf(file, one, playCase(one.given, one.policy)).differences).toEqual([])
})
