// One App for all tests of a file, which it outlives by nothing.
import { afterAll } from 'vitest'
import { runningApp, type Running } from './running.ts'

export async function appOfFile(): Promise<Running> {
  const app = await runningApp()
  afterAll(() => app.stop())
  return app
}
