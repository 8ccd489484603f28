// Many things in one question to GitHub. One of which it cannot tell anything, and breaks the question, keeps none of the others
// from being told of, nor does it that they are too many: what failed is asked again in halves.
import { RateLimited } from '../../adapters/github/traffic/pacing.ts'
import { NotInstalled } from '../../ports.ts'

type Ask<T> = (some: readonly T[]) => Promise<void>

/** So few are never too many. */
const FEW = 25

export async function askTogether<T>(all: readonly T[], ask: Ask<T>): Promise<void> {
  await ask(all).catch((error: unknown) => inHalves(all, ask, error))
}

async function inHalves<T>(all: readonly T[], ask: Ask<T>, why: unknown): Promise<void> {
  if (all.length === 1 || isForAll(why)) throw why
  const middle = Math.ceil(all.length / 2)
  const failed: { readonly half: readonly T[]; readonly error: unknown }[] = []
  for (const half of [all.slice(0, middle), all.slice(middle)])
    await ask(half).catch((error: unknown) => failed.push({ half, error }))
  // It is neither for one of them nor for their number.
  if (failed.length === 2 && middle <= FEW) throw why
  const left: unknown[] = []
  for (const { half, error } of failed) await inHalves(half, ask, error).catch((still: unknown) => left.push(still))
  if (left.length > 0) throw left[0]
}

/** It would be the same for each of them. */
const isForAll = (error: unknown): boolean => error instanceof RateLimited || error instanceof NotInstalled
