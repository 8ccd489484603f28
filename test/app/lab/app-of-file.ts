// One App for many tests. It runs on a database server where there is one, as a company's does; what is about the embedded
// store, or looks into it, starts its own.
import { afterAll } from 'vitest'
import type { Options } from '../../github/github.ts'
import { newPostgres } from '../../inbox/opened.ts'
import { MADE_DATABASE } from '../../made-store.ts'
import { aClock } from './clock-in-minutes.ts'
import { runningApp, type Running } from './running.ts'

/** `database`: null where it runs on the embedded one. */
export type AppOfFile = Running & { readonly database: string | null }

/** For all tests of a file, which it outlives by nothing. */
export async function appOfFile(options: Options = {}, env: Env = {}): Promise<AppOfFile> {
  const { app, end } = await appWithDatabase(options, env)
  afterAll(end)
  return app
}

/** The same, and a minute that passes when it is told to: GitHub counts in seconds, so what comes later comes a minute later. */
export async function appInTime() {
  const { clock, aMinuteLater } = aClock()
  return { app: await appOfFile({ clock }), aMinuteLater }
}

/**
 * For all files of a worker that ask nothing special of it and do not end it: until it is up and warm takes more than many of
 * them do. What they ordered GitHub to do ends with each of them; the minutes stay. An idle one computes, too: it ends soon
 * after the last of them.
 */
export async function sharedInTime() {
  clearTimeout(ending)
  shared ??= untilWorkerEnds()
  const both = await shared
  const { github, idle, conforms } = both.app
  afterAll(async () => {
    github.clearFaults()
    github.setDeliveries({ lostPercent: 0, neverSent: false, hold: false })
    await idle()
    conforms()
    ending = setTimeout(() => {
      shared = null
      void both.end()
    }, NEXT_MS_MAX)
  })
  return both
}
export const sharedApp = async (): Promise<AppOfFile> => (await sharedInTime()).app

let shared: ReturnType<typeof untilWorkerEnds> | null = null
let ending: NodeJS.Timeout | undefined
const NEXT_MS_MAX = 10_000

async function untilWorkerEnds() {
  // Half a second after this signal the worker is killed. What it started ends with it, and the database with the whole run.
  process.once('SIGTERM', () => process.exit())
  const { clock, aMinuteLater } = aClock()
  return { ...(await appWithDatabase({ clock })), aMinuteLater }
}

type Env = Readonly<Record<string, string>>

async function appWithDatabase(options: Options = {}, env: Env = {}) {
  const server = process.env['DATABASE_URL'] ?? ''
  const database = server === '' ? null : await newPostgres(server, process.env[MADE_DATABASE] ?? null)
  const app = await runningApp(options, { DATABASE_URL: database?.place ?? '', ...env })
  const end = async (): Promise<void> => {
    await app.stop()
    await database?.remove()
  }
  return { app: { ...app, database: database?.place ?? null }, end }
}
