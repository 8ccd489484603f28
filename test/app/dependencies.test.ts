// A task that waits for another: by GitHub's own "blocked by", or by its block. It is held in words until that one is verified.
import { expect, test } from 'vitest'
import { appOfFile } from './app-of-file.ts'
import { built, verified } from './a-goal.ts'
import { aShop } from './shop.ts'
import { requestPolicy } from './a-request.ts'

const app = await appOfFile()
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

test('a block names what is waited for; what nobody works on here counts once it is closed; prose counts for nothing', async () => {
  const shop = await aShop(app, requestPolicy)
  const { name } = shop
  const rates = github.openIssue(name, { title: 'Read rates', by: 'bob' })
  const other = github.openIssue(name, { title: 'Write down prices', by: 'bob' })
  const body = `Blocked by #${other}, depends on #${other}.\n\n\`\`\`countersign\ndepends_on: ["#${rates}"]\n\`\`\``
  const prices = github.openIssue(name, { title: 'Show prices', body, by: 'ada' })
  const { sha } = await built(shop, prices)
  expect(await shop.check(sha)).toBe(`in_progress: Waiting: \`${name}#${rates}\` has to be verified first: Read rates`)
  github.closeIssue(name, rates, 'bob')
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^success/)
})
