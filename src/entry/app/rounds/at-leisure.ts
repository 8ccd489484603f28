// What nobody waits for, one after the other, until GitHub asks to wait.
import { inBackground } from '../../../adapters/github/traffic/background.ts'
import { limitIn } from '../hearing/handle.ts'

/** Gives what failed. Those behind one that has to wait are not begun. */
export async function atLeisure<One>(
  some: Iterable<One>,
  work: (one: One) => Promise<unknown>,
): Promise<readonly unknown[]> {
  const failed: unknown[] = []
  for (const one of some) {
    try {
      await inBackground(() => work(one))
    } catch (error) {
      failed.push(error)
      if (limitIn(error) !== null) break
    }
  }
  return failed
}
