// More of what happens at a pull request, from words and checks to what is shown.
import { expect, test } from 'vitest'
import { appOfFile } from './lab/app-of-file.ts'
import { aShop } from './lab/shop.ts'

const app = await appOfFile()

test('red after green turns us red, and green again gives the attempt back', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  await shop.open()
  await shop.build(sha, 'success')
  await shop.build(sha, 'failure')
  expect(await shop.check(sha)).toMatch(/^failure/)
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('direct approval counts where the policy allows it', async () => {
  const policy =
    'verification: { checks: [{ name: build, check_run: build }] }\noverride_policy: { direct_approval_allowed: true }\n'
  const shop = await aShop(app, policy)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'failure')
  await shop.say(number, 'ada', '/approve I read every line')
  expect(await shop.check(sha)).toBe('success: Passed: approved by ada: I read every line')
})

test('labels open acts, and a reason completes them', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'failure')
  app.github.label(shop.name, number, 'countersign:override', 'ada')
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^failure/)
  await shop.say(number, 'ada', '/reason the runner is broken')
  expect(await shop.check(sha)).toBe('success: Passed: ada takes responsibility: the runner is broken')
  app.github.label(shop.name, number, 'countersign:approve', 'dan')
  await shop.idle()
  expect(await shop.labels(number)).not.toContain('countersign:approve')
  app.github.label(shop.name, number, 'countersign:reject', 'bob')
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^failure: Stopped: rejected by bob/)
  await shop.say(number, 'ada', '/override bob and I have talked')
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('a task without progress is escalated to the lead, once', async () => {
  const policy = `identities: { agents: [agent] }
roles: { lead: [cleo] }
verification: { checks: [{ name: build, check_run: build }], retry: { dispatch: mention, stop_on_no_progress: 2 } }
`
  const shop = await aShop(app, policy)
  const fails = async (sha: string): Promise<void> => {
    const output = {
      title: '1 failed',
      summary: ' FAIL  test/cart.test.ts > totals 12 ms',
      text: null,
      annotations: [],
    }
    app.github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'failure', output })
    await shop.idle()
  }
  const first = await shop.push()
  const number = await shop.open()
  await fails(first)
  expect(await shop.comments(number)).toContainEqual(
    expect.stringMatching(/^@agent Changes needed.* is in the check `countersign`/),
  )
  const second = await shop.push()
  await fails(second)
  await shop.say(number, 'dan', '/status')
  const escalations = (await shop.comments(number)).filter((body) => body.startsWith('@cleo: this task needs a person'))
  expect(escalations).toHaveLength(1)
  expect(await shop.labels(number)).toEqual(['countersign:escalated', 'countersign:failed'])
})
