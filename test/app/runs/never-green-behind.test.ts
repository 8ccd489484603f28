// A commit that is no longer the head of its pull request turns green no more: nobody looks any longer whether somebody said no, and
// who makes it the head again would find it green.
import { expect, test } from 'vitest'
import { shareOf } from '../../depth.ts'
import { aSecond } from '../lab/a-second.ts'
import { sharedApp } from '../lab/app-of-file.ts'
import { aShop, adopted, pushedOn, type Shop } from '../lab/shop.ts'
import { untold } from '../lab/unheard.ts'

const app = await sharedApp()
const { github } = app

/** Its build passes, and before GitHub answers what else there is, something happens. */
async function passesWhile(shop: Shop, sha: string, act: () => void): Promise<void> {
  const fault = github.before({ path: '/graphql', holds: 'timelineItems' }, act)
  await shop.build(sha, 'success')
  expect(github.faultHits(fault)).toBe(1)
}

const push = (shop: Shop): void =>
  void github.push(shop.name, 'feature', { files: { 'src/more.ts': 'export {}\n' }, author: 'agent' })

test('a rejected commit that is put aside and brought back is not green when it is back', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const pull = await shop.open()
  await untold(github, () => github.comment(shop.name, pull, { body: '/reject not like this', by: 'bob' }))
  await passesWhile(shop, sha, () => push(shop))
  expect(await shop.check(sha)).toMatch(/^cancelled: Superseded/)
  github.protect(shop.name, 'main', { checks: [{ context: 'countersign', appId: null }] })
  github.moveBranch(shop.name, 'feature', sha, 'agent')
  expect(() => github.merge(shop.name, pull, { by: 'agent' })).toThrow(/required|countersign/i)
  await app.idle()
  expect(await shop.check(sha)).toMatch(/^failure: Stopped: rejected by bob/)
})

const words = (shop: Shop, pull: number) =>
  github.comment(shop.name, pull, { body: '/reject not like this', by: 'bob' })
const label = (shop: Shop, pull: number) => github.label(shop.name, pull, 'countersign:reject', 'bob')
const no = { words, label }
const nothing = async (): Promise<void> => {}

test.each([
  ['later', 'words', aSecond, /^failure: Stopped: rejected by bob/],
  ['in the same second', 'words', nothing, /^failure: Stopped: rejected by bob/],
  // Words may be others by now than they were when that was pushed; a label is not, where it is known when that was.
  ['later', 'label', aSecond, /^(success|failure: Stopped: rejected by bob)/],
] as const)(
  'a no that was found at a commit pushed %s holds the one that its author had in front of them: %s',
  async (_, how, wait, shown) => {
    const shop = await aShop(app)
    const sha = await shop.push()
    const pull = await shop.open()
    await untold(github, () => no[how](shop, pull))
    await wait()
    const next = pushedOn(github, shop.name)
    await app.idle()
    await shop.build(next, 'success')
    expect(await shop.check(next)).toMatch(shown)
    await wait()
    github.moveBranch(shop.name, 'feature', sha, 'agent')
    await app.idle()
    await shop.build(sha, 'success')
    expect(await shop.check(sha)).toMatch(/^failure: Stopped: rejected by bob/)
    await shop.say(pull, 'bob', '/revoke')
    expect(await shop.check(sha)).toMatch(/^success/)
  },
)

test.each(
  shareOf<[string, (shop: Shop, pull: number) => void]>(2, [
    ['pushed to', push],
    ['retargeted', (shop, pull) => github.editPull(shop.name, pull, { base: 'release', by: 'ada' })],
    ['closed', (shop, pull) => github.closePull(shop.name, pull, 'agent')],
    ['made a draft', (shop, pull) => github.setDraft(shop.name, pull, true, 'agent')],
  ]),
)('what was about to turn green while it was %s does not', async (_, act) => {
  const shop = await aShop(app)
  github.push(shop.name, 'release', { files: { 'notes.md': 'soon\n' }, author: 'cleo' })
  const sha = await shop.push()
  const pull = await shop.open()
  await passesWhile(shop, sha, () => act(shop, pull))
  expect(await shop.check(sha)).not.toMatch(/^success/)
})

test('what was green before stays as it was shown', async () => {
  const shop = await aShop(app, `comment: always\n${adopted}`)
  const sha = await shop.push()
  await shop.open()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
  await shop.push()
  expect(await shop.check(sha)).toMatch(/^success/)
  expect(await shop.runs(sha)).toBe(1)
})

test('a green for one base ends with the pull request being judged for another, where somebody may say no', async () => {
  const shop = await aShop(app)
  github.push(shop.name, 'release', { files: { 'notes.md': 'soon\n' }, author: 'cleo' })
  const sha = await shop.push()
  const pull = await shop.open()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
  github.editPull(shop.name, pull, { base: 'release', by: 'agent' })
  await app.idle()
  expect(await shop.check(sha)).toMatch(/^cancelled: Superseded/)
  await shop.say(pull, 'bob', '/reject not like this')
  expect(await shop.check(sha, 'countersign (release)')).toMatch(/^failure: .*bob/)
  github.editPull(shop.name, pull, { base: 'main', by: 'agent' })
  expect(await shop.check(sha)).not.toMatch(/^success/)
  await app.idle()
  expect(await shop.check(sha)).toMatch(/^failure: .*bob/)
})

test('what was found out while the commit was judged for another base is nothing about this one', async () => {
  const shop = await aShop(app)
  github.push(shop.name, 'release', { files: { 'notes.md': 'soon\n' }, author: 'cleo' })
  const sha = await shop.push()
  const pull = await shop.open()
  github.editPull(shop.name, pull, { base: 'release', by: 'agent' })
  await app.idle()
  await shop.build(sha, 'success')
  await aSecond()
  github.editPull(shop.name, pull, { base: 'main', by: 'agent' })
  await app.idle()
  expect(await shop.check(sha)).toMatch(/^in_progress: Waiting: required check `build`/)
})
