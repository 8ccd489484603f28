// Review stages where whom they ask cannot be told, is not taken by GitHub, or cannot be asked at once.
import { expect, test } from 'vitest'
import { appOfFile } from './lab/app-of-file.ts'
import { askedAt, aShopWith, checks } from './lab/staged.ts'

const app = await appOfFile()
const LARGE = '# '.padEnd(3 * 1024 * 1024 + 1, 'x')

test.each([
  ['there is none', null, 'review stage `owners` asks code owners, and the base has no CODEOWNERS', 'CODEOWNERS'],
  [
    'it is broken',
    '*.ts agent\n',
    'and they cannot be told: CODEOWNERS, line 1: `agent` is no owner',
    'correct CODEOWNERS',
  ],
  ['it is too large', LARGE, 'CODEOWNERS is larger than GitHub reads it', 'correct CODEOWNERS'],
  ['it names nobody for the change', '/docs/ @bob\n', 'and CODEOWNERS names nobody for what changed', 'CODEOWNERS'],
  [
    'it names a team that nobody sees',
    '* @acme/ghosts\n',
    'that this App cannot see or that is not there: acme/ghosts',
    'name a team',
  ],
  [
    'it names an address of nobody',
    '* who@nowhere.example\n',
    'nobody can tell whose address that is: `who@nowhere.example`',
    'logins or teams',
  ],
])('where CODEOWNERS cannot say who, the gate holds and says what to do: %s', async (_title, owners, words, todo) => {
  const policy = (): string => `${checks}review: { stages: [{ name: owners, by: [code_owners] }] }\n`
  const shop = await aShopWith(app, policy, owners === null ? {} : { CODEOWNERS: owners })
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'success')
  await shop.review(number, 'cleo', 'APPROVE')
  expect(await shop.check(sha)).toMatch(/^action_required/)
  expect(await shop.summary(sha)).toContain(words)
  expect(await shop.summary(sha)).toContain(todo)
  expect(await askedAt(shop, number)).toBe('')
  // Mended on the base, it goes on without a push.
  app.github.push(shop.name, 'main', { files: { CODEOWNERS: '* @cleo\n' }, author: 'cleo' })
  await shop.say(number, 'ada', '/status')
  await shop.review(number, 'cleo', 'APPROVE')
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('one whom GitHub does not take keeps nobody else from being asked, and an outage is made good', async () => {
  const policy = (): string => `${checks}review: { stages: [{ name: design, by: [nobody-of-this-name, bob] }] }\n`
  const shop = await aShopWith(app, policy)
  const sha = await shop.push()
  const number = await shop.open()
  const fault = app.github.addFault({
    method: 'POST',
    path: `/repos/${shop.name}/pulls/*/requested_reviewers`,
    trouble: { kind: 'answer', status: 502 },
  })
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toContain('waits for nobody-of-this-name, bob since')
  expect(await askedAt(shop, number)).toBe('')
  app.github.removeFault(fault)
  await shop.say(number, 'ada', '/status')
  await shop.review(number, 'eve', 'APPROVE')
  expect(await askedAt(shop, number)).toBe('bob')
})
