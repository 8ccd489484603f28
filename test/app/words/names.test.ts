// People are their numbers: whoever takes a name that became free is somebody else, and has neither the say nor the past of
// whoever bore it before; and whoever is called otherwise by now is still the one who did it.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { aShop, type Shop } from '../lab/shop.ts'
import { changesIn } from '../lab/unheard.ts'

const app = await sharedApp()
const policy = `roles: { lead: [mona] }
identities: { agents: [agent] }
merge_requires: verified
verification: { checks: [{ name: build, check_run: build }] }
`
type Permission = 'write' | 'maintain' | null
let shops = 0

/** A green pull request, and somebody with this permission whose name somebody else takes later. */
async function aGreenShop(permission: Permission) {
  const name = `mona-${(shops += 1)}`
  app.github.createUser(name)
  const shop = await aShop(app, policy.replace('mona', name))
  if (permission !== null) app.github.setPermission(shop.name, name, permission)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'success')
  return { shop, sha, number, name, former: `former-${name}` }
}

function takeName(shop: Shop, name: string, permission: Permission): void {
  app.github.renameAccount(name, `former-${name}`)
  app.github.createUser(name, { email: `taken-${name}@example.com` })
  if (permission !== null) app.github.setPermission(shop.name, name, permission)
}

test('a role of the policy goes to nobody who may not write here', async () => {
  const { shop, sha, number, name } = await aGreenShop('write')
  await shop.review(number, 'bob', 'APPROVE')
  await shop.say(number, 'ada', '/task verify I tried it')
  expect(await shop.check(sha)).toMatch(/^success/)
  takeName(shop, name, null)
  await shop.say(number, name, '/task reopen I am the lead')
  expect((await shop.comments(number)).at(-1)).toContain('Refused')
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('what was refused to one account is not counted for another', async () => {
  const { shop, number, name } = await aGreenShop(null)
  await shop.say(number, name, '/help')
  const before = (await shop.comments(number)).length
  await shop.say(number, name, '/help')
  expect(await shop.comments(number)).toHaveLength(before)
  takeName(shop, name, null)
  await shop.say(number, name, '/help')
  expect(await shop.comments(number)).toHaveLength(before + 1)
  await shop.say(number, `former-${name}`, '/help')
  expect(await shop.comments(number)).toHaveLength(before + 1)
})

test('an approval is of whoever gave it, whatever they are called by now', async () => {
  const { shop, sha, number, name, former } = await aGreenShop('write')
  await shop.review(number, name, 'APPROVE')
  takeName(shop, name, 'write')
  await shop.say(number, former, '/task verify I approved it')
  expect(await shop.check(sha)).not.toMatch(/^success/)
  await shop.say(number, name, '/task verify I did not')
  expect(await shop.check(sha)).toMatch(/^success/)
  expect(await shop.summary(sha)).not.toContain('solo')
})

test('a label is completed once by whoever set it', async () => {
  const { shop, sha, number, name, former } = await aGreenShop('maintain')
  await shop.build(sha, 'failure')
  app.github.label(shop.name, number, 'countersign:override', name)
  await shop.idle()
  takeName(shop, name, 'maintain')
  await shop.say(number, name, '/reason it is mine')
  expect((await shop.comments(number)).at(-1)).toContain('Refused')
  await shop.say(number, former, '/reason the runner is broken')
  await shop.say(number, former, '/reason and once more')
  expect((await shop.comments(number)).at(-1)).toContain('there is no label of yours that waits for a reason')
})

test.each([
  ['nobody', (_shop: Shop, name: string) => app.github.renameAccount(name, `former-${name}`)],
  ['somebody else', (shop: Shop, name: string) => takeName(shop, name, null)],
])(
  'a no of somebody who is called otherwise before it is heard is theirs, where %s has their name',
  async (_, renamed) => {
    const { shop, sha, number, name, former } = await aGreenShop('write')
    await shop.review(number, 'bob', 'APPROVE')
    await shop.say(number, 'ada', '/task verify I tried it')
    expect(await shop.check(sha)).toMatch(/^success/)
    const comes = await changesIn(app).heardLate('issue_comment', () =>
      app.github.comment(shop.name, number, { body: '/reject it loses orders', by: name }),
    )
    renamed(shop, name)
    await comes()
    expect(await shop.check(sha)).toMatch(new RegExp(`^failure: Stopped: rejected by ${former}`))
  },
)

test('whom the policy calls an agent is one still, under another name', async () => {
  const { shop, number, name } = await aGreenShop('maintain')
  const agents = policy.replace('agents: [agent]', `agents: [agent, ${name}]`).replace('merge_requires: verified\n', '')
  app.github.push(shop.name, 'main', { files: { '.github/countersign.yml': agents }, author: 'cleo' })
  await shop.idle()
  const next = await shop.push()
  await shop.build(next, 'failure')
  const comes = await changesIn(app).heardLate('issue_comment', () =>
    app.github.comment(shop.name, number, { body: '/override the runner is broken', by: name }),
  )
  app.github.renameAccount(name, `former-${name}`)
  await comes()
  expect(await shop.check(next)).toMatch(/^failure/)
  expect((await shop.comments(number)).at(-1)).toContain('a machine account cannot do this')
})
