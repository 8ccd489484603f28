// A check run counts for every pull request that has its commit, so it is not green before all of them are known: one of which no
// webhook told may merge into a branch that asks for more, and somebody may have said no there.
import { expect, test } from 'vitest'
import { beginningOfASecond } from '../lab/a-second.ts'
import { sharedApp } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop, byStatus, type Shop } from '../lab/shop.ts'
import { changesIn, untold } from '../lab/unheard.ts'

const app = await sharedApp()
const { github } = app
const { wasGreen } = changesIn(app)

/** Opened with the same commit, and nobody tells. */
const aTwin = async ({ name }: Shop, base = 'main', act: (pull: number) => void = () => undefined): Promise<number> =>
  untold(github, () => {
    github.moveBranch(name, 'twin', 'feature', 'agent')
    const pull = github.openPull(name, { title: 'The same', head: 'twin', base, by: 'agent' })
    act(pull)
    return pull
  })

async function aChange(more = '') {
  const shop = await aShop(app, `${byStatus}${more}`)
  github.push(shop.name, 'release', { files: {}, author: 'cleo' })
  const sha = await shop.push()
  return { shop, sha, number: await shop.open() }
}

test.each(['main', 'release'])('a no at another pull request into %s, of which nobody told either', async (base) => {
  const { shop, sha } = await aChange()
  await aTwin(shop, base, (pull) => github.comment(shop.name, pull, { body: '/reject not like this', by: 'bob' }))
  await shop.passes(sha)
  expect(await shop.check(sha)).toMatch(/^failure: Stopped: rejected by bob/)
  expect(wasGreen(sha, shop.name)).toBe(false)
})

test('where GraphQL says nothing they are asked for by themselves', async () => {
  const { shop, sha } = await aChange()
  await aTwin(shop, 'main', (pull) => github.comment(shop.name, pull, { body: '/reject not like this', by: 'bob' }))
  const fault = github.addFault({ path: '/graphql', trouble: { kind: 'answer', status: 502 } })
  await shop.passes(sha)
  github.removeFault(fault)
  expect(await shop.check(sha)).toMatch(/^failure: Stopped: rejected by bob/)
  expect(wasGreen(sha, shop.name)).toBe(false)
})

test('an answer from before the last push does not tell who has the commit', async () => {
  const { shop } = await aChange()
  const sha = await shop.push()
  await aTwin(shop, 'main', (pull) => github.comment(shop.name, pull, { body: '/reject not like this', by: 'bob' }))
  const stale = github.addFault({ path: '/graphql', holds: 'timelineItems', trouble: { kind: 'stale' } })
  github.reportStatus(shop.name, { sha, context: 'ci', state: 'success', by: 'bob' })
  await until(async () => github.faultHits(stale) > 1)
  github.removeFault(stale)
  await until(async () => (await shop.check(sha)).startsWith('failure: Stopped: rejected by bob'))
  expect(wasGreen(sha, shop.name)).toBe(false)
})

test('an approval is given to one of them, so each needs its own', async () => {
  const { shop, sha, number } = await aChange('merge_requires: completed\n')
  const twin = await aTwin(shop)
  github.review(shop.name, number, { by: 'bob', event: 'APPROVE' })
  await app.idle()
  await shop.passes(sha)
  expect(await shop.check(sha)).toMatch(/^action_required: Needs a person: an approving review/)
  expect(wasGreen(sha, shop.name)).toBe(false)
  github.review(shop.name, twin, { by: 'bob', event: 'APPROVE' })
  await app.idle()
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('nobody waits for one that nothing judges', async () => {
  const { shop, sha } = await aChange()
  github.push(shop.name, 'free', { files: { '.github/countersign.yml': `${byStatus}mode: off\n` }, author: 'cleo' })
  await aTwin(shop, 'free')
  await shop.passes(sha)
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('a push that made it one, in the second in which it was opened, and a no there, of which nobody told', async () => {
  const { shop, sha } = await aChange()
  await shop.push('twin', 'agent', { 'src/twin.ts': 'export {}\n' })
  await beginningOfASecond()
  const twin = await shop.open('agent', { head: 'twin' })
  await untold(github, () => {
    github.moveBranch(shop.name, 'twin', sha, 'agent')
    github.comment(shop.name, twin, { body: '/reject not like this', by: 'bob' })
  })
  await shop.passes(sha)
  await until(async () => (await shop.check(sha)).startsWith('failure: Stopped: rejected by bob'))
  expect(wasGreen(sha, shop.name)).toBe(false)
})
