// One App for all tests of a file, which it outlives by nothing.
import { afterAll } from 'vitest'
import type { Options } from '../github/github.ts'
import { runningApp, type Running } from './running.ts'

export async function appOfFile(options: Options = {}): Promise<Running> {
  const app = await runningApp(options)
  afterAll(() => app.stop())
  return app
}

/** The same, and a minute that passes when it is told to: GitHub counts in seconds, so what comes later comes a minute later. */
export async function appInTime() {
  let minutes = 0
  const clock = { now: () => new Date(Date.now() + minutes * 60_000).toISOString() }
  return { app: await appOfFile({ clock }), aMinuteLater: () => void (minutes += 1) }
}
