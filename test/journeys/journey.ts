// A journey of somebody who is new here: steps that are timed, in a folder that is gone afterwards.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { wordsOf } from '../../src/core/error-words.ts'

export type Step = { readonly what: string; readonly seconds: number }
export type Travelled = {
  readonly name: string
  readonly seconds: number
  readonly limit: number
  readonly steps: readonly Step[]
  readonly ok: boolean
  /** What went wrong. */
  readonly why: string | null
}
export type Walk = <T>(what: string, act: () => Promise<T>) => Promise<T>
/** `limit`: in seconds, of all its steps. */
export type Journey = {
  readonly name: string
  readonly limit: number
  readonly go: (walk: Walk, folder: string) => Promise<void>
}

const secondsSince = (start: number): number => Math.round((performance.now() - start) / 100) / 10

export async function travel({ name, limit, go }: Journey): Promise<Travelled> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-journey-'))
  const steps: Step[] = []
  console.error(name)
  const walk: Walk = async (what, act) => {
    const start = performance.now()
    const came = await act()
    const step = { what, seconds: secondsSince(start) }
    steps.push(step)
    console.error(`  ${step.seconds.toFixed(1).padStart(6)} s  ${what}`)
    return came
  }
  let why: string | null = null
  try {
    await go(walk, folder)
  } catch (error) {
    why = wordsOf(error)
    console.error(`  ${why}`)
  }
  rmSync(folder, { recursive: true, force: true })
  const seconds = Math.round(steps.reduce((sum, step) => sum + step.seconds, 0) * 10) / 10
  if (why === null && seconds > limit) why = `it took longer than ${limit} s`
  return { name, seconds, limit, steps, ok: why === null, why }
}

/** What a step has to have come to. */
export function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what)
}
