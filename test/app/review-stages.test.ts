// Review stages as people meet them on a pull request: who is asked by itself, whose turn it is since when, who sent it back.
import { expect, test } from 'vitest'
import { sharedInTime } from './lab/app-of-file.ts'
import { askedAt, aShopWith, checks } from './lab/staged.ts'

const { app, aMinuteLater } = await sharedInTime()

const stages = (org: string): string => `${checks}review:
  stages:
    - { name: security, by: [${org}/security], paths: ["auth/**"] }
    - { name: design, by: [bob, cleo] }
`

test('a change under auth/** asks the security team by itself; it sends the work back, and is asked again first', async () => {
  const shop = await aShopWith(app, stages)
  const auth = { 'auth/session.ts': 'export const ttl = null\n' }
  const first = await shop.push('feature', 'agent', auth)
  const number = await shop.open()
  expect(await askedAt(shop, number)).toBe('')
  await shop.build(first, 'success')
  expect(await shop.check(first)).toMatch(
    new RegExp(
      String.raw`^action_required: Needs a person: review stage .security. waits for ${shop.org}/security since \d{4}-\d\d-\d\d \d\d:\d\d UTC$`,
    ),
  )
  expect(await askedAt(shop, number)).toBe('security')
  expect(await shop.summary(first)).toContain(`- ${shop.org}/security: an approving review of this commit`)
  expect(await shop.summary(first)).toContain('`design` not its turn yet')

  aMinuteLater()
  await shop.review(number, 'eve', 'REQUEST_CHANGES', 'the session never expires')
  expect(await shop.check(first)).toBe(
    'failure: Stopped: review stage `security` sends it back: eve: the session never expires',
  )
  const [sticky] = await shop.comments(number)
  expect(sticky).toContain('eve rejected it for review stage `security`')
  expect(sticky).toContain('"code": "stage_rejected"')
  expect(sticky).toContain('"name": "security",\n   "state": "waiting"')

  aMinuteLater()
  const second = await shop.push('feature', 'agent', { 'auth/session.ts': 'export const ttl = 900\n' })
  await shop.build(second, 'success')
  expect(await shop.check(second)).toMatch(/^action_required: Needs a person: review stage `security` waits for /)
  expect(await askedAt(shop, number)).toBe('security, eve')

  aMinuteLater()
  await shop.review(number, 'eve', 'APPROVE', 'now it does')
  expect(await shop.check(second)).toMatch(
    /^action_required: Needs a person: review stage `design` waits for bob, cleo since/,
  )
  expect(await askedAt(shop, number)).toBe('bob, cleo')
  aMinuteLater()
  await shop.review(number, 'bob', 'APPROVE')
  expect(await shop.check(second)).toMatch(/^success/)
  expect(await shop.summary(second)).toContain('`security` approved by eve<br>`design` approved by bob')
  // Cleo need not look any more.
  expect(await askedAt(shop, number)).toBe('')
})

test('a change elsewhere leaves that stage out', async () => {
  const shop = await aShopWith(app, stages)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toContain('review stage `design` waits for bob, cleo')
  expect(await shop.summary(sha)).toContain('`security` does not apply')
  expect(await askedAt(shop, number)).toBe('bob, cleo')
})

test('code owners of the base are asked, by what changed: people, teams and addresses; nobody answers for others', async () => {
  const owners = '* @cleo\n/docs/ bob@example.com # writes them\n/auth/ @ORG/security\n/auth/README.md\n'
  const policy = (): string => `${checks}review: { stages: [{ name: owners, by: [code_owners] }], same_person: true }\n`
  const shop = await aShopWith(app, policy)
  const files = { 'docs/CODEOWNERS': '* @dan\n', '.github/CODEOWNERS': owners.replace('ORG', shop.org) }
  app.github.push(shop.name, 'main', { files, author: 'bob' })
  await shop.idle()
  const sha = await shop.push('feature', 'agent', {
    'src/shop.ts': null,
    'docs/a.md': '# A\n',
    'auth/session.ts': 'x\n',
    'auth/README.md': 'y\n',
    // What the change itself says of owners counts for nothing.
    CODEOWNERS: '* @agent\n',
  })
  const number = await shop.open()
  // Before it is their turn, and counted then.
  await shop.review(number, `sam-${shop.org}`, 'APPROVE')
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/review stage `owners` waits for (cleo and bob|bob and cleo) since/)
  expect(await askedAt(shop, number)).toMatch(/^(bob, cleo|cleo, bob)$/)
  await shop.review(number, 'bob', 'APPROVE')
  expect(await shop.check(sha)).toContain('review stage `owners` waits for cleo since')
  await shop.review(number, 'cleo', 'APPROVE')
  expect(await shop.check(sha)).toMatch(/^success/)
})
