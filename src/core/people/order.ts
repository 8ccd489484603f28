// In which order people said things. Webhooks get lost and come late, so what counts is when a word was said; of what was said at
// the same moment, it is the number that GitHub gave it, and where it has none, when it was heard.

/** `id`: under which key it was heard. `seq`: its place among what was heard. */
type When = { readonly at?: string | undefined; readonly id?: string | undefined }
export type Placed = When & { readonly seq: number }

/** What is dated by when a pull request changed, or by our time, is told the same moment, not the same second. */
export const MOMENT_MS = 2_000

/** Where the record does not say when one of them was said, it was said when it was heard. */
export function isLater(one: Placed, other: Placed): boolean {
  const [apart, numbers] = [Date.parse(one.at ?? '') - Date.parse(other.at ?? ''), [one, other].map(numberOf)]
  const isExact = numbers.every((number) => number !== null)
  if (Math.abs(apart) > (isExact ? 0 : MOMENT_MS)) return apart > 0
  const [first, second] = numbers
  if (first && second && first.kind === second.kind && first.value !== second.value) return first.value > second.value
  return one.seq > other.seq
}

/** Comments and reviews are numbered as they come, each by themselves. */
function numberOf({ id = '' }: Placed): { readonly kind: string; readonly value: number } | null {
  const [, kind = '', value = ''] = /^(comment|review)-(\d+)/.exec(id) ?? []
  return kind === '' ? null : { kind, value: Number(value) }
}

/** Whether it was there for whoever says something now: what they say changes nothing that was said after it. */
export const isBefore = (one: When, words: { readonly at?: string | undefined; readonly key?: string }): boolean =>
  !isLater({ at: one.at, id: one.id, seq: 0 }, { at: words.at, id: words.key, seq: 1 })

/** The last of them, by when they were said. */
export const newestOf = <T extends Placed>(all: readonly T[]): T | undefined =>
  all.reduce<T | undefined>((last, one) => (last === undefined || isLater(one, last) ? one : last), undefined)
