// What calls cost at list price, and whether the next one may be made. Every call is reckoned before it is made, failed
// ones and repeats included; over a limit there is a referral that names the limit that would do, never a smaller prompt.
import { digest } from '../../core/canonical.ts'
import type { Policy } from '../../core/contract/policy/policy.ts'
import { listedPrice, type Price } from '../../core/contract/policy/prices.ts'
import type { ModelRequest, Usage } from './model.ts'
import { tokensOf } from '../change/pack.ts'

type OwnPrices = Readonly<Policy['budget']['prices']>

/** What writing into the cache costs over plain input. https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching */
const WRITE_5M = 1.25
const WRITE_1H = 2

/** What the policy says counts before what is listed; null where neither knows. */
function priceOf(model: string, tokens: number, own: OwnPrices): Price | null {
  const said = Object.hasOwn(own, model) ? own[model] : undefined
  if (said === undefined) return listedPrice(model, tokens)
  const { input, output, cache_write_5m, cache_write_1h, cache_read } = said
  return {
    input,
    output,
    write_5m: cache_write_5m ?? input * WRITE_5M,
    write_1h: cache_write_1h ?? input * WRITE_1H,
    // A cache whose price is not said saves nothing.
    read: cache_read ?? input,
  }
}

/** Only what has a price is ever asked: see `unpriced`. */
function knownPrice(model: string, tokens: number, own: OwnPrices): Price {
  const price = priceOf(model, tokens, own)
  if (price === null) throw new Error(`${model} has no price and should not have been asked`)
  return price
}

/** Why none of these may be asked, or null. A policy that was read before a model lost its price still governs. */
export function unpriced(models: readonly string[], own: OwnPrices): string | null {
  const unknown = models.find((model) => priceOf(model, 0, own) === null)
  return unknown === undefined ? null : `nobody knows what ${unknown} costs; \`budget.prices\` can say it`
}

export function dollarsOf(model: string, usage: Usage, own: OwnPrices): number {
  const { input, cache_write_5m, cache_write_1h, cache_read, output } = usage
  const price = knownPrice(model, input + cache_write_5m + cache_write_1h + cache_read, own)
  const cents =
    input * price.input +
    cache_write_5m * price.write_5m +
    cache_write_1h * price.write_1h +
    cache_read * price.read +
    output * price.output
  return cents / 1_000_000
}

type Reckoned = { readonly cached: boolean; readonly prices: OwnPrices }

/** `cached`: its prefix is read from the cache, since an earlier call has written it. */
function dollars(request: ModelRequest, output: number, { cached, prices }: Reckoned): number {
  const { prefix, rest } = tokensOfParts(request)
  const price = knownPrice(request.model, prefix + rest, prices)
  const hour = [...request.system, ...request.content].some(({ cache }) => cache === '1h')
  const before = prefix * (cached ? price.read : hour ? price.write_1h : price.write_5m)
  return (before + rest * price.input + output * price.output) / 1_000_000
}

/** What a call may cost at most, were all of its answer used. */
export const dollarsAtMost = (request: ModelRequest, reckoned: Reckoned): number =>
  dollars(request, request.max_tokens, reckoned)

export const OUTPUT_TOKENS_EXPECTED = 6_000

/** What a call will probably cost. */
export const dollarsExpected = (request: ModelRequest, reckoned: Reckoned): number =>
  dollars(request, OUTPUT_TOKENS_EXPECTED, reckoned)

/** What of a request others may share, and the rest. */
function tokensOfParts({ system, content }: ModelRequest): { readonly prefix: number; readonly rest: number } {
  const blocks = [...system, ...content]
  const lastBreak = blocks.findLastIndex(({ cache }) => cache !== null)
  const tokens = (some: typeof blocks): number =>
    tokensOf(some.map(({ text }) => text).join('\n')) +
    some.reduce((sum, { picture }) => sum + (picture?.tokens ?? 0), 0)
  return { prefix: tokens(blocks.slice(0, lastBreak + 1)), rest: tokens(blocks.slice(lastBreak + 1)) }
}

