// A job that deploys what came of a pull request waits for the App, where its owner wants that, and is told yes or no.
import { afterAll, expect, test } from 'vitest'
import { aShopThatDeploys, appThatMayDeploy } from './lab/deploying.ts'
import { untold } from './lab/unheard.ts'

const app = await appThatMayDeploy()
afterAll(app.stop)

async function aChangeToDeploy() {
  const { shop, deploy } = await aShopThatDeploys(app)
  const sha = await shop.push()
  const number = await shop.open()
  return { shop, sha, number, deploy }
}

test('what was merged as a success may be deployed, with the reason', async () => {
  const { shop, sha, number, deploy } = await aChangeToDeploy()
  await shop.build(sha, 'success')
  await shop.review(number, 'bob', 'APPROVE')
  const merged = app.github.merge(shop.name, number, { by: 'ada' })
  await app.idle()
  const { said } = await deploy(merged)
  expect(said()).toBe(
    `approved: ${shop.name}#${number} at ${sha.slice(0, 7)}: Passed: every required check passed and nothing objects. Attempt 1 of 3.`,
  )
})

test('a commit of an open pull request waits, is told what for, and goes once that is there', async () => {
  const { shop, sha, number, deploy } = await aChangeToDeploy()
  await shop.build(sha, 'success')
  const { said, gate } = await deploy(sha)
  expect(said()).toMatch(/^waits: .*Needs a person: an approving review of this commit is missing/)
  await shop.review(number, 'bob', 'APPROVE')
  expect(said()).toMatch(/^approved: .*Passed/)
  expect(gate()?.comments).toHaveLength(2)
})

test('a no is a no, also one that was said after the merge', async () => {
  const { shop, sha, number, deploy } = await aChangeToDeploy()
  await shop.build(sha, 'success')
  await shop.review(number, 'bob', 'APPROVE')
  const merged = app.github.merge(shop.name, number, { by: 'ada' })
  await app.idle()
  await shop.say(number, 'cleo', '/task reject prices are wrong in production')
  const { said } = await deploy(merged)
  expect(said()).toMatch(/^rejected: .*Stopped: .*cleo.*prices are wrong/)
})

test('a no of which no webhook told is heard before anything is let go', async () => {
  const { shop, sha, number, deploy } = await aChangeToDeploy()
  await shop.build(sha, 'success')
  await shop.review(number, 'bob', 'APPROVE')
  const merged = app.github.merge(shop.name, number, { by: 'ada' })
  await app.idle()
  const no = { body: '/task reject prices are wrong in production', by: 'cleo' }
  await untold(app.github, () => app.github.comment(shop.name, number, no))
  const { said } = await deploy(merged)
  expect(said()).toMatch(/^rejected: .*Stopped: .*cleo.*prices are wrong/)
})

test('so is one at another pull request of the same commit', async () => {
  const { shop, sha, number, deploy } = await aChangeToDeploy()
  await shop.build(sha, 'success')
  await shop.review(number, 'bob', 'APPROVE')
  app.github.moveBranch(shop.name, 'twin', sha, 'agent')
  const twin = await shop.open('agent', { head: 'twin' })
  app.github.closePull(shop.name, twin, 'agent')
  await app.idle()
  await untold(app.github, () => app.github.comment(shop.name, twin, { body: '/reject not like this', by: 'bob' }))
  const { said } = await deploy(sha)
  expect(said()).toMatch(/^rejected: .*Stopped: .*bob/)
})

test('what was merged over our red waits for somebody who may go around', async () => {
  const { shop, sha, number, deploy } = await aChangeToDeploy()
  await shop.build(sha, 'success')
  const merged = app.github.merge(shop.name, number, { by: 'ada' })
  await app.idle()
  expect((await deploy(merged)).said()).toMatch(/^waits: .*Needs a person: an approving review/)
})

test('a commit that came by no pull request has nobody to vouch for it', async () => {
  const { shop, deploy } = await aChangeToDeploy()
  const sha = app.github.push(shop.name, 'main', { files: { 'by-hand.md': 'quick\n' }, author: 'cleo' })
  await app.idle()
  expect((await deploy(sha)).said()).toMatch(/^waits: .*came by no pull request: nothing vouches for it/)
})

test('the same question twice is one, and an answer that was given is not given again', async () => {
  const { shop, sha, number, deploy } = await aChangeToDeploy()
  await shop.build(sha, 'success')
  await shop.review(number, 'bob', 'APPROVE')
  const { run, gate } = await deploy(sha)
  expect(gate()).toMatchObject({ state: 'approved' })
  for (const { id } of app.github.deliveries().filter(({ event }) => event === 'deployment_protection_rule'))
    app.github.redeliver(id)
  await app.idle()
  await shop.say(number, 'cleo', '/reject too late')
  expect(gate()).toMatchObject({ state: 'approved' })
  expect(gate()?.comments).toHaveLength(1)
  expect(run).toBeGreaterThan(0)
})
