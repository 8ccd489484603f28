// Keys that nothing honours yet: refused in a policy file, a warning in a task's block, and named as such for editors.
import { describe, expect, test } from 'vitest'
import { policyJsonSchema, type JsonSchema } from '../../src/core/contract/policy/json-schema.ts'
import { notAvailable } from '../../src/core/contract/policy/not-available.ts'
import { builtInPolicy, policySchema } from '../../src/core/contract/policy/policy.ts'
import { readPolicy } from '../../src/core/contract/policy/read-policy.ts'
import { contractOf } from './contract-of.ts'

/** A value that the schema takes and that is not "not used". */
const values: Readonly<Record<string, unknown>> = {
  'verification.verifier.test_suite.command': 'make',
  'verification.verifier.test_suite.working_dir': 'a',
  'verification.verifier.test_suite.timeout': 60,
}

const said = (path: string, value: unknown): string =>
  JSON.stringify(path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value))

test('each has a value in this test', () => {
  const all = Object.keys(notAvailable)
  // Of this list nothing can be an entry.
  expect(all.filter((key) => !(key in values))).toEqual(['middleware.coordination'])
})

describe('in a policy file', () => {
  test.each(Object.keys(notAvailable).filter((key) => key in values))('%s is refused in words', (key) => {
    expect(policySchema.safeParse(JSON.parse(said(key, values[key]))).success).toBe(true)
    const reading = readPolicy(said(key, values[key]), 'p.yml')
    expect(reading).toMatchObject({
      ok: false,
      problems: [{ file: 'p.yml', line: 1, key, message: expect.stringContaining('` is not available yet: ') }],
    })
  })

  const at = (key: string) => key.split('.').reduce<unknown>((inner, step) => Object(inner)[step], builtInPolicy)
  test.each(Object.keys(notAvailable).filter((key) => at(key) !== undefined))(
    '%s may say that it is not used',
    (key) => {
      expect(readPolicy(said(key, at(key)), 'p.yml').ok).toBe(true)
    },
  )
})

describe('in a task’s block', () => {
  const ofBlock = Object.keys(values).filter((key) => /^(scope|verification)\./.test(key))
  test.each(ofBlock)('%s is a warning, and the rest counts', (key) => {
    const block = JSON.stringify({ stakes: 'high', ...JSON.parse(said(key, values[key])) })
    for (const by of ['builder', 'trusted'] as const) {
      const { contract, warnings } = contractOf({ block, by })
      const message = expect.stringMatching(`^\`${key}\` is not available yet: .*Nothing follows from it`)
      expect(warnings).toEqual([{ key, message }])
      expect(contract).toMatchObject({ stakes: 'high', policy: policySchema.parse({}) })
    }
  })

  test('an empty list asks for nothing', () => {
    const block = 'depends_on: []\nexpectations: []\nmiddleware_override: []\nscope: { parallel: off }'
    expect(contractOf({ block }).warnings).toEqual([])
  })
})

test.each(Object.entries(notAvailable))('editors are told of %s', (key, why) => {
  const found = key.split('.').reduce<JsonSchema | null>((inner, step) => {
    const next = inner?.properties?.[step]
    return typeof next === 'object' ? next : null
  }, policyJsonSchema())
  expect(found?.description).toContain(`Not available yet: ${why}.`)
})
