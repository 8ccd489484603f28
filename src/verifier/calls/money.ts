// What calls cost at list price, and whether the next one may be made. Every call is reckoned before it is made, failed
// ones and repeats included; over a limit there is a referral that names the limit that would do, never a smaller prompt.
import { digest } from '../../core/canonical.ts'
import type { Policy } from '../../core/contract/policy.ts'
import type { ModelRequest, Usage } from './model.ts'
import { tokensOf } from '../change/pack.ts'

type Price = {
  readonly input: number
  readonly output: number
  readonly write_5m: number
  readonly write_1h: number
  readonly read: number
}
type Listed = Price & { readonly above: { readonly tokens: number; readonly price: Price } | null }

/** Dollars per million tokens. Reading from the cache is reckoned at the higher of the two prices that were published. */
export const priceTable = '2026-11-20'
const prices: Readonly<Record<string, Listed>> = {
  'claude-sonnet-5-5': { input: 2, output: 10, write_5m: 2.5, write_1h: 4, read: 0.2, above: null },
  'claude-opus-5-5': { input: 4, output: 20, write_5m: 5, write_1h: 8, read: 0.2, above: null },
  'claude-fable-5-1': { input: 10, output: 50, write_5m: 12.5, write_1h: 20, read: 0.25, above: null },
  'claude-haiku-5-5': {
    input: 0.1,
    output: 0.5,
    write_5m: 0.125,
    write_1h: 0.2,
    read: 0.01,
    above: {
      tokens: 100_000,
      price: { input: 0.5, output: 2.5, write_5m: 0.625, write_1h: 1, read: 0.05 },
    },
  },
}

/** An unknown model costs as much as the dearest one that is known. */
const dearest = Object.values(prices).toSorted((one, other) => other.output - one.output)[0]

function priceOf(model: string, tokens: number): Price {
  const listed = Object.entries(prices).find(([name]) => model === name || model.startsWith(`${name}-`))?.[1] ?? dearest
  if (listed === undefined) throw new Error('The price table is empty')
  return listed.above !== null && tokens > listed.above.tokens ? listed.above.price : listed
}

export function dollarsOf(model: string, usage: Usage): number {
  const { input, cache_write_5m, cache_write_1h, cache_read, output } = usage
  const price = priceOf(model, input + cache_write_5m + cache_write_1h + cache_read)
  const cents =
    input * price.input +
    cache_write_5m * price.write_5m +
    cache_write_1h * price.write_1h +
    cache_read * price.read +
    output * price.output
  return cents / 1_000_000
}

/** `cached`: its prefix is read from the cache, since an earlier call has written it. */
function dollars(request: ModelRequest, output: number, cached: boolean): number {
  const { prefix, rest } = tokensOfParts(request)
  const price = priceOf(request.model, prefix + rest)
  const hour = [...request.system, ...request.content].some(({ cache }) => cache === '1h')
  const before = prefix * (cached ? price.read : hour ? price.write_1h : price.write_5m)
  return (before + rest * price.input + output * price.output) / 1_000_000
}

/** What a call may cost at most, were all of its answer used. */
export const dollarsAtMost = (request: ModelRequest, cached = false): number =>
  dollars(request, request.max_tokens, cached)

export const OUTPUT_TOKENS_EXPECTED = 6_000

/** What a call will probably cost. */
export const dollarsExpected = (request: ModelRequest, cached: boolean): number =>
  dollars(request, OUTPUT_TOKENS_EXPECTED, cached)

/** What of a request others may share, and the rest. */
function tokensOfParts({ system, content }: ModelRequest): { readonly prefix: number; readonly rest: number } {
  const blocks = [...system, ...content]
  const lastBreak = blocks.findLastIndex(({ cache }) => cache !== null)
  const textOf = (some: typeof blocks): string => some.map(({ text }) => text).join('\n')
  return {
    prefix: tokensOf(textOf(blocks.slice(0, lastBreak + 1))),
    rest: tokensOf(textOf(blocks.slice(lastBreak + 1))),
  }
}

/** Requests with the same one share their prefix. */
export function prefixOf({ model, system, content, format }: ModelRequest): string {
  const blocks = [...system, ...content]
  const shared = blocks.slice(0, blocks.findLastIndex(({ cache }) => cache !== null) + 1)
  return digest([model, shared, format === null])
}

/** All calls of a plan in their order, each as it will be billed, and the last one at the most that it can cost. */
export function dollarsPlanned(requests: readonly ModelRequest[]): number {
  const written = new Set<string>()
  return requests.reduce((sum, request, index) => {
    const prefix = prefixOf(request)
    const cached = written.has(prefix)
    written.add(prefix)
    return sum + (index === requests.length - 1 ? dollarsAtMost(request, cached) : dollarsExpected(request, cached))
  }, 0)
}

export type Budget = Readonly<Policy['budget']>
export type Spent = { readonly usd: number; readonly calls: number; readonly task_usd: number }
export type Permit = { readonly ok: true } | { readonly ok: false; readonly why: string }

const over = (key: keyof Budget, limit: number, needed: number): Permit => ({
  ok: false,
  why: `\`budget.${key}\` is ${limit}; ${needed} would do`,
})

/** Before each call: what is spent, and this call at the most it can cost. */
export function mayCall(budget: Budget, spent: Spent, atMost: number): Permit {
  const { usd_per_attempt, usd_per_task, calls_per_attempt } = budget
  if (spent.calls + 1 > calls_per_attempt) return over('calls_per_attempt', calls_per_attempt, spent.calls + 1)
  if (spent.usd + atMost > usd_per_attempt)
    return over('usd_per_attempt', usd_per_attempt, upToCent(spent.usd + atMost))
  const task = spent.task_usd + spent.usd + atMost
  return task > usd_per_task ? over('usd_per_task', usd_per_task, upToCent(task)) : { ok: true }
}

/** Before the first call: all that are planned, one confirmation or fallback, and one repeat. */
export function mayBegin(
  budget: Budget,
  planned: { readonly calls: number; readonly usd: number },
  taskUsd: number,
): Permit {
  const calls = planned.calls + 2
  if (calls > budget.calls_per_attempt) return over('calls_per_attempt', budget.calls_per_attempt, calls)
  return mayCall(budget, { usd: 0, calls: 0, task_usd: taskUsd }, planned.usd)
}

const upToCent = (usd: number): number => Math.ceil(usd * 100 - 1e-9) / 100
