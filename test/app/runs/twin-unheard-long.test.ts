// Two pull requests that share a commit share its check run. It is green for both of them, so nothing may be unheard at either.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { byStatus } from '../lab/shop.ts'
import { changesIn, untold } from '../lab/unheard.ts'

const app = await sharedApp()
const { github } = app
const { aChange, wasGreen } = changesIn(app)

/** What reports is a status: that is of the commit, whoever asked for it. */
async function twins() {
  const { shop, sha, number } = await aChange(byStatus)
  github.moveBranch(shop.name, 'twin', 'feature', 'agent')
  const twin = github.openPull(shop.name, { title: 'The same', head: 'twin', by: 'agent' })
  await app.idle()
  const unheard = (at: number): Promise<number> =>
    untold(github, () => github.comment(shop.name, at, { body: '/reject not like this', by: 'bob' }))
  return { shop, sha, number, twin, unheard }
}

test.each(['number', 'twin'] as const)(
  'a no at %s of which no webhook told is heard before they are green',
  async (at) => {
    const { shop, sha, unheard, ...pulls } = await twins()
    await unheard(pulls[at])
    await shop.passes(sha)
    expect(await shop.check(sha)).toMatch(/^failure: .*bob/)
    expect(wasGreen(sha, shop.name)).toBe(false)
  },
)

test.each([
  ['closed', (shop: string, twin: number) => github.closePull(shop, twin, 'agent')],
  ['made a draft', (shop: string, twin: number) => github.setDraft(shop, twin, true, 'agent')],
] as const)('nor are they where one of them is %s meanwhile', async (_, act) => {
  const { shop, sha, number, twin, unheard } = await twins()
  await unheard(number)
  github.before({ path: '/graphql', holds: 'timelineItems' }, () => act(shop.name, twin))
  await shop.passes(sha)
  expect(await shop.check(sha)).toMatch(/^failure: .*bob/)
  expect(wasGreen(sha, shop.name)).toBe(false)
})

test('they are green where nothing was said', async () => {
  const { shop, sha } = await twins()
  await shop.passes(sha)
  expect(await shop.check(sha)).toMatch(/^success/)
})
