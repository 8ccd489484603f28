// Time that was spent computing. A busy machine makes everything take longer by the clock, which says nothing of a text.

/** Of this thread, in milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
