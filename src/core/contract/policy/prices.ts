// What models cost at list price. A model that nobody can price is never asked: a budget that cannot be reckoned bounds
// nothing, so a policy that names such a model is refused until it says the price itself.

export type Price = {
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

export const pricedModels: readonly string[] = Object.keys(prices)

/** For a prompt of so many tokens; null where nobody knows. A version of a model, told by its date, costs what it does. */
export function listedPrice(model: string, tokens: number): Price | null {
  const listed = prices[model.replace(/-\d{8}$/, '')]
  if (listed === undefined) return null
  return listed.above !== null && tokens > listed.above.tokens ? listed.above.price : listed
}
