// GitHub counts in seconds: what is to come later than something else comes a minute later, and nobody waits for that.

export function aClock() {
  let minutes = 0
  const clock = { now: () => new Date(Date.now() + minutes * 60_000).toISOString() }
  return { clock, aMinuteLater: () => void (minutes += 1) }
}
