// A task may be sent back at its issue as well. Where no webhook tells of that, nothing is confirmed before it.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { aSecond } from '../lab/a-second.ts'
import { adopted, aShop } from '../lab/shop.ts'
import { changesIn, untold } from '../lab/unheard.ts'

const app = await sharedApp()
const { github } = app
const { wasGreen } = changesIn(app)

async function aTask() {
  const shop = await aShop(app, `${adopted}merge_requires: verified\n`)
  const { name } = shop
  const issue = github.openIssue(name, { title: 'Sort', body: 'Sort by price', by: 'cleo' })
  await app.idle()
  const sha = await shop.push()
  const number = await shop.open('agent', { body: `Closes #${issue}` })
  const say = async (body: string, { edited = false, at = issue } = {}) => {
    let comment = 0
    await untold(github, () => (comment = github.comment(name, at, { body, by: 'eve' })))
    if (edited) {
      await aSecond()
      await untold(github, () => github.editComment(name, comment, { body: `${body}, really`, by: 'eve' }))
    }
    await aSecond()
  }
  return { shop, sha, number, issue, say }
}

test.each([
  ['/task reject it sorts backwards', { edited: false, here: false }, false],
  ['/task reject it sorts backwards', { edited: true, here: false }, false],
  ['/task reject it sorts backwards', { edited: false, here: true }, false],
  ['/task reject it sorts backwards', { edited: true, here: true }, false],
  ['what a nice task', { edited: false, here: false }, true],
])('%s, untold, %j, before somebody confirms at the pull request', async (body, { edited, here }, isGreen) => {
  const { shop, sha, number, say } = await aTask()
  await shop.build(sha, 'success')
  await shop.review(number, 'bob', 'APPROVE')
  await aSecond()
  await say(body, { edited, ...(here ? { at: number } : {}) })
  await shop.say(number, 'ada', '/task verify fine')
  await aSecond()
  if (isGreen) expect(await shop.check(sha)).toMatch(/^success/)
  else expect(await shop.check(sha)).not.toMatch(/^success/)
})

test('whoever confirms it at its issue and sends it back in the same comment shows nothing green between', async () => {
  const { shop, sha, number, issue } = await aTask()
  await shop.build(sha, 'success')
  await shop.review(number, 'bob', 'APPROVE')
  await aSecond()
  await shop.say(issue, 'ada', '/task verify fine\n\n/task reject no, it sorts backwards')
  expect(await shop.check(sha)).not.toMatch(/^success/)
  expect(wasGreen(sha, shop.name)).toBe(false)
})
