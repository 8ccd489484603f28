// Which pull request speaks for a commit that is to be deployed: one that became this commit or has it as its head, by what was
// found out about just that head. It is asked as often as a job waits.
import { afterAll, expect, test } from 'vitest'
import { aSecond } from './lab/a-second.ts'
import { aShopThatDeploys, appThatMayDeploy } from './lab/deploying.ts'
import { untold } from './lab/unheard.ts'

const app = await appThatMayDeploy()
afterAll(app.stop)
const { github } = app

const onTop = (name: string): string =>
  github.push(name, 'feature', { files: { 'src/more.ts': 'export {}\n' }, author: 'agent' })

test.each(['failed', 'was rejected'])('a commit that %s is not let go by the merge of a later head', async (how) => {
  const { shop, deploy, passes, merge } = await aShopThatDeploys(app)
  const earlier = await shop.push()
  const number = await shop.open()
  await shop.build(earlier, how === 'failed' ? 'failure' : 'success')
  if (how === 'was rejected') await shop.say(number, 'bob', '/reject not like this')
  await passes(number, await shop.push())
  const merged = await merge(number)
  expect((await deploy(earlier)).said()).toMatch(/^waits: .*came by no pull request: nothing vouches for it/)
  expect((await deploy(merged)).said()).toMatch(/^approved: /)
})

const lax = `version: 1
identities: { agents: [agent] }
verification:
  checks:
    - { name: lint, check_run: lint, app: github-actions }
`

test('a base that somebody made lends its green to no deployment, and stands in the way of none', async () => {
  const { shop, deploy, passes } = await aShopThatDeploys(app)
  github.push(shop.name, 'lax', { files: { '.github/countersign.yml': lax }, author: 'agent' })
  const sha = await shop.push()
  const number = await shop.open('agent', { base: 'lax' })
  github.reportCheck(shop.name, { name: 'lint', sha, conclusion: 'success', app: 'github-actions' })
  await app.idle()
  expect(await shop.check(sha, 'countersign (lax)')).toMatch(/^success/)
  expect((await deploy(sha)).said()).toContain(
    `came by #${number}, which is not for the default branch: nothing vouches`,
  )
  await passes(await shop.open(), sha)
  expect((await deploy(sha)).said()).toMatch(/^approved: /)
})

/** A stack of two into the default branch. */
async function aStackThatDeploys() {
  const place = await aShopThatDeploys(app)
  const { shop, passes } = place
  const below = await shop.push('lower')
  const lower = await shop.open('agent', { head: 'lower' })
  github.moveBranch(shop.name, 'feature', below, 'agent')
  onTop(shop.name)
  const upper = await shop.open('agent', { base: 'lower' })
  github.stack(shop.name, [lower, upper], 'agent')
  const sha = await shop.push()
  await aSecond()
  return { ...place, below, lower, upper, sha, passed: () => passes(upper, sha) }
}

test('a stack that ends in the default branch counts once all of it is a success', async () => {
  const { deploy, passes, passed, below, lower, upper, sha } = await aStackThatDeploys()
  await passed()
  expect((await deploy(sha)).said()).toContain(
    `came by #${upper}, which stands on #${lower}, and not all of them are a success: nothing vouches`,
  )
  await passes(lower, below)
  expect((await deploy(sha)).said()).toMatch(/^approved: /)
})

test.each(['told', 'untold'])('a no to what lies below in a stack holds what is on top of it, %s', async (how) => {
  const { shop, deploy, passes, passed, below, lower, sha } = await aStackThatDeploys()
  await passed()
  await passes(lower, below)
  if (how === 'told') await shop.say(lower, 'bob', '/reject never this')
  else await untold(github, () => github.comment(shop.name, lower, { body: '/reject never this', by: 'bob' }))
  const { said } = await deploy(sha)
  await app.idle()
  expect(said()).toMatch(how === 'told' ? /^waits: .* not all of them are a success/ : /^waits: /)
})

