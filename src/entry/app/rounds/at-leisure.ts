// What nobody waits for, one after the other, some in each round and each in its turn. Where GitHub asks to wait, no more is begun
// through that installation.
import { inBackground } from '../../../adapters/github/traffic/background.ts'
import type { Repository } from '../../../core/news.ts'
import { limitIn } from '../hearing/handle.ts'
import { inTurn } from './in-turn.ts'

/** Repositories that let us in, by key. */
export type Listed = ReadonlyMap<string, { readonly repository: Repository; readonly installation: number }>

type Errand = { readonly name: string; readonly installation: number }

/** Of all that is due does at most so many, and gives what failed. */
type AtLeisure<One extends Errand> = (
  due: readonly One[],
  most: number,
  work: (one: One) => Promise<unknown>,
) => Promise<readonly unknown[]>

export function atLeisure<One extends Errand>(): AtLeisure<One> {
  const turns = inTurn()
  return async (due, most, work) => {
    const byName = new Map(due.map((one) => [one.name, one]))
    turns.wait(new Map(due.map(({ name, installation }) => [name, `${installation}`])))
    const failed: unknown[] = []
    const waits = new Set<number>()
    for (const name of turns.first(most)) {
      const one = byName.get(name)
      if (one === undefined || waits.has(one.installation)) continue
      turns.tried(name)
      try {
        await inBackground(() => work(one))
      } catch (error) {
        failed.push(error)
        if (limitIn(error) !== null) waits.add(one.installation)
      }
    }
    return failed
  }
}
