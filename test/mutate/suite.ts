// Stands in for vitest where mutants are judged: tests are collected once and run as often as wanted, in one process and
// without what a report needs. `expect` is vitest's own. A snapshot is what the unchanged code gave.
import { isDeepStrictEqual } from 'node:util'
import { expect as itsExpect } from 'vitest'

type Body = () => unknown
export type Collected = { readonly name: string; readonly body: Body }

export const collected: Collected[] = []
const before: Body[] = []
const groups: string[] = []

function add(title: unknown, ...parts: readonly unknown[]): void {
  const run = parts.find((part) => typeof part === 'function')
  if (typeof run === 'function') collected.push({ name: [...groups, String(title)].join(' > '), body: () => run() })
}

/** Rows that are lists are spread, as everywhere. */
const each =
  (rows: readonly unknown[]) =>
  (title: unknown, ...parts: readonly unknown[]): void => {
    const run = parts.find((part) => typeof part === 'function')
    if (typeof run !== 'function') return
    for (const [index, row] of rows.entries()) {
      add(`${String(title)} ${index}`, () => (Array.isArray(row) ? run(...row) : run(row)))
    }
  }

const leftOut = Object.assign(() => undefined, { each: () => () => undefined })
export const test = Object.assign(add, { each, skipIf: (isLeftOut: unknown) => (isLeftOut ? leftOut : add) })

export function describe(title: unknown, body: Body): void {
  groups.push(String(title))
  body()
  groups.pop()
}

export const beforeAll = (body: Body): void => void before.push(body)
/** What is left behind goes with the process. */
export const afterAll = (): void => undefined

export async function prepare(): Promise<void> {
  for (const body of before) await body()
}

const snapshots = new Map<string, unknown>()
let current = ''
let taken = 0

export async function runTest({ name, body }: Collected): Promise<void> {
  current = name
  taken = 0
  await body()
}

/** What a snapshot is of, told apart by the test and by its place in it. */
function sameAsFirst(received: unknown): void {
  taken += 1
  const key = `${current} ${taken}`
  if (!snapshots.has(key)) snapshots.set(key, structuredClone(received))
  if (!isDeepStrictEqual(snapshots.get(key), received)) throw new Error(`${key} is another`)
}

const taking = (received: unknown) => {
  const take = () => sameAsFirst(received)
  const takers = { toMatchInlineSnapshot: take, toMatchSnapshot: take, toMatchFileSnapshot: async () => take() }
  return Object.assign(itsExpect(received), takers)
}
export const expect = Object.assign(taking, itsExpect)
