// What people said counts although the store is gone in which it stood, and although nobody can understand it for now.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { runningApp, until } from '../lab/running.ts'
import { changesIn } from '../lab/unheard.ts'

const app = await runningApp()
afterAll(() => app.stop())
const { github } = app
const { aChange, whileAway, wasGreen } = changesIn(app)

test('a store that is gone is made again from what stands at GitHub', async () => {
  const { shop, sha, number } = await aChange()
  await shop.say(number, 'bob', '/reject not like this')
  await shop.say(number, 'dan', '/status')
  const said = (await shop.comments(number)).length
  await whileAway(() => rm(join(app.directory, 'data'), { recursive: true }))
  await shop.build(sha, 'success')
  await until(async () => /rejected by bob/.test(await shop.check(sha)))
  expect(wasGreen(sha, shop.name)).toBe(false)
  // Nobody is answered twice.
  expect((await shop.comments(number)).length).toBe(said)
}, 60_000)

test('a store that is gone is made again, also where nothing is to turn green', async () => {
  const { shop, sha, number } = await aChange()
  await shop.say(number, 'bob', '/reject not like this')
  await whileAway(() => rm(join(app.directory, 'data'), { recursive: true }))
  await until(async () => (await shop.check(sha)).startsWith('failure'))
  expect(await shop.check(sha)).toMatch(/rejected by bob/)
}, 60_000)

test('what we cannot understand is given up soon, is said, and keeps nothing else of the pull request waiting', async () => {
  const { shop, sha, number } = await aChange()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
  // GitHub answers, and what it says makes no sense to us.
  const nonsense = { kind: 'answer', status: 200, body: { role_name: 7 } } as const
  const fault = github.addFault({ path: `/repos/${shop.name}/collaborators/bob/permission`, trouble: nonsense })
  github.comment(shop.name, number, { body: '/reject not like this', by: 'bob' })
  await until(async () => (await shop.check(sha)).startsWith('action_required'))
  expect(await shop.summary(sha)).toContain('handling said')
  // Another commit is no way around it, and others are heard.
  const next = github.push(shop.name, 'feature', { files: { 'src/shop.ts': 'export {}\n' }, author: 'agent' })
  await github.idle()
  github.reportCheck(shop.name, { name: 'build', sha: next, conclusion: 'success', app: 'github-actions' })
  await until(async () => (await shop.check(next)).startsWith('action_required'))
  expect(wasGreen(next, shop.name)).toBe(false)
  const { inbox } = z
    .object({ inbox: z.object({ dead: z.number() }) })
    .parse(await (await fetch(`${app.url}/health`)).json())
  expect(inbox.dead).toBe(1)
  github.removeFault(fault)
}, 90_000)
