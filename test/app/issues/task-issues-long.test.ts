// The issues of tasks, the long way: what a block names, who is asked how often, and what nobody had to approve.
import { expect, test } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { built } from '../lab/a-goal.ts'
import { requestPolicy } from '../lab/a-request.ts'
import { aShop } from '../lab/shop.ts'

const app = await appOfFile()
const { github } = app

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

test('whoever is to confirm is asked once per pull request, and the comment of a merged one says who is waited for', async () => {
  const policy = `${requestPolicy}merge_requires: verified\n`
  const shop = await aShop(app, policy)
  const task = github.openIssue(shop.name, { title: 'Show prices', by: 'bob' })
  const { pull } = await built(shop, task)
  const asked = async () => (await shop.comments(pull)).filter((one) => one.includes('gh pr checkout')).length
  expect(await asked()).toBe(0)
  await shop.review(pull, 'bob', 'APPROVE')
  expect(await asked()).toBe(1)
  await shop.build(await shop.push(`task-${task}`, 'agent'), 'success')
  await shop.review(pull, 'bob', 'APPROVE')
  expect(await asked()).toBe(1)
  github.merge(shop.name, pull, { by: 'cleo' })
  await shop.idle()
  expect((await shop.comments(pull))[0]).toContain('**Merged, waits for verification by ')
  expect(await shop.read(`/issues/${task}`)).toMatchObject({ state: 'closed' })
  await shop.say(pull, 'eve', '/task verify I looked at three books')
  expect((await shop.comments(pull))[0]).toContain('**Merged, and confirmed by eve**')
})

test('where nobody had to approve it, whoever merged it found it complete, and somebody else confirms it', async () => {
  const shop = await aShop(app, `${requestPolicy}tasks: { reopen_unverified: true }\n`)
  const task = github.openIssue(shop.name, { title: 'Show prices', by: 'bob' })
  const { pull } = await built(shop, task)
  github.merge(shop.name, pull, { by: 'cleo' })
  await shop.idle()
  await shop.say(pull, 'cleo', '/task verify')
  expect((await shop.comments(pull)).at(-1)).toContain('you merged it, so somebody else must confirm it')
  await shop.say(pull, 'eve', '/task verify I looked at three books')
  expect(await shop.labels(pull)).toEqual(['countersign:success'])
  expect(await shop.read(`/issues/${task}`)).toMatchObject({ state: 'closed' })
})

test('what was confirmed and breaks the default branch, or is reverted, is taken up again, and the commit is named', async () => {
  const shop = await aShop(app, `${requestPolicy}tasks: { reopen_on_regression: true }\n`)
  const { name } = shop
  const done = async (title: string) => {
    const task = github.openIssue(name, { title, by: 'bob' })
    const { pull } = await built(shop, task)
    await shop.review(pull, 'bob', 'APPROVE')
    const merged = github.merge(name, pull, { by: 'cleo' })
    await shop.idle()
    await shop.say(pull, 'eve', '/task verify I looked at it')
    return { task, pull, merged }
  }
  const first = await done('Show prices')
  const second = await done('Take money')
  github.reportCheck(name, { name: 'other', sha: second.merged, conclusion: 'failure', app: 'github-actions' })
  await shop.idle()
  expect((await shop.comments(second.pull)).join()).not.toContain('taken up again')
  github.reportCheck(name, { name: 'build', sha: second.merged, conclusion: 'failure', app: 'github-actions' })
  await shop.idle()
  const why = `required check build failed on main at ${second.merged.slice(0, 7)}`
  expect((await shop.comments(second.pull)).at(-1)).toContain(`This was confirmed, and is taken up again: ${why}`)
  expect((await shop.comments(first.pull)).join()).not.toContain('taken up again')
  const sha = await shop.push('revert-prices', 'agent', { 'src/task-1.ts': null })
  const revert = await shop.open('agent', { head: 'revert-prices', body: `Reverts ${name}#${first.pull}` })
  await shop.build(sha, 'success')
  github.merge(name, revert, { by: 'cleo' })
  await shop.idle()
  expect((await shop.comments(first.pull)).at(-1)).toContain(`\`#${revert}\` reverts it at ${sha.slice(0, 7)}`)
})
