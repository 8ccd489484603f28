// Who merges at the first green, as auto-merge does, is faster than what stands beside the gate: it is put right behind the merge.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { adopted, aShop } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app

/** Both in one question, and each by itself where that fails. */
const writes = [
  { path: '/graphql', holds: 'addLabelsToLabelable' },
  { path: '/repos/*/issues/*/labels' },
  { path: '/repos/*/issues/comments/*' },
]

test('a merge at the first green', async () => {
  const shop = await aShop(app, `comment: always\n${adopted}`)
  const sha = await shop.push()
  const number = await shop.open()
  const isRight = (): boolean => {
    const { labels, comments } = github.look(shop.name, number)
    return labels.join() === 'countersign:success' && comments.some(({ body }) => body.includes('### ✅ Passed'))
  }
  const away = writes.map((write) => github.addFault({ ...write, trouble: { kind: 'answer', status: 502 } }))
  github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'success', app: 'github-actions' })
  await until(async () => away.every((fault) => github.faultHits(fault) > 0))
  expect(await shop.check(sha)).toMatch(/^success/)
  github.merge(shop.name, number, { by: 'ada' })
  await github.idle()
  await sleep(2_000)
  expect(isRight()).toBe(false)
  away.forEach((fault) => github.removeFault(fault))
  await until(async () => isRight())
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('a merge of what is shown already writes nothing', async () => {
  const shop = await aShop(app, `comment: always\n${adopted}`)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'success')
  const before = github.requestLog().length
  github.merge(shop.name, number, { by: 'ada' })
  await app.idle()
  const since = github.requestLog().slice(before)
  const isWrite = ({ method, path, mutates }: (typeof since)[number]): boolean =>
    mutates.length > 0 || (method !== 'GET' && path !== '/graphql')
  expect(since.filter(isWrite)).toEqual([])
})
