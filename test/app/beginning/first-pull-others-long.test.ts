// The first pull request, made by others than usual, beside others, and for another base.
import { expect, test } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { file, green, proposedIn, proposing, waits } from '../lab/proposal.ts'
import { aShop } from '../lab/shop.ts'

const app = await appOfFile()
const { github } = app
const proposed = proposedIn(app)

test('whoever made it, also the admin who is alone, has to say so', async () => {
  const { shop, sha, number } = await proposed(proposing, 'cleo')
  expect(await shop.check(sha)).toBe(waits)
  expect(await shop.summary(sha)).toContain('- cleo, since nobody else has admin permission: `/ack <reason>`')
  await shop.say(number, 'cleo', '/ack mine')
  expect(await shop.check(sha)).toBe(green)
})

test('a second pull request that proposes one takes a word of its own', async () => {
  const { shop, sha, number } = await proposed()
  const other = await shop.push('other', 'agent', { [file]: 'verification: { checks: [] }\n' })
  const second = await shop.open('agent', { head: 'other' })
  await shop.say(number, 'cleo', '/ack we want this')
  expect([await shop.check(sha), await shop.check(other)]).toEqual([green, waits])
  await shop.say(second, 'cleo', '/ack this too')
  expect(await shop.check(other)).toMatch(/^action_required: Needs a person: nothing judges this change/)
})

test('a guest who proposes one is judged like everybody else, once taken up by an admin', async () => {
  const shop = await aShop(app, null)
  const login = `guest-${shop.org}`
  const home = github.fork(shop.name, login)
  const sha = github.push(home, 'begin', { files: proposing, author: login })
  const number = github.openPull(shop.name, { title: 'A policy', head: `${login}:begin`, by: login })
  await shop.idle()
  github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'success' })
  await shop.idle()
  expect(await shop.check(sha)).toBe(waits)
  await shop.say(number, login, '/ack mine')
  expect(await shop.check(sha)).toBe(waits)
  await shop.say(number, 'cleo', '/ack a good beginning')
  expect(await shop.check(sha)).toBe(green)
})

test('a policy that left the base is not proposed by whoever still has it', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  github.push(shop.name, 'main', { files: { [file]: null }, author: 'cleo' })
  await shop.open()
  expect(await shop.check(sha)).toBe('none')
})

test('for another base it is a proposal for that one, under the name of that one', async () => {
  const { shop } = await proposed()
  github.push(shop.name, 'lean', { files: { 'a.txt': 'a\n' }, author: 'cleo', from: github.tip(shop.name, 'main') })
  const sha = github.push(shop.name, 'to-lean', {
    files: proposing,
    author: 'agent',
    from: github.tip(shop.name, 'lean'),
  })
  const number = await shop.open('agent', { head: 'to-lean', base: 'lean' })
  await shop.build(sha, 'success')
  expect([await shop.check(sha), await shop.check(sha, 'countersign (lean)')]).toEqual([
    'none',
    waits.replace('main', 'lean'),
  ])
  await shop.say(number, 'cleo', '/ack we want this')
  expect([await shop.check(sha), await shop.check(sha, 'countersign (lean)')]).toEqual(['none', green])
})
