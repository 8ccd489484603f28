// A pooler before the server that gives each transaction another session: locks of a session, which keep processes apart, mean
// nothing behind it. The App says so and does not begin.
import { expect, onTestFinished, test } from 'vitest'
import { DatabaseAway } from '../../../src/adapters/store/away.ts'
import { refuseSharedSessions } from '../../../src/adapters/store/postgres/pooler.ts'
import { server } from '../lab/a-database.ts'
import { aQuietGitHub, environmentOf } from '../lab/quiet.ts'
import { freePort, START_MS_MAX, until } from '../lab/running.ts'
import { sharingPooler, type Choice } from '../lab/sharing-pooler.ts'
import { beganApp, newDirectory, refusedApp } from '../lab/spawned.ts'

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

test('a server that is not there is weather, and told at once', async () => {
  const nowhere = `postgres://nobody@127.0.0.1:${await freePort()}/nothing`
  await expect(refuseSharedSessions(nowhere)).rejects.toThrow(DatabaseAway)
})

test('an App whose server is not there yet says that it waits, and a stop is a stop all the same', async () => {
  const github = await aQuietGitHub()
  onTestFinished(() => github.close())
  const DATABASE_URL = `postgres://nobody@127.0.0.1:${await freePort()}/nothing`
  const app = beganApp({ ...environmentOf(github), DATABASE_URL, PORT: String(await freePort()) }, newDirectory())
  onTestFinished(async () => void (await app.end('SIGKILL')))
  await until(async () => app.output().includes('the database does not answer yet; it is waited for'), START_MS_MAX)
  expect(await app.end('SIGTERM')).toBe(0)
})

test.skipIf(server === '')('the App says where its database has to be reached, and ends', async () => {
  const github = await aQuietGitHub()
  onTestFinished(() => github.close())
  const DATABASE_URL = await pooled(5, 'newest')
  const app = await refusedApp({ ...environmentOf(github), DATABASE_URL, PORT: String(await freePort()) })
  expect(app.code).toBe(1)
  expect(app.output).toMatch(words)
})
