// A repository is deleted while what was said there waits: nobody waits for it for ever, and the App is well without it.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { appOfFile } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

const app = await appOfFile()
const { github } = app

const health = z.object({ status: z.string(), inbox: z.object({ waiting: z.number() }) })
const isWell = async (): Promise<boolean> => {
  const { status, inbox } = health.parse(await (await fetch(`${app.url}/health`)).json())
  return status === 'ok' && inbox.waiting === 0
}

test('what waits for a repository that is no more is let go', { timeout: 300_000 }, async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const pull = await shop.open()
  await shop.build(sha, 'failure')
  const bad = { kind: 'answer', status: 502 } as const
  const faults = [`/repos/${shop.name}/*`, '/graphql'].map((path) => github.addFault({ path, trouble: bad }))
  github.comment(shop.name, pull, { body: '/reject the prices are wrong', by: 'ada' })
  await until(async () => faults.some((fault) => github.faultHits(fault) > 1))
  expect(await isWell()).toBe(false)
  github.deleteRepo(shop.name, 'cleo')
  for (const fault of faults) github.removeFault(fault)
  await until(isWell, 240_000)
  expect(await isWell()).toBe(true)
  // Others of the same App are heard as before.
  const other = await aShop(app)
  const there = await other.push()
  await other.open()
  await other.build(there, 'success')
  expect(await other.check(there)).toMatch(/^success/)
})
