// One App for all tests of a file, which it outlives by nothing. It runs on a database server where there is one, as a
// company's does; what is about the embedded store, or looks into it, starts its own.
import { afterAll } from 'vitest'
import type { Options } from '../../github/github.ts'
import { newPostgres } from '../../inbox/opened.ts'
import { MADE_DATABASE } from '../../made-store.ts'
import { runningApp, type Running } from './running.ts'

/** `database`: null where it runs on the embedded one. */
export type AppOfFile = Running & { readonly database: string | null }

export async function appOfFile(options: Options = {}, env: Readonly<Record<string, string>> = {}): Promise<AppOfFile> {
  const server = process.env['DATABASE_URL'] ?? ''
  const database = server === '' ? null : await newPostgres(server, process.env[MADE_DATABASE] ?? null)
  const app = await runningApp(options, { DATABASE_URL: database?.place ?? '', ...env })
  afterAll(async () => {
    await app.stop()
    await database?.remove()
  })
  return { ...app, database: database?.place ?? null }
}

/** The same, and a minute that passes when it is told to: GitHub counts in seconds, so what comes later comes a minute later. */
export async function appInTime() {
  let minutes = 0
  const clock = { now: () => new Date(Date.now() + minutes * 60_000).toISOString() }
  return { app: await appOfFile({ clock }), aMinuteLater: () => void (minutes += 1) }
}
