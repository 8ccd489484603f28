// Whoever brings commits into the branch by a merge that is not one of its base had a hand in the change, however GitHub or git
// signs that merge, and whoever the commits say that they are by.
import { expect, test } from 'vitest'
import { appInTime } from '../lab/app-of-file.ts'
import { aShop, byStatus } from '../lab/shop.ts'
import { changesIn } from '../lab/unheard.ts'

const { app, aMinuteLater } = await appInTime()
const { github } = app
const { wasGreen } = changesIn(app)

const policy = `${byStatus}merge_requires: completed\n`
const evil = { 'src/evil.ts': 'export const evil = true\n' }

async function aChange() {
  const shop = await aShop(app, policy)
  await shop.push()
  const number = await shop.open()
  aMinuteLater()
  return { shop, number }
}

async function approvedByEve({ shop, number }: Awaited<ReturnType<typeof aChange>>, sha: string) {
  await app.idle()
  aMinuteLater()
  await shop.passes(sha)
  expect(await shop.check(sha)).toMatch(/^action_required/)
  await shop.review(number, 'eve', 'APPROVE')
  await app.idle()
  return wasGreen(sha, shop.name) ? 'it was green' : shop.check(sha)
}

test('a push under the name of somebody else is known by its pusher', async () => {
  const change = await aChange()
  const { name } = change.shop
  const sha = github.push(name, 'feature', { files: evil, author: 'agent', committer: 'agent', pusher: 'eve' })
  expect(await approvedByEve(change, sha)).toMatch(/^action_required/)
})

test('a merge of a side branch that git signs as GitHub does', async () => {
  const change = await aChange()
  const { name } = change.shop
  const side = github.push(name, 'side', { from: 'main', files: evil, author: 'agent', pusher: 'eve' })
  await app.idle()
  const sha = github.push(name, 'feature', {
    files: evil,
    merges: [side],
    author: 'agent',
    committer: 'web-flow',
    pusher: 'eve',
  })
  expect(await approvedByEve(change, sha)).toMatch(/^action_required/)
})

test('a pull request into the branch, merged at GitHub', async () => {
  const change = await aChange()
  const { name } = change.shop
  github.push(name, 'side', { from: 'main', files: evil, author: 'agent', pusher: 'eve' })
  await app.idle()
  const into = github.openPull(name, { title: 'Side', head: 'side', base: 'feature', by: 'eve' })
  await app.idle()
  const sha = github.merge(name, into, { by: 'eve' })
  expect(await approvedByEve(change, sha)).toMatch(/^action_required/)
})

test('a merge of the base that git signs as GitHub does, pushed together with the commit that it is made on', async () => {
  const change = await aChange()
  const { name } = change.shop
  const side = github.push(name, 'side', { from: 'feature', files: evil, author: 'agent', pusher: 'eve' })
  const more = { 'docs/more.md': '# More\n' }
  github.push(name, 'main', { files: more, author: 'cleo' })
  await app.idle()
  const sha = github.push(name, 'feature', {
    from: side,
    files: more,
    merges: ['main'],
    author: 'agent',
    committer: 'web-flow',
    pusher: 'eve',
  })
  expect(await approvedByEve(change, sha)).toMatch(/^action_required/)
})
