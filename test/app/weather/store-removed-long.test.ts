// The directory of the store under the running App: moved away, removed, or another one in its place. The database would go on
// writing to files that nobody finds any more, so nothing is acknowledged until the directory is there.
import { randomUUID } from 'node:crypto'
import { cpSync, renameSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { GitHub } from '../../github/github.ts'
import { madeStoreIn } from '../../made-store.ts'
import { aPullRequest, aQuietGitHub, environmentOf } from '../lab/quiet.ts'
import { until } from '../lab/running.ts'
import { isReady, newDirectory, post, spawnApp } from '../lab/spawned.ts'

let github: GitHub
let body: string
beforeAll(async () => {
  github = await aQuietGitHub()
  body = aPullRequest(github, 'one').body
})
afterAll(() => github.close())

async function running() {
  const home = madeStoreIn(`${newDirectory()}/data`)
  const app = await spawnApp({ ...environmentOf(github), DATA_DIR: home })
  onTestFinished(async () => void (await app.end('SIGKILL')))
  const bring = async (): Promise<number> =>
    (await post(app.url, body, github.app.webhookSecret, { 'x-github-delivery': randomUUID() })).status
  return { home, app, bring }
}

test('moved away, nothing is acknowledged; brought back, it goes on by itself', async () => {
  const { home, app, bring } = await running()
  expect(await bring()).toBe(202)
  renameSync(home, `${home}-elsewhere`)
  expect(await bring()).toBe(503)
  await until(async () => app.output().includes(`The store in ${home} is gone. Bring it back`))
  expect(await isReady(app)).toBe(false)
  renameSync(`${home}-elsewhere`, home)
  await until(async () => (await bring()) === 202)
  await until(() => isReady(app))
  expect(await app.end('SIGTERM')).toBe(0)
})

test('removed, nothing is acknowledged, and no new one is made under the running App', async () => {
  const { home, app, bring } = await running()
  expect(await bring()).toBe(202)
  rmSync(home, { recursive: true })
  expect(await bring()).toBe(503)
  await until(async () => app.output().includes(`The store in ${home} is gone. Bring it back`))
  expect(await bring()).toBe(503)
  expect(await app.end('SIGTERM')).toBe(0)
})

test('with another one in its place, nothing is acknowledged before that one is opened', async () => {
  const { home, app, bring } = await running()
  expect(await bring()).toBe(202)
  cpSync(`${home}/data`, `${home}/copy`, { recursive: true })
  renameSync(`${home}/data`, `${home}/before`)
  renameSync(`${home}/copy`, `${home}/data`)
  expect(await bring()).toBe(503)
  await until(async () => app.output().includes('pg_wal was replaced'))
  await until(async () => (await bring()) === 202)
  await until(() => isReady(app))
  expect(await app.end('SIGTERM')).toBe(0)
})