/** Requests with the same one share their prefix. */
export function prefixOf({ model, system, content, format }: ModelRequest): string {
  const blocks = [...system, ...content]
  const shared = blocks.slice(0, blocks.findLastIndex(({ cache }) => cache !== null) + 1)
  return digest([model, shared, format === null])
}

/** All calls of a plan in their order, each as it will be billed, and the last one at the most that it can cost. */
export function dollarsPlanned(requests: readonly ModelRequest[], prices: OwnPrices): number {
  const written = new Set<string>()
  return requests.reduce((sum, request, index) => {
    const prefix = prefixOf(request)
    const reckoned = { cached: written.has(prefix), prices }
    written.add(prefix)
    return sum + (index === requests.length - 1 ? dollarsAtMost(request, reckoned) : dollarsExpected(request, reckoned))
  }, 0)
}

export type Budget = Readonly<Policy['budget']>
export type Spent = { readonly usd: number; readonly calls: number; readonly task_usd: number }
export type Permit = { readonly ok: true } | { readonly ok: false; readonly why: string }

type Limit = 'usd_per_attempt' | 'usd_per_task' | 'calls_per_attempt'

const overWords = (key: Limit, limit: number, needed: number): string =>
  `\`budget.${key}\` is ${limit}; ${needed} would do`

const over = (...exceeded: Parameters<typeof overWords>): Permit => ({ ok: false, why: overWords(...exceeded) })

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

const cheapest = 'claude-haiku-5-5'

/** There are many such readings, so they are cheap. Whoever serves a model of their own may serve none of these. */
export const finderModelOf = ({ finder_model, model }: Policy['verification']['verifier']): string =>
  finder_model ?? (listedPrice(model, 0) === null ? model : cheapest)

/** What several who ask at once may spend together: all verifications of an installation, or those of a task. */
export type Purse = {
  /** The most that a call may cost is taken before it, and what it did cost is told after it. */
  readonly take: (usdAtMost: number) => Promise<Taken>
}
type Taken =
  | { readonly ok: true; readonly spent: (usd: number) => Promise<void> }
  | { readonly ok: false; readonly why: string }

/** Where nobody limits it. */
export const endlessPurse: Purse = { take: async () => ({ ok: true, spent: async () => {} }) }

/** Both pay, or none of them does. */
export const bothPurses = (one: Purse, other: Purse): Purse => ({
  take: async (usdAtMost) => {
    const first = await one.take(usdAtMost)
    if (!first.ok) return first
    const second = await other.take(usdAtMost).catch(async (error: unknown) => {
      await first.spent(0)
      throw error
    })
    if (second.ok)
      return { ok: true, spent: async (usd) => void (await Promise.all([first.spent(usd), second.spent(usd)])) }
    await first.spent(0)
    return second
  },
})

/** `limit`: what the task may cost. `recorded`: what its record says that it has cost, which may be more than is known here. */
export type TaskMoney = { readonly limit: number; readonly recorded: number }
export type TaskPurses = (task: string, money: TaskMoney) => Purse

export const taskIsSpent = (limit: number, needed: number): string => overWords('usd_per_task', limit, upToCent(needed))

/** For one process that keeps nothing. Calls that are under way count at the most that they may cost. */
export function taskPurses(): TaskPurses {
  const known = new Map<string, number>()
  return (task, { limit, recorded }) => ({
    take: async (usdAtMost) => {
      const needed = Math.max(known.get(task) ?? 0, recorded) + usdAtMost
      if (needed > limit) return { ok: false, why: taskIsSpent(limit, needed) }
      known.set(task, needed)
      const spent = async (usd: number): Promise<void> => {
        known.set(task, (known.get(task) ?? 0) + usd - usdAtMost)
      }
      return { ok: true, spent }
    },
  })
}

export const dayIsSpent = (usdPerDay: number, nextDay: string): string =>
  `the ${usdPerDay} USD that the operator allows this installation for a day do not suffice any more; they are there again at ${nextDay} 00:00 UTC`
