// A key of the policy or of a task's block does what it says: shipped code reads it, or it is refused as not available yet.
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aliases } from '../../src/core/contract/policy/aliases.ts'
import { jsonSchemaOf, type JsonSchema } from '../../src/core/contract/policy/json-schema.ts'
import { notAvailable } from '../../src/core/contract/policy/not-available.ts'
import { policyShape } from '../../src/core/contract/policy/policy.ts'
import { taskBlockSchema } from '../../src/core/contract/task/task-block.ts'
import { readersOf } from './readers.ts'
import { filesMatching } from './repository.ts'

/** Who reads, merges, tightens and repeats a policy touches every key and honours none. */
const honoursNothing = /^src\/core\/contract\/(?!scope\.ts$|policy\/policy\.ts$)|^src\/entry\/cli\/validate\.ts$/
const readers = filesMatching(/^(src|action)\/.*(?<!\.d)\.ts$/).filter((path) => !honoursNothing.test(path))

/** Where the keys of a block go that are not those of a policy. */
const carried: Readonly<Record<string, string>> = {
  'scope.write': 'task_scope.write',
  'scope.deny': 'task_scope.deny',
  acceptance_criteria: 'acceptance_criteria',
  expected_outputs: 'policy.verification.tier1.expected_outputs',
  expected_file_types: 'policy.verification.tier1.expected_file_types',
  stakes: 'stakes',
  depends_on: 'depends_on',
  brief: 'brief',
  middleware_override: 'middleware_override',
}

const root = process.cwd()
const contract = { file: resolve('src/core/contract/task/contract.ts'), type: 'Contract' }
const found = readersOf(
  contract,
  resolve('tsconfig.json'),
  readers.map((path) => resolve(path)),
)
const readersOfKey = (key: string): readonly string[] =>
  (found.get(key) ?? []).map((path) => path.slice(root.length + 1))
const unread = (keys: readonly string[], path: (key: string) => string): string[] =>
  keys.filter((key) => readersOfKey(path(key)).length === 0)

const policyKeys = leaves(jsonSchemaOf(policyShape))
const blockKeys = leaves(jsonSchemaOf(taskBlockSchema))
const isIn = (table: object, key: string): boolean =>
  Object.keys(table).some((known) => key === known || key.startsWith(`${known}.`) || key.startsWith(`${known}[`))

/** Keys that hold a value. One that takes a single value, such as the version of the format, says nothing. */
function leaves(schema: unknown, key = ''): string[] {
  if (!isSchema(schema)) return []
  const inner = [schema, ...(schema.anyOf ?? [])].filter(isSchema).flatMap(({ properties, items, ...rest }) => [
    ...Object.entries(properties ?? {}).flatMap(([name, value]) => leaves(value, key === '' ? name : `${key}.${name}`)),
    // Entries that are plain values are no keys.
    ...leaves(items, `${key}[]`).filter((leaf) => leaf !== `${key}[]`),
    ...leaves(rest.additionalProperties, `${key}.*`).filter((leaf) => leaf !== `${key}.*`),
  ])
  return inner.length > 0 || schema.const !== undefined ? [...new Set(inner)] : [key]
}

function isSchema(value: unknown): value is JsonSchema {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

test('the keys are found, and so are their readers', () => {
  expect(policyKeys).toEqual(
    expect.arrayContaining(['mode', 'verification.checks[].report.junit', 'review.stages[].by']),
  )
  expect(readersOfKey('policy.park_wait')).toEqual(['src/core/decision/shown/owed.ts', 'src/core/words/headline.ts'])
  const known = [...found.keys()].filter((key) => key.startsWith('policy.')).map((key) => key.slice('policy.'.length))
  expect(policyKeys.filter((key) => !known.includes(key))).toEqual([])
})

describe('every key has a reader, or is not available yet', () => {
  test('of the policy', () => {
    const missing = unread(policyKeys, (key) => `policy.${key}`)
    expect(missing.filter((key) => !isIn(notAvailable, key))).toEqual([])
  })

  test('of a task’s block', () => {
    // What a task expects is put to what the policy does, and read there.
    const path = (key: string) =>
      carried[key] ?? (key.startsWith('expectations') ? `policy.security.vision.${key}` : `policy.${key}`)
    expect(unread(blockKeys, path).filter((key) => !isIn(notAvailable, key))).toEqual([])
  })

  test('of other spellings', () => {
    const lost = aliases.filter(({ means }) => means !== '' && !policyKeys.some((key) => isIn({ [means]: '' }, key)))
    expect(lost).toEqual([])
  })
})

describe('what is not available', () => {
  test('is a key', () => {
    expect(Object.keys(notAvailable).filter((key) => !policyKeys.includes(key))).toEqual([])
  })

  test('has no reader', () => {
    const read = Object.keys(notAvailable).filter((key) => readersOfKey(`policy.${key}`).length > 0)
    expect(read).toEqual([])
  })
})
