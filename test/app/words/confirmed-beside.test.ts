// A confirmation is about one pull request. One that is red confirms nothing of a task, though another one completed it.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { aSecond } from '../lab/a-second.ts'
import { adopted, aShop } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app

test('a task is not verified by words at a pull request that failed', async () => {
  const shop = await aShop(app, `${adopted}merge_requires: verified\n`)
  const { name } = shop
  const issue = github.openIssue(name, { title: 'Sort', body: 'Sort by price', by: 'cleo' })
  const later = github.openIssue(name, {
    title: 'Filter',
    body: `\`\`\`countersign\ndepends_on: [${issue}]\n\`\`\`\n`,
    by: 'cleo',
  })
  await app.idle()
  const red = await shop.push('red', 'agent', { 'src/red.ts': 'red\n' })
  const one = await shop.open('agent', { head: 'red', body: `Closes #${issue}` })
  await shop.build(red, 'failure')
  const good = await shop.push('good', 'agent', { 'src/good.ts': 'good\n' })
  const two = await shop.open('agent', { head: 'good', body: `Closes #${issue}` })
  await shop.build(good, 'success')
  await shop.review(two, 'bob', 'APPROVE')
  const next = await shop.push('next', 'agent', { 'src/next.ts': 'next\n' })
  await shop.open('agent', { head: 'next', body: `Closes #${later}` })
  await shop.build(next, 'success')
  await aSecond()
  await shop.say(one, 'ada', '/task verify fine')
  await app.idle()
  expect(await shop.check(red)).toMatch(/^failure/)
  expect(await shop.check(next)).toMatch(/has to be verified first/)
  // And what may be confirmed can be.
  await shop.say(two, 'ada', '/task verify fine')
  expect(await shop.check(good)).toMatch(/^success/)
})
