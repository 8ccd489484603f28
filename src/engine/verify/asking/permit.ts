// Money for a call: reckoned at most before it is made, and counted as under way until it has ended, so that nobody else is
// permitted the same money meanwhile.
import { dollarsAtMost, mayCall, prefixOf, unpriced } from '../../../verifier/calls/money.ts'
import type { ModelRequest } from '../../../verifier/calls/model.ts'
import type { Asking, Permit, UnderWay } from './asking.ts'

/** What is under way may end cheaper than feared, so it is waited for before a call is denied. */
export async function permitFor(asking: Asking, request: ModelRequest): Promise<Permit> {
  const { underWay, budget, taskUsd, before, written } = asking
  const { prices } = budget
  const why = unpriced([request.model], prices)
  if (why !== null) return denied(why)
  const atMost = dollarsAtMost(request, { cached: written.has(prefixOf(request)), prices })
  for (;;) {
    const usd = usdOf(before) + asking.paid.usd + usdOf([...underWay])
    const calls = before.length + asking.paid.calls + underWay.size
    const may = mayCall(budget, { usd, calls, task_usd: taskUsd - usdOf(before) }, atMost)
    const permit = may.ok ? await taken(asking, atMost) : denied(may.why)
    if (permit.given || underWay.size === 0) return admitted(asking, request, permit)
    await Promise.race([...underWay].map(({ ended }) => ended))
  }
}

/** Nobody asks a model that has failed too often in a row. */
function admitted({ breakers }: Asking, { model }: ModelRequest, permit: Permit): Permit {
  if (!permit.given || breakers.admits(model)) return permit
  permit.ended(null)
  return { given: false, failure: { kind: 'unavailable', reason: 'transient' } }
}

const denied = (why: string): Permit => ({ given: false, failure: { kind: 'refer', reason: 'budget', detail: why } })

const usdOf = (all: readonly { readonly usd: number }[]): number => all.reduce((sum, { usd }) => sum + usd, 0)

/** Under way from the moment it is permitted. */
async function taken({ underWay, purse, paid }: Asking, usd: number): Promise<Permit> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const place: UnderWay = { usd, ended: promise }
  const over = (): void => {
    underWay.delete(place)
    resolve()
  }
  underWay.add(place)
  try {
    const coins = await purse.take(usd)
    if (!coins.ok) {
      over()
      return denied(coins.why)
    }
    const ended = (spent: number | null): void => {
      void coins.spent(spent ?? 0)
      if (spent !== null) {
        paid.usd += spent
        paid.calls += 1
      }
      over()
    }
    return { given: true, ended }
  } catch (error) {
    over()
    throw error
  }
}
