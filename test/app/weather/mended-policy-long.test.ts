// A policy that could not be read is read again, also where no push to the base told that it was mended.
import { afterAll, expect, test } from 'vitest'
import { runningApp, until } from '../lab/running.ts'
import { adopted, aShop, type Shop } from '../lab/shop.ts'
import { untold } from '../lab/unheard.ts'

const app = await runningApp()
afterAll(() => app.stop())
const { github } = app
const broken = `${adopted}mode: nonsense\n`

async function again(): Promise<void> {
  await app.kill()
  await app.start()
  await app.idle()
}

async function aRed(shop: Shop): Promise<string> {
  const sha = await shop.push()
  await shop.open()
  await shop.build(sha, 'failure')
  return sha
}

const isJudged = (shop: Shop, sha: string) => until(async () => (await shop.check(sha)).startsWith('failure'), 60_000)

test('where the policy of the repository is mended, and no webhook tells of it', async () => {
  const shop = await aShop(app, broken)
  const sha = await aRed(shop)
  expect(await shop.check(sha)).toMatch(/^action_required: .*policy on the base branch is invalid/)
  const files = { '.github/countersign.yml': adopted }
  await untold(github, () => github.push(shop.name, 'main', { files, author: 'cleo' }))
  await again()
  await isJudged(shop, sha)
  expect(await shop.check(sha)).toMatch(/^failure: Changes needed: required check `build` failed/)
})

test('where the default of the organisation is mended', async () => {
  const shop = await aShop(app, null)
  const home = `${shop.org}/.github`
  github.createRepo(home, { files: { 'README.md': 'x\n', '.github/countersign.yml': broken }, by: 'cleo' })
  await again()
  const sha = await aRed(shop)
  expect(await shop.check(sha)).toMatch(/^action_required/)
  github.push(home, 'main', { files: { '.github/countersign.yml': adopted }, author: 'cleo' })
  await again()
  await isJudged(shop, sha)
  expect(await shop.check(sha)).toMatch(/^failure: Changes needed: required check `build` failed/)
})
