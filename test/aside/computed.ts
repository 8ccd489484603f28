// Time that was spent computing. A busy machine makes everything take longer by the clock, which says nothing of a text.

/** Of this thread, in milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** What the work below takes on the machine that limits were set on, while it is idle. */
const IDLE_MS = 30

/** How many times longer computing takes now: whoever shares caches and cores takes of them, at every moment anew. */
export function slowness(): number {
  const rows = Array.from({ length: 400 }, (_, number) => ({ number, text: `row ${number} `.repeat(8), on: true }))
  const before = cpuMs()
  for (let round = 0; round < 60; round += 1) JSON.parse(JSON.stringify(rows))
  return Math.max(1, (cpuMs() - before) / IDLE_MS)
}

/** What this thread spends on `work`, in milliseconds of the machine that limits were set on. */
export async function costMs(work: () => unknown): Promise<number> {
  const before = cpuMs()
  await work()
  return (cpuMs() - before) / slowness()
}
