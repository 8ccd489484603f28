// GitHub's answers are from before a push: nobody takes them for the present, and what was said since is about what came with it.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { aSecond } from '../lab/a-second.ts'
import { appOfFile } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'
import { untold } from '../lab/unheard.ts'

const app = await appOfFile()
const { github } = app

const again = (name: string): string =>
  github.push(name, 'feature', { files: { 'src/more.ts': 'export {}\n' }, author: 'agent' })

/** Somebody pushes, and whatever is asked then shows the commit before. */
async function aPushUnshown(told: boolean) {
  const shop = await aShop(app)
  const sha = await shop.push()
  const pull = await shop.open()
  await aSecond()
  const stale = github.addFault({ trouble: { kind: 'stale' } })
  const next = told ? again(shop.name) : await untold(github, () => again(shop.name))
  await aSecond()
  const shown = async (): Promise<void> => {
    await sleep(2_000)
    github.removeFault(stale)
    await app.idle()
  }
  return { shop, sha, next, pull, shown }
}

test('a push that GitHub told of is taken in once its answers are not from before it', async () => {
  const { shop, sha, next, shown } = await aPushUnshown(true)
  await shown()
  expect(await shop.check(next)).toMatch(/^in_progress: Waiting: required check `build`/)
  expect(await shop.check(sha)).toMatch(/^cancelled: Superseded/)
})

test('a no to a push that nobody told of is a no to that, not to the commit that GitHub still shows', async () => {
  const { shop, next, pull, shown } = await aPushUnshown(false)
  github.comment(shop.name, pull, { body: '/reject not like this', by: 'bob' })
  await shown()
  await shop.build(next, 'success')
  expect(await shop.check(next)).toMatch(/^failure: .*bob/)
})

test.each([
  ['a comment', 'comment'],
  ['a label', 'label'],
] as const)('a no in %s to a push that nobody told of is a no to that', async (_, by) => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const pull = await shop.open()
  await aSecond()
  const next = await untold(github, () => again(shop.name))
  await aSecond()
  if (by === 'comment') github.comment(shop.name, pull, { body: '/reject not like this', by: 'bob' })
  else github.label(shop.name, pull, 'countersign:reject', 'bob')
  await app.idle()
  await shop.build(next, 'success')
  expect(await shop.check(next)).toMatch(/^failure: .*bob/)
  expect(await shop.check(sha)).toMatch(/^cancelled: Superseded/)
})
