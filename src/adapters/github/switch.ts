// Off for a while: what a GitHub refused is not asked of it each time.
export type Switch = { readonly isOff: () => boolean; readonly switchOff: () => void }

export function aSwitch(now: () => number, offMs: number): Switch {
  let until = 0
  return {
    isOff: () => now() < until,
    switchOff: () => {
      until = now() + offMs
    },
  }
}

/** The first way while it is on. Where it tells nothing and the other one does, it is off for a while; in an outage neither does. */
export async function byEither<T>(on: Switch, first: () => Promise<T | null>, other: () => Promise<T>): Promise<T> {
  if (on.isOff()) return other()
  const told = await first()
  if (told !== null) return told
  const read = await other()
  on.switchOff()
  return read
}
