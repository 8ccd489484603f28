// A pull request that is closed, merged or made a draft while nobody tells the App: the round finds that it is not among those
// that are open, and its check does not wait for ever.
import { expect, test } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'
import { changesIn } from '../lab/unheard.ts'

const app = await appOfFile()
const { github } = app
const { whileAway } = changesIn(app)

const ended = /^cancelled: Not judged: a draft, or closed/m

type End = (shop: string, pull: number) => void
const ways: readonly (readonly [string, End])[] = [
  ['closed', (shop, pull) => github.closePull(shop, pull, 'ada')],
  ['merged', (shop, pull) => github.merge(shop, pull, { by: 'ada' })],
  ['made a draft', (shop, pull) => github.setDraft(shop, pull, true, 'ada')],
]

async function waiting(policy?: string) {
  const shop = await aShop(app, policy)
  const sha = await shop.push()
  const pull = await shop.open()
  expect(await shop.check(sha)).toMatch(/^in_progress/)
  const shown = (): string =>
    github
      .checksOn(shop.name, sha)
      .runs.map((run) => `${run.conclusion}: ${run.title}`)
      .join('\n')
  return { shop, sha, pull, shown }
}

test.each(ways)('%s while the App was away, and GitHub brings nothing again', async (_, end) => {
  const { shop, pull, shown } = await waiting()
  await whileAway(() => end(shop.name, pull))
  await until(async () => ended.test(shown()))
  expect(shown()).toMatch(ended)
})

test('also where a result of it is found in the same round', async () => {
  const both = ['build', 'lint'].map((name) => `{ name: ${name}, check_run: ${name}, app: github-actions }`)
  const { shop, sha, pull, shown } = await waiting(`verification: { checks: [${both.join(', ')}] }\n`)
  await whileAway(() => {
    github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'success', app: 'github-actions' })
    github.closePull(shop.name, pull, 'ada')
  })
  await until(async () => ended.test(shown()))
  expect(shown()).toMatch(ended)
})

test('who merged it although it was no success is named', async () => {
  const { shop, pull } = await waiting()
  await whileAway(() => void github.merge(shop.name, pull, { by: 'ada' }))
  const said = (): string =>
    github
      .look(shop.name, pull)
      .comments.map(({ body }) => body)
      .join('\n')
  await until(async () => said().includes('although it was no success'))
  expect(said()).toMatch(/: ada merged [0-9a-f]{7} although it was no success/)
})
