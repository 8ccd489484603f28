// The JSON Schema that editors use says the same as the code.
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { policyJsonSchema, policySchemaText, type JsonSchema } from '../../src/core/contract/policy/json-schema.ts'
import { policyReference } from '../../src/core/contract/policy/policy-reference.ts'
import { readPolicy } from '../../src/core/contract/policy/read-policy.ts'
import { parse } from 'yaml'

test('the committed file is fresh', () => {
  const committed = readFileSync(new URL('../../src/core/contract/countersign.schema.json', import.meta.url), 'utf8')
  expect(committed === policySchemaText(), 'the schema has changed: run `npm run schema`').toBe(true)
})

test('the page for people is fresh, and has a line for every key', () => {
  const committed = readFileSync(new URL('../../docs/policy-reference.md', import.meta.url), 'utf8')
  expect(committed === policyReference(), 'the schema has changed: run `npm run schema`').toBe(true)
  const told = new Set(Array.from(committed.matchAll(/^(?:\||-) `([^`]+)`/gm), ([, key]) => key))
  const unsaid = keysOf(policyJsonSchema()).filter((key) => !told.has(key))
  expect(unsaid.filter((key) => !committed.includes(`## ${key}\n`))).toEqual([])
})

const keysOf = (schema: JsonSchema, before = ''): string[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
    typeof inner === 'boolean' ? [] : [`${before}${name}`, ...keysOf(inner, `${before}${name}.`)],
  )

test('every key says what it is for', () => {
  expect(silentKeys(policyJsonSchema())).toEqual([])
  expect(silentKeys({ properties: { a: { properties: { b: {} }, description: 'A' } } })).toEqual(['a.b'])
})

function silentKeys(schema: JsonSchema): string[] {
  const inner = [schema, ...(schema.anyOf ?? []), schema.items, schema.additionalProperties].flatMap((part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part) ? [part] : [],
  )
  const named = Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    if (typeof value === 'boolean') return []
    return [...(value.description ? [] : [key]), ...silentKeys(value).map((path) => `${key}.${path}`)]
  })
  return [...named, ...inner.filter((part) => part !== schema).flatMap(silentKeys)]
}

describe('the schema and the reader agree', () => {
  const validate = new Ajv({ strict: false, allErrors: true }).compile(policyJsonSchema())
  test.each([
    ['', true],
    ['mode: shadow', true],
    ['verification: { checks: [npm test, { name: a, command: b, timeout: 5m }], wait: 90 }', true],
    ['verification: { verifier: { enabled: false, tier: 3, votes: 5 } }', true],
    ['identities: { owners: { "helper[bot]": ada } }', true],
    ['modus: shadow', false],
    ['mode: enforc', false],
    ['verification: { checks: [{ comand: npm test }] }', false],
    ['verification: { wait: soon }', false],
    ['verification: { verifier: { tier: 4 } }', false],
    ['middleware: { coordination: [x] }', false],
    ['middleware: { verifier: [], coordination: [] }', true],
    ['middleware: { verifier: [semantic_drift] }\nsecurity: { semantic_drift: { enabled: true } }', true],
    ['security: { red_team: { enabled: false, model: null }, vision: { kind: noop } }', true],
    ['security: { red_team: { enabled: true, paths: [auth/**], surfaces: [security] } }', true],
    ['security: { red_team: { surfaces: [speed] } }', false],
    ['security: { vision: { enabled: true, kind: llm_vision, model: claude-haiku-5-5 } }', true],
    ['security: { vision: { kind: guess } }', false],
    ['security: { autonomy: supervised }', true],
    ['goals: { max_tasks: 20 }', true],
    ['goals: { max_tasks: 0 }', false],
    ['goals: { integration_checks: [] }', true],
    ['scope: { parallel: off }', true],
    ['scope: { parallel: tell }', true],
    ['scope: { parallel: ask }', false],
  ])('%s', (text, valid) => {
    expect(validate(parse(text) ?? {})).toBe(valid)
    expect(readPolicy(text, 'p.yml').ok).toBe(valid)
  })
})
