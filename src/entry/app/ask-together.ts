// Many things in one question to GitHub. One of which it cannot tell anything, and breaks the question, keeps none of the others
// from being told of: what failed is asked again in halves, for as long as one of them is answered.

type Ask<T> = (some: readonly T[]) => Promise<void>

export async function askTogether<T>(
  all: readonly T[],
  ask: Ask<T>,
  /** Whether it would be the same for each of them. */
  isForAll: (error: unknown) => boolean,
): Promise<void> {
  await ask(all).catch((error: unknown) => inHalves(all, ask, isForAll, error))
}

async function inHalves<T>(
  all: readonly T[],
  ask: Ask<T>,
  isForAll: (error: unknown) => boolean,
  why: unknown,
): Promise<void> {
  if (all.length === 1 || isForAll(why)) throw why
  const middle = Math.ceil(all.length / 2)
  const failed: { readonly half: readonly T[]; readonly error: unknown }[] = []
  for (const half of [all.slice(0, middle), all.slice(middle)])
    await ask(half).catch((error: unknown) => failed.push({ half, error }))
  const [one, other] = failed
  if (one === undefined) return
  // It is not for one of them.
  if (other !== undefined) throw why
  await inHalves(one.half, ask, isForAll, one.error)
}
