// The issues of tasks: one waits for another, and merged is not done.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { built, verified } from '../lab/a-goal.ts'
import { requestPolicy } from '../lab/a-request.ts'
import { aShop } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app

test('a task is held until what blocks it is verified, and goes on by itself', async () => {
  const shop = await aShop(app, requestPolicy)
  const { name } = shop
  const rates = github.openIssue(name, { title: 'Read rates', by: 'bob' })
  const prices = github.openIssue(name, { title: 'Show prices', by: 'bob' })
  github.addBlocker(name, prices, rates, 'bob')
  const { sha, pull } = await built(shop, prices)
  expect(await shop.check(sha)).toBe(`in_progress: Waiting: \`${name}#${rates}\` has to be verified first: Read rates`)
  expect((await shop.comments(pull))[0]).toContain(`\`${name}#${rates}\` has to be verified first`)
  const before = await verified(shop, rates)
  expect(await shop.check(sha)).toMatch(/^success/)
  await shop.say(before.pull, 'ada', '/task reopen the rates are of last year')
  expect(await shop.check(sha)).toMatch(/^in_progress: Waiting: .*has to be verified first/)
  github.removeBlocker(name, prices, rates, 'bob')
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('what nobody is asked to confirm is waited for until it is merged', async () => {
  const shop = await aShop(app)
  const { name } = shop
  const rates = github.openIssue(name, { title: 'Read rates', by: 'bob' })
  const prices = github.openIssue(name, { title: 'Show prices', by: 'bob' })
  github.addBlocker(name, prices, rates, 'bob')
  const waiting = await built(shop, prices)
  expect(await shop.check(waiting.sha)).toMatch(/^in_progress: Waiting: .*has to be verified first/)
  const first = await built(shop, rates)
  expect(await shop.check(first.sha)).toMatch(/^success/)
  expect(await shop.check(waiting.sha)).toMatch(/^in_progress: Waiting/)
  github.merge(name, first.pull, { by: 'ada' })
  await shop.idle()
  expect(await shop.check(waiting.sha)).toMatch(/^success/)
})

test('what is merged keeps its issue open until somebody has confirmed it, and says who is waited for', async () => {
  const policy = `${requestPolicy}tasks: { reopen_unverified: true }\n`
  const shop = await aShop(app, policy.replace('lead: [ada]', 'lead: [ada], verifier: [eve, bob]'))
  const { name } = shop
  const task = github.openIssue(name, {
    title: 'Show prices',
    body: '### Acceptance criteria\n\n- The price stands below the title',
    by: 'bob',
  })
  const { pull } = await built(shop, task)
  await shop.review(pull, 'bob', 'APPROVE')
  github.merge(name, pull, { by: 'cleo' })
  await shop.idle()
  expect(await shop.read(`/issues/${task}`)).toMatchObject({ state: 'open' })
  expect(await shop.labels(pull)).toEqual(['countersign:unverified'])
  const asked = (await shop.comments(pull)).filter((one) => one.includes('gh pr checkout'))
  expect(asked).toEqual([expect.stringMatching(/^@eve: this is approved\. Now somebody/)])
  expect(asked[0]).toContain('- [ ] The price stands below the title')
  expect(asked[0]).toContain('- `build`: passed')
  expect(asked[0]).toContain(`\`gh pr checkout ${pull}\``)
  expect(asked[0]).toContain('`/task verify <what you looked at>`')
  await shop.say(pull, 'eve', '/task verify I looked at three books')
  expect(await shop.read(`/issues/${task}`)).toMatchObject({ state: 'closed' })
  expect(await shop.labels(pull)).toEqual(['countersign:success'])
  await shop.say(pull, 'ada', '/task reopen the yen has no cents')
  expect(await shop.read(`/issues/${task}`)).toMatchObject({ state: 'open' })
  expect((await shop.comments(pull)).filter((one) => one.includes('gh pr checkout'))).toHaveLength(1)
})
