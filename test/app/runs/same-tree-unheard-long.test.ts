// A no is about a tree, wherever it was said: what turns green waits for what was said at other pull requests that have that tree,
// also where these are closed by now.
import { expect, test } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { aGuest } from '../lab/a-guest.ts'
import { aShop, byStatus, type Shop } from '../lab/shop.ts'
import { changesIn, untold } from '../lab/unheard.ts'

const app = await appOfFile()
const { github } = app
const { aChange, wasGreen } = changesIn(app)

const reject = (shop: Shop, pull: number): number =>
  github.comment(shop.name, pull, { body: '/reject not like this', by: 'bob' })

async function twins() {
  const change = await aChange(byStatus)
  const { shop } = change
  github.moveBranch(shop.name, 'twin', 'feature', 'agent')
  const twin = github.openPull(shop.name, { title: 'The same', head: 'twin', by: 'agent' })
  await app.idle()
  const close = async (): Promise<void> => {
    github.closePull(shop.name, twin, 'agent')
    await app.idle()
  }
  return { ...change, twin, close }
}

test('a no at a twin that is closed by now, of which no webhook told', async () => {
  const { shop, sha, twin, close } = await twins()
  await untold(github, () => reject(shop, twin))
  await close()
  await shop.passes(sha)
  expect(await shop.check(sha)).toMatch(/^failure: .*bob/)
  expect(wasGreen(sha, shop.name)).toBe(false)
})

test('nor does another commit of the same tree make it pass', async () => {
  const { shop, sha, number } = await aChange(byStatus)
  await untold(github, () => reject(shop, number))
  github.closePull(shop.name, number, 'agent')
  await app.idle()
  const again = await shop.push('again', 'agent', { 'src/shop.ts': 'export const version = 1\n' })
  github.openPull(shop.name, { title: 'The same', head: 'again', by: 'agent' })
  await app.idle()
  await shop.passes(again)
  expect(again).not.toBe(sha)
  expect(await shop.check(again)).toMatch(/^failure: .*bob/)
  expect(wasGreen(again, shop.name)).toBe(false)
})

test('a no that could not be taken in at a twin that is closed by now', async () => {
  const { shop, sha, twin, close } = await twins()
  const fault = github.addFault({
    path: '/repos/*/collaborators/*/permission',
    trouble: { kind: 'answer', status: 200, body: { role_name: 7 } },
  })
  reject(shop, twin)
  await github.idle()
  await close()
  await shop.passes(sha)
  expect(wasGreen(sha, shop.name)).toBe(false)
  expect(await shop.check(sha)).toMatch(/^action_required: /)
  expect(await shop.summary(sha)).toContain(`at \`#${twin}\``)
  github.removeFault(fault)
})

test('a no at a closed pull request turns red at once what has its tree', async () => {
  const { shop, sha, twin, close } = await twins()
  await close()
  await shop.passes(sha)
  expect(await shop.check(sha)).toMatch(/^success/)
  reject(shop, twin)
  await app.idle()
  expect(await shop.check(sha)).toMatch(/^failure: .*bob/)
})

test.each([
  ['a label', ({ name }: Shop, pull: number) => github.label(name, pull, 'countersign:reject', 'bob')],
  ['a comment', reject],
] as const)('a no by %s at what a guest opened with the same commit, which nobody took up', async (_, says) => {
  const shop = await aShop(app, byStatus)
  const { sha, number } = await aGuest(shop, 'A gift.')
  github.moveBranch(shop.name, 'own', sha, 'agent')
  await shop.open('agent', { head: 'own' })
  await untold(github, () => says(shop, number))
  await shop.passes(sha)
  expect(await shop.check(sha)).toMatch(/^failure: .*bob/)
  expect(wasGreen(sha, shop.name)).toBe(false)
})
