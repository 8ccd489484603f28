// What a verification costs at list price.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { listedPrice } from '../../src/core/contract/policy/prices.ts'
import { readPolicy } from '../../src/core/contract/policy/read-policy.ts'
import { aLargeVerification, manyCallers } from './large-verification.ts'

test('an attempt of 28,000 tokens at tier 3 with three votes stays within $0.30', async () => {
  const { verdict, cost } = await aLargeVerification()
  const [first, ...votes] = cost.calls
  const prompt = (first?.input ?? 0) + (first?.cache_write ?? 0)
  expect(verdict).toMatchObject({ outcome: 'PASS', votes: { pass: 3, valid: 3 } })
  expect(prompt).toBeGreaterThan(28_000)
  expect(prompt).toBeLessThan(29_000)
  expect(votes.map(({ cache_write, cache_read }) => [cache_write, cache_read > 27_000])).toEqual([
    [0, true],
    [0, true],
    [0, true],
  ])
  expect(cost.usd).toBeLessThanOrEqual(0.3)
  expect(cost.usd).toBeGreaterThan(0.25)
})

test.each([
  ['a change of 400 lines at tier 2', { lines: 400, tier: 2 }, 0.15],
  ['28,000 tokens at tier 3', { tier: 3 }, 0.45],
] as const)(
  '%s, with all that is shown around it, five who look and six things to refute',
  async (_title, size, usdMax) => {
    const { verdict, cost, around } = await aLargeVerification({ ...size, repository: manyCallers, findings: 6 })
    expect(verdict).toMatchObject({ outcome: 'PASS' })
    expect(around.length).toBeGreaterThan(8)
    expect(cost.calls.filter(({ purpose }) => /^find|^refute/.test(purpose))).toHaveLength(11)
    expect(cost.usd).toBeLessThanOrEqual(usdMax)
  },
)

test('every model that the installed SDK names has a price, or is refused when the policy is read until it has one', async () => {
  const types = new URL('resources/messages/messages.d.ts', import.meta.resolve('@anthropic-ai/sdk'))
  const declared = /^export type Model = ([^;]*);/m.exec(await readFile(types, 'utf8'))?.[1] ?? ''
  const models = Array.from(declared.matchAll(/'([^']+)'/g), ([, name = '']) => name)
  expect(models.length).toBeGreaterThan(15)
  const read = (model: string, more = '') =>
    readPolicy(`verification: { verifier: { model: ${model} } }\n${more}`, 'countersign.yml')
  for (const model of models) {
    const refused = { file: 'countersign.yml', line: 1, message: expect.stringContaining('budget.prices') }
    const plain = read(model)
    if (listedPrice(model, 0) === null) expect(plain).toMatchObject({ ok: false, problems: [refused] })
    else expect(plain.ok).toBe(true)
    expect(read(model, `budget: { prices: { ${model}: { input: 3, output: 15 } } }`).ok).toBe(true)
  }
})
