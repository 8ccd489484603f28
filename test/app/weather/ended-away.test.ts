// A pull request that is closed, merged or made a draft while nobody tells the App: the round finds that it is not among those
// that are open, and its check does not wait for ever.
import { expect, test } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

const app = await appOfFile()
const { github } = app

const ended = /^cancelled: Not judged: a draft, or closed/

type End = (shop: string, pull: number) => void
const ways: readonly (readonly [string, End])[] = [
  ['closed', (shop, pull) => github.closePull(shop, pull, 'ada')],
  ['merged', (shop, pull) => github.merge(shop, pull, { by: 'ada' })],
  ['made a draft', (shop, pull) => github.setDraft(shop, pull, true, 'ada')],
]

async function waiting() {
  const shop = await aShop(app)
  const sha = await shop.push()
  const pull = await shop.open()
  expect(await shop.check(sha)).toMatch(/^in_progress/)
  const shown = (): string =>
    github
      .checksOn(shop.name, sha)
      .runs.map((run) => `${run.conclusion}: ${run.title}`)
      .join()
  return { shop, pull, shown }
}

test.each(ways)('%s while the App was away, and GitHub brings nothing again', async (_, end) => {
  const { shop, pull, shown } = await waiting()
  await app.kill()
  end(shop.name, pull)
  await github.idle()
  github.addFault({ path: '/app/hook/deliveries', trouble: { kind: 'answer', status: 500 } })
  await app.start()
  await until(async () => ended.test(shown()))
  expect(shown()).toMatch(ended)
})