test('a no to what lies below counts also while what is on top of it waits for something else', async () => {
  const { shop, deploy, passes, passed, below, lower, upper, sha } = await aStackThatDeploys()
  await passes(lower, below)
  const { said } = await deploy(sha)
  expect(said()).toMatch(/^waits: .*`build` has not reported/)
  await shop.say(lower, 'bob', '/reject never this')
  await passed()
  expect(said()).toBe(
    `waits: #${upper} stands on #${lower}, and not all of them are a success. Run it again once they are.`,
  )
})

test('what lies below has moved on, and is no part of what is deployed', async () => {
  const { shop, deploy, passes, passed, lower, upper, sha } = await aStackThatDeploys()
  await passed()
  await passes(lower, await shop.push('lower'))
  expect((await deploy(sha)).said()).toContain(
    `came by #${upper}, which stands on commits that are the head of no pull request below it: nothing vouches`,
  )
})

test('it is found behind a hundred others that have the commit below their heads', async () => {
  const { shop, deploy, passes } = await aShopThatDeploys(app)
  const sha = await shop.push()
  await untold(github, () => {
    for (let index = 0; index < 100; index += 1) {
      const head = `more-${index}`
      github.moveBranch(shop.name, head, sha, 'agent')
      github.push(shop.name, head, { files: { 'more.md': `${index}\n` }, author: 'agent' })
      const number = github.openPull(shop.name, { title: 'More', head, by: 'agent' })
      github.closePull(shop.name, number, 'agent')
    }
  })
  await passes(await shop.open(), sha)
  expect((await deploy(sha)).said()).toMatch(/^approved: /)
})

test('a head of which nobody told is looked at first, and goes once it is a success itself', async () => {
  const { shop, deploy, passes } = await aShopThatDeploys(app)
  const sha = await shop.push()
  const number = await shop.open()
  await passes(number, sha)
  const later = await untold(github, () => onTop(shop.name))
  const { said } = await deploy(later)
  expect(said()).toMatch(new RegExp(`^waits: .* at ${later.slice(0, 7)}: .*\`build\` has not reported`))
  await passes(number, later)
  expect(said()).toMatch(/^approved: /)
})

test('what became of a head that nobody judged before the merge waits for somebody', async () => {
  const { shop, deploy, passes, merge } = await aShopThatDeploys(app)
  const sha = await shop.push()
  const number = await shop.open()
  await passes(number, sha)
  const later = await untold(github, () => onTop(shop.name))
  const merged = await merge(number)
  const words = `came by #${number}, which was not judged at ${later.slice(0, 7)}: nothing vouches for it`
  expect((await deploy(merged)).said()).toContain(`waits: ${merged.slice(0, 7)} ${words}`)
})

test('what was let go once is let go once more when its run is run again and asks, and then not again', async () => {
  const { shop, ask, deploy, passes, merge } = await aShopThatDeploys(app)
  const sha = await shop.push()
  const number = await shop.open()
  await passes(number, sha)
  const merged = await merge(number)
  const { run, gate } = await deploy(merged)
  expect(gate()?.state).toBe('approved')
  github.finishRun(shop.name, run, 'failure')
  github.rerun(shop.name, run)
  await ask(run)
  expect(gate()?.state).toBe('approved')
  const { id } = github.deliveries().findLast(({ event }) => event === 'deployment_protection_rule') ?? { id: 0 }
  github.redeliver(id)
  await app.idle()
  expect(gate()?.comments).toHaveLength(1)
})

test('of a run that was run again while it waited only the last question is answered', async () => {
  const { shop, ask, deploy, passes } = await aShopThatDeploys(app)
  const sha = await shop.push()
  const number = await shop.open()
  const { run, gate } = await deploy(sha)
  github.finishRun(shop.name, run, 'cancelled')
  github.rerun(shop.name, run)
  await ask(run)
  expect(gate()?.state).toBeNull()
  await passes(number, sha)
  expect(gate()?.state).toBe('approved')
  await shop.say(number, 'cleo', 'Thank you.')
  const answers = github.requests.filter(
    ({ path, status }) => path.endsWith(`/${run}/deployment_protection_rule`) && status >= 400,
  )
  expect(answers).toEqual([])
})
