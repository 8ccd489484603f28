// The list of changed files as git gives it: all of it or none, since a list that was cut looks like a shorter one.
import { expect, test } from 'vitest'
import { readRaw } from '../../../src/checks/checkout/raw-diff.ts'

const entry = (path: string) => `:000000 100644 ${'0'.repeat(40)} ${'1'.repeat(40)} A\0${path}\0`
const entries = (count: number) => Array.from({ length: count }, (_, at) => entry(`dist/${at}`)).join('')

test('as many files as may be are listed to the last, and one more is an error', () => {
  expect(readRaw(entries(99_999) + entry('src/last.ts')).at(-1)?.path).toBe('src/last.ts')
  expect(() => readRaw(entries(100_000) + entry('src/last.ts'))).toThrow('more than 100000 changed files')
})

test('what stands between two files and names none is an error, and no end of the list', () => {
  expect(readRaw('')).toEqual([])
  expect(() => readRaw(`${entry('a')}\0${entry('b')}`)).toThrow('unknown form')
})
