// Where the verifier's review of an attempt is shown, as text: `<review> <finding>=<comment> …`, without a number where
// nothing had to be written.
export type Threads = Readonly<Record<string, number>>

export const reviewSlot = (attemptId: string): string => `verdict:${attemptId}`
export const attackSlot = (attemptId: string): string => `attack:${attemptId}`

const NOTHING_WRITTEN = '-'

export const reviewRef = (review: number | null, threads: Threads): string =>
  [review ?? NOTHING_WRITTEN, ...Object.entries(threads).map(([finding, comment]) => `${finding}=${comment}`)].join(' ')

export function threadsIn(ref: string | null): Threads {
  const threads = Array.from((ref ?? '').matchAll(/ (\S+)=(\d+)/g), ([, finding = '', comment = '']) => [
    finding,
    Number(comment),
  ])
  return Object.fromEntries(threads)
}

export function reviewIn(ref: string | null): number | null {
  const [, number] = /^(\d+)(?: |$)/.exec(ref ?? '') ?? []
  return number === undefined ? null : Number(number)
}
