// A pooler before the server that gives each transaction another session: locks of a session, which keep processes apart, mean
// nothing behind it. The App says so and does not begin.
import { expect, onTestFinished, test } from 'vitest'
import { refuseSharedSessions } from '../../src/adapters/store/pooler.ts'
import { server } from './a-database.ts'
import { aQuietGitHub, environmentOf } from './quiet.ts'
import { freePort } from './running.ts'
import { sharingPooler, type Choice } from './sharing-pooler.ts'
import { refusedApp } from './spawned.ts'

const words =
  /pooler that gives each transaction another session of the server.*Name the server itself, or let the pooler keep/s

async function pooled(size: number, choice: Choice): Promise<string> {
  const pooler = await sharingPooler(server, { size, choice })
  onTestFinished(pooler.close)
  return pooler.url
}

test.skipIf(server === '').for([
  [1, 'oldest'],
  [2, 'oldest'],
  [3, 'oldest'],
  [8, 'oldest'],
  [2, 'newest'],
  [8, 'newest'],
  [8, 'any'],
] as const)('%s sessions are shared, and a transaction gets the %s of them', async ([size, choice]) => {
  const url = await pooled(size, choice)
  await expect(refuseSharedSessions(url)).rejects.toThrow(words)
})

test.skipIf(server === '')('whoever reaches the server itself has sessions to themselves', async () => {
  await expect(refuseSharedSessions(server)).resolves.toBeUndefined()
})

test.skipIf(server === '')('the App says where its database has to be reached, and ends', async () => {
  const github = await aQuietGitHub()
  onTestFinished(() => github.close())
  const DATABASE_URL = await pooled(5, 'newest')
  const app = await refusedApp({ ...environmentOf(github), DATABASE_URL, PORT: String(await freePort()) })
  expect(app.code).toBe(1)
  expect(app.output).toMatch(words)
})
