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
