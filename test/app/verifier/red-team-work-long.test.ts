// The red team on a pull request: everything else lets it pass, then a fresh reader attacks it. What it shows stands at its
// lines and with the agent, and is tried again after the repair; nobody to ask is said, and a refusal goes to a person.
import { afterAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { aModel } from '../lab/a-model.ts'
import { appOfFile } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import type { Shop } from '../lab/shop.ts'
import { aShopWith, askedAt } from '../lab/staged.ts'

const policy = (org: string, red = 'paths: ["auth/**"]'): string => `version: 1
identities: { agents: [agent] }
verification:
  checks: [{ name: build, check_run: build, app: github-actions }]
  verifier: { finders: 0, decomposer: identity, criteria: "- Sessions end." }
review:
  stages: [{ name: security, by: [${org}/security], paths: ["auth/**"] }]
security: { red_team: { enabled: true, ${red} } }
`
const model = await aModel('auth/session.ts')
afterAll(model.stop)
const app = await appOfFile({ app: { slug: 'acme-gate' } }, model.env)
beforeEach(() => model.is({ kind: 'pass' }))

const leaves = 'export const ttl = null'
const lasts = 'export const ttl = 900'
const never = {
  kind: 'attack',
  at: 'ttl = null',
  claim: 'A session never ends.',
  scenario: 'A token that was stolen years ago is sent; the ttl is null, and it is taken.',
} as const
const decided = (shop: Shop, sha: string, title: RegExp): Promise<void> =>
  until(async () => title.test(await shop.check(sha)))
const attacksAsked = (): number => model.prompts().filter((text) => text.includes('# Attack these surfaces')).length
const threads = async (shop: Shop, number: number) =>
  z
    .array(z.object({ path: z.string(), line: z.number().nullish(), body: z.string() }))
    .parse(await shop.read(`/pulls/${number}/comments`))

async function proposed(line: string, red?: string) {
  const shop = await aShopWith(app, (org) => policy(org, red))
  const sha = await shop.push('feature', 'agent', { 'auth/session.ts': `${line}\n` })
  const number = await shop.open()
  await shop.build(sha, 'success')
  return { shop, sha, number }
}

test('the security team approves, the red team finds an input that fails, the agent repairs it, and it is green', async () => {
  model.is(never)
  const before = attacksAsked()
  const { shop, sha, number } = await proposed(leaves)
  await decided(shop, sha, /review stage `security` waits for/)
  expect(await askedAt(shop, number)).toBe('security')
  await shop.review(number, 'eve', 'REQUEST_CHANGES', 'say why it has no end')
  expect(await shop.check(sha)).toContain('review stage `security` sends it back: eve: say why it has no end')
  // Nobody attacks what people have not let pass.
  expect(attacksAsked()).toBe(before)

  const second = await shop.push('feature', 'agent', {
    'auth/session.ts': `export const unit = 'seconds'\n${leaves}\n`,
  })
  await shop.build(second, 'success')
  await decided(shop, second, /review stage `security` waits for/)
  await shop.review(number, 'eve', 'APPROVE')
  await decided(
    shop,
    second,
    /^failure: Changes needed: the red team gate blocks: auth\/session\.ts:2 A session never ends\.$/,
  )
  await shop.idle()
  expect(attacksAsked()).toBe(before + 1)
  expect(await shop.summary(second)).toContain('| Red team | blocks: auth/session.ts:2 A session never ends.')
  expect(await shop.summary(second)).toContain('- `auth/session.ts:2` high, security: A session never ends.')
  expect(await shop.summary(second)).toMatch(
    /3 of 3 changed lines attacked\. 2 calls, \d+ tokens \(\d+ from the cache\), \$0\.\d\d/,
  )
  const [thread] = await threads(shop, number)
  expect(thread).toMatchObject({ path: 'auth/session.ts', line: 2 })
  expect(thread?.body).toContain('**high, security.** A session never ends.')
  expect(thread?.body).toContain('**When:** A token that was stolen years ago is sent')
  const [sticky] = await shop.comments(number)
  expect(sticky).toContain('the red-team gate blocks it')
  expect(sticky).toContain('"scenario": "A token that was stolen years ago is sent; the ttl is null, and it is taken."')

  const third = await shop.push('feature', 'agent', { 'auth/session.ts': `${lasts}\n` })
  await shop.build(third, 'success')
  await decided(shop, third, /review stage `security` waits for/)
  await shop.review(number, 'eve', 'APPROVE')
  await decided(shop, third, /^success: Passed/)
  await shop.idle()
  expect(await shop.summary(third)).toContain('| Red team | nothing gave way')
  expect((await threads(shop, number)).map(({ body }) => body)).toEqual([
    expect.stringContaining(`**No more as of ${third.slice(0, 7)}.**`),
  ])
})

test('what was found and is still there blocks, also where nobody finds it again', async () => {
  model.is(never)
  const { shop, sha, number } = await proposed(leaves)
  await decided(shop, sha, /review stage `security` waits/)
  await shop.review(number, 'eve', 'APPROVE')
  await decided(shop, sha, /the red team gate blocks/)
  model.is({ kind: 'pass' })
  const moved = await shop.push('feature', 'agent', {
    'auth/session.ts': `export const unit = 'seconds'\nexport const old = 1\n${leaves} // short\n`,
  })
  await shop.build(moved, 'success')
  await decided(shop, moved, /review stage `security` waits/)
  await shop.review(number, 'eve', 'APPROVE')
  await decided(shop, moved, /^failure: .*the red team gate blocks: auth\/session\.ts:3 A session never ends\./)
  await shop.say(number, 'ada', '/override --verifier the gateway ends sessions')
  expect(await shop.check(moved)).toMatch(/^success: Passed: ada takes responsibility/)
})

test('a change of little stakes elsewhere is not attacked', async () => {
  const before = attacksAsked()
  const { shop, sha, number } = await proposed(lasts, 'paths: ["pay/**"]')
  await decided(shop, sha, /review stage `security` waits/)
  await shop.review(number, 'eve', 'APPROVE')
  await decided(shop, sha, /^success: Passed/)
  expect(await shop.summary(sha)).toContain('| Red team | does not apply: its stakes are medium, below high')
  expect(attacksAsked()).toBe(before)
})

test('a model that refuses to attack hands the question to a person, who may ask again', async () => {
  model.is({ kind: 'refuse' })
  const { shop, sha, number } = await proposed(leaves)
  await decided(shop, sha, /review stage `security` waits/)
  await shop.review(number, 'eve', 'APPROVE')
  await decided(
    shop,
    sha,
    /^action_required: Needs a person: the red team gate could not judge: the model refused to answer/,
  )
  expect(await shop.summary(sha)).toContain('`/verify`')
  model.is({ kind: 'pass' })
  await shop.say(number, 'ada', '/verify')
  await decided(shop, sha, /^success: Passed/)
})

test('a push while it attacks ends that, and what it finds then is of nobody', async () => {
  const { shop, sha, number } = await proposed(lasts)
  await decided(shop, sha, /review stage `security` waits/)
  let wake = (): void => undefined
  model.is({ kind: 'slow', until: new Promise<void>((done) => (wake = done)) })
  const before = attacksAsked()
  await shop.review(number, 'eve', 'APPROVE')
  await until(async () => attacksAsked() > before)
  expect(await shop.check(sha)).toMatch(/^in_progress: Waiting: the red team gate has not answered yet/)
  model.is({ kind: 'pass' })
  const next = await shop.push('feature', 'agent', { 'auth/session.ts': 'export const ttl = 60\n' })
  await shop.build(next, 'success')
  await decided(shop, next, /review stage `security` waits/)
  wake()
  await shop.review(number, 'eve', 'APPROVE')
  await decided(shop, next, /^success: Passed/)
})
