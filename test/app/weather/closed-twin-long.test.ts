// Two pull requests share a commit, and one of them is opened, rejected and closed before the App hears of any of it: the no is about
// the commit, and stands at the other one.
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { changesIn, type Change } from '../lab/unheard.ts'

const app = await appOfFile()
const { github } = app
const { aChange, wasGreen } = changesIn(app)

/** What is told of it comes when all is over. */
async function twinIsClosed({ shop }: Change, speak: (twin: number) => unknown): Promise<void> {
  github.setDeliveries({ hold: true })
  github.moveBranch(shop.name, 'twin', 'feature', 'agent')
  const twin = github.openPull(shop.name, { title: 'The same', head: 'twin', by: 'agent' })
  speak(twin)
  github.closePull(shop.name, twin, 'agent')
  github.setDeliveries({ hold: false })
  await app.idle()
}

test.each<readonly [string, (shop: string, twin: number) => unknown]>([
  ['a comment', (shop, twin) => github.comment(shop, twin, { body: '/reject not twice', by: 'bob' })],
  ['a review', (shop, twin) => github.review(shop, twin, { by: 'bob', event: 'REQUEST_CHANGES', body: 'not twice' })],
  ['a label', (shop, twin) => github.label(shop, twin, 'countersign:reject', 'bob')],
])('a no by %s', async (_name, say) => {
  const change = await aChange()
  const { shop, sha } = change
  // The pull request that stays open changed in another second than the one where it is said.
  await setTimeout(1_100)
  const before = performance.now()
  await twinIsClosed(change, (twin) => say(shop.name, twin))
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^failure: .*bob/)
  expect(wasGreen(sha, shop.name)).toBe(false)
  expect(performance.now() - before, 'nobody waits for the open one to show what was said elsewhere').toBeLessThan(
    15_000,
  )
})

test('what is no no is answered there, and changes nothing elsewhere', async () => {
  const change = await aChange()
  const { shop, sha } = change
  let closed = 0
  await twinIsClosed(change, (twin) => {
    closed = twin
    github.comment(shop.name, twin, { body: '/override we need it today', by: 'ada' })
  })
  await shop.build(sha, 'failure')
  expect(await shop.check(sha)).toMatch(/^failure: Changes needed/)
  expect((await shop.comments(closed)).at(-1)).toContain('closed')
})

test.each(['mode: off\n', null])(
  'a twin into a branch that asks for nothing any more (%j) says nothing over a no',
  async (policy) => {
    const change = await aChange()
    const { shop, sha, number } = change
    github.push(shop.name, 'release', { files: { 'notes.md': 'soon\n' }, author: 'cleo' })
    await shop.say(number, 'bob', '/reject not this way')
    expect(await shop.check(sha)).toMatch(/^failure: .*bob/)
    github.moveBranch(shop.name, 'twin', 'feature', 'agent')
    const twin = github.openPull(shop.name, { title: 'The same', head: 'twin', base: 'release', by: 'agent' })
    await app.idle()
    expect(await shop.check(sha)).toMatch(/^failure: .*bob/)
    github.closePull(shop.name, twin, 'agent')
    await app.idle()
    github.push(shop.name, 'release', { files: { '.github/countersign.yml': policy }, author: 'cleo' })
    await app.idle()
    github.reopenPull(shop.name, twin, 'agent')
    await app.idle()
    expect(await shop.check(sha)).toMatch(/^failure: .*bob/)
  },
)
