// Ends the process, as far as the engine can tell, at a chosen call to the outside: just before it or just after.
import type { Ports } from '../../src/engine/engine.ts'

export class Crash extends Error {
  override readonly name = 'Crash'
  /** To whoever is still there it looks as if the connection had broken. */
  readonly code = 'ECONNRESET'
}
export type Fuse = {
  readonly guard: (ports: Ports) => Ports
  readonly calls: () => number
  readonly blown: () => boolean
}

/** `at` counts the calls from 1; without it nothing ever happens. */
export function aFuse(at = Number.POSITIVE_INFINITY, when: 'before' | 'after' = 'before'): Fuse {
  let calls = 0
  let blown = false
  const guarded =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      calls += 1
      const now = calls === at
      if (now) blown = true
      if (now && when === 'before') throw new Crash(`before call ${at}`)
      const result = await call(...args)
      if (now) throw new Crash(`after call ${at}`)
      return result
    }
  const guard = ({ store, forges, verifier, clock, ids, aside }: Ports): Ports => ({
    clock,
    ids,
    aside,
    store: { ...store, read: guarded(store.read), append: guarded(store.append) },
    forges: {
      of: async (stream) => {
        const board = await forges.of(stream)
        return {
          show: guarded(board.show),
          now: guarded(board.now),
          kindOf: guarded(board.kindOf),
          lastLook: guarded(board.lastLook),
          policy: guarded(board.policy),
          policyCopy: guarded(board.policyCopy),
          codeOwners: guarded(board.codeOwners),
          reviewerCalled: guarded(board.reviewerCalled),
          changedFiles: guarded(board.changedFiles),
          results: guarded(board.results),
          pullsBehind: guarded(board.pullsBehind),
        }
      },
    },
    verifier: { ...verifier, verify: guarded(verifier.verify), judgeGate: guarded(verifier.judgeGate) },
  })
  return { guard, calls: () => calls, blown: () => blown }
}
