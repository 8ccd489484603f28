// A no at a draft, or at what is closed, is about the commit that is there then, also where that came when nothing was judged any
// more: it is red when it is ready.
import { expect, test } from 'vitest'
import { shareOf } from '../../depth.ts'
import { sharedInTime } from '../lab/app-of-file.ts'
import { aShop, pushedOn, type Shop } from '../lab/shop.ts'
import { untold } from '../lab/unheard.ts'

const { app, aMinuteLater } = await sharedInTime()
const { github } = app

const says = {
  comment: ({ name }: Shop, pull: number) => github.comment(name, pull, { body: '/reject not like this', by: 'bob' }),
  label: ({ name }: Shop, pull: number) => github.label(name, pull, 'countersign:reject', 'bob'),
  review: ({ name }: Shop, pull: number) =>
    github.review(name, pull, { by: 'bob', event: 'REQUEST_CHANGES', body: 'not like this' }),
  'words of a review': ({ name }: Shop, pull: number) =>
    github.review(name, pull, { by: 'bob', event: 'COMMENT', body: '/reject not like this' }),
} as const
type How = keyof typeof says
const hows = ['comment', 'label', 'review', 'words of a review'] as const
type Where = 'a draft' | 'a draft that is closed then'
const rejected = /^failure: Stopped: rejected by bob/

/** Judged, put aside, and pushed to since. */
async function pushedAside(where: Where, pass: () => void) {
  const shop = await aShop(app)
  const first = await shop.push()
  const pull = await shop.open()
  pass()
  github.setDraft(shop.name, pull, true, 'agent')
  await app.idle()
  pass()
  const sha = pushedOn(github, shop.name)
  await app.idle()
  if (where !== 'a draft') github.closePull(shop.name, pull, 'agent')
  await app.idle()
  pass()
  const back = async (): Promise<void> => {
    pass()
    if (where !== 'a draft') github.reopenPull(shop.name, pull, 'agent')
    github.setDraft(shop.name, pull, false, 'agent')
    await app.idle()
  }
  return { shop, first, pull, sha, back }
}

const atOnce = (): void => undefined
const cases = hows.flatMap((how) =>
  (['a draft', 'a draft that is closed then'] as const).flatMap((where): [Where, How, string, () => void][] => [
    [where, how, 'later', aMinuteLater],
    [where, how, 'in the same second', atOnce],
  ]),
)

test.each(shareOf(4, cases))('a no at %s that was pushed to, by a %s, %s', async (where, how, _, pass) => {
  const { shop, first, pull, sha, back } = await pushedAside(where, pass)
  says[how](shop, pull)
  await app.idle()
  expect(await shop.check(sha)).toBe('cancelled: Not judged: a draft, or closed')
  await back()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(rejected)
  expect(await shop.check(first)).not.toMatch(rejected)
})

