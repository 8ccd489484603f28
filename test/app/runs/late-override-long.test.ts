// An override lifts what had failed when it was written, and nothing later, however late the App hears of it.
import { expect, test } from 'vitest'
import { aSecond } from '../lab/a-second.ts'
import { sharedApp } from '../lab/app-of-file.ts'
import { aShop, byStatus, type Shop } from '../lab/shop.ts'
import { untold } from '../lab/unheard.ts'

const app = await sharedApp()
const { github } = app

const overrides = (shop: Shop, pull: number): unknown =>
  github.comment(shop.name, pull, { body: '/override the runner lost its network', by: 'ada' })
const fails: readonly [string, string | undefined, (shop: Shop, sha: string) => unknown][] = [
  [
    'a check run',
    undefined,
    ({ name }, sha) => github.reportCheck(name, { name: 'build', sha, conclusion: 'failure' }),
  ],
  [
    'a status',
    byStatus,
    ({ name }, sha) => github.reportStatus(name, { sha, context: 'ci', state: 'failure', by: 'bob' }),
  ],
]

/** While GitHub answers nothing, so that all of it is heard at once. */
async function unanswered(acts: () => Promise<void>): Promise<void> {
  const fault = github.addFault({ trouble: { kind: 'answer', status: 502 } })
  await acts()
  await aSecond()
  github.removeFault(fault)
  await app.idle()
}

test.each(fails)('%s that failed after it was written stands', async (_, policy, fail) => {
  const shop = await aShop(app, policy)
  const sha = await shop.push()
  const pull = await shop.open()
  await unanswered(async () => {
    overrides(shop, pull)
    await aSecond()
    fail(shop, sha)
  })
  expect(await shop.check(sha)).toMatch(/^failure: Changes needed: required check `build` failed/)
})

test.each(fails)('%s that had failed before is lifted', async (_, policy, fail) => {
  const shop = await aShop(app, policy)
  const sha = await shop.push()
  const pull = await shop.open()
  await unanswered(async () => {
    fail(shop, sha)
    await aSecond()
    overrides(shop, pull)
  })
  expect(await shop.check(sha)).toMatch(/^success: Passed: ada takes responsibility/)
})

test.each(fails)(
  '%s that had failed before is lifted, also where nobody told us of it yet',
  async (_, policy, fail) => {
    const shop = await aShop(app, policy)
    const sha = await shop.push()
    const pull = await shop.open()
    await untold(github, () => fail(shop, sha))
    await aSecond()
    overrides(shop, pull)
    await app.idle()
    expect(await shop.check(sha)).toMatch(/^success: Passed: ada takes responsibility/)
  },
)