test('what was pushed after it is judged anew, and who said it takes it back', async () => {
  const { shop, pull, sha, back } = await pushedAside('a draft', aMinuteLater)
  await shop.say(pull, 'bob', '/reject not like this')
  aMinuteLater()
  const next = pushedOn(github, shop.name, 'export const better = true\n')
  await back()
  await shop.build(next, 'success')
  expect(await shop.check(next)).toMatch(/^success/)
  aMinuteLater()
  github.moveBranch(shop.name, 'feature', sha, 'agent')
  await app.idle()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(rejected)
  await shop.say(pull, 'bob', '/revoke')
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('whoever may not say no there shows nothing on it', async () => {
  const { shop, pull, sha } = await pushedAside('a draft', aMinuteLater)
  await shop.say(pull, 'dan', '/reject not like this')
  expect(await shop.check(sha)).toBe('none')
})

test.each(hows)('a no at what is ready again and nobody told so, by a %s', async (how) => {
  const { shop, pull, sha } = await pushedAside('a draft', aMinuteLater)
  await untold(github, () => github.setDraft(shop.name, pull, false, 'agent'))
  aMinuteLater()
  says[how](shop, pull)
  await app.idle()
  expect(await shop.check(sha)).toMatch(rejected)
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(rejected)
})

test('changes that were requested on a commit that was never judged stand in its way when it is', async () => {
  const shop = await aShop(app)
  await shop.push()
  const pull = await shop.open()
  // Two pushes, of which the first is told to nobody and gone when the second is looked at.
  const [skipped] = await untold(github, () => [pushedOn(github, shop.name)])
  await shop.push()
  github.review(shop.name, pull, { by: 'bob', event: 'REQUEST_CHANGES', body: 'no', commit: skipped ?? '' })
  await app.idle()
  github.moveBranch(shop.name, 'feature', skipped ?? '', 'agent')
  await app.idle()
  await shop.build(skipped ?? '', 'success')
  expect(await shop.check(skipped ?? '')).not.toMatch(/^success/)
})

const asides = {
  'a draft': [
    ({ name }: Shop, pull: number) => github.setDraft(name, pull, true, 'agent'),
    ({ name }: Shop, pull: number) => github.setDraft(name, pull, false, 'agent'),
  ],
  closed: [
    ({ name }: Shop, pull: number) => github.closePull(name, pull, 'agent'),
    ({ name }: Shop, pull: number) => github.reopenPull(name, pull, 'agent'),
  ],
  'for another base': [
    ({ name }: Shop, pull: number) => github.editPull(name, pull, { base: 'release', by: 'agent' }),
    ({ name }: Shop, pull: number) => github.editPull(name, pull, { base: 'main', by: 'agent' }),
  ],
} as const
const missed = (['a draft', 'closed', 'for another base'] as const).flatMap((where) =>
  hows.flatMap((how): [keyof typeof asides, How, boolean][] => [
    [where, how, false],
    [where, how, true],
  ]),
)

test.each(shareOf(4, missed))(
  'a no at what was %s for a while, by a %s that is brought later: %s',
  async (where, how, isBrought) => {
    const [leave, comeBack] = asides[where]
    const shop = await aShop(app)
    github.push(shop.name, 'release', { files: {}, author: 'cleo' })
    const sha = await shop.push()
    const pull = await shop.open()
    aMinuteLater()
    leave(shop, pull)
    await app.idle()
    aMinuteLater()
    const before = new Set(github.deliveries().map(({ id }) => id))
    await untold(github, () => says[how](shop, pull))
    const lost = github.deliveries().find(({ id }) => !before.has(id))
    aMinuteLater()
    comeBack(shop, pull)
    await app.idle()
    if (isBrought) github.redeliver(lost?.id ?? 0)
    await app.idle()
    aMinuteLater()
    await shop.build(sha, 'success')
    expect(await shop.check(sha)).toMatch(rejected)
  },
)

test.each(
  shareOf(2, [
    ['label', 'agent'],
    ['comment', 'eve'],
  ] as const),
)('a no at a draft from a fork, of which nobody tells when it was pushed, by a %s', async (how, by) => {
  const shop = await aShop(app)
  const fork = github.fork(shop.name, by)
  const sha = github.push(fork, 'feature', { files: { 'src/shop.ts': 'export {}\n' }, author: by })
  const pull = await shop.open(by, { head: `${by}:feature`, draft: true })
  aMinuteLater()
  await untold(github, () => says[how](shop, pull))
  aMinuteLater()
  github.setDraft(shop.name, pull, false, by)
  await app.idle()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(rejected)
})

test('a no at what nobody told us of is heard there, and by whoever has the same commit', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const first = await shop.open()
  await shop.say(first, 'eve', '/reject not yet')
  await untold(github, () => {
    github.moveBranch(shop.name, 'twin', sha, 'agent')
    github.openPull(shop.name, { title: 'The same', head: 'twin', by: 'agent' })
  })
  await shop.build(sha, 'success')
  aMinuteLater()
  await shop.say(first + 1, 'bob', '/reject not like this')
  expect(await shop.check(sha)).toMatch(/^failure: Stopped: rejected by/)
  await shop.say(first, 'eve', '/revoke')
  expect(await shop.check(sha)).toMatch(rejected)
})

test('words of a review of a commit that came to a draft wait until GitHub shows it', async () => {
  const { shop, pull, sha, back } = await pushedAside('a draft', aMinuteLater)
  const stale = github.addFault({ trouble: { kind: 'stale' } })
  says['words of a review'](shop, pull)
  await expect.poll(() => github.faultHits(stale)).toBeGreaterThan(0)
  github.removeFault(stale)
  await app.idle()
  await back()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(rejected)
})
