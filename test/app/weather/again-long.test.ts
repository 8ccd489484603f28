// What is asked for once more: a run on this commit or an older one, a place of ours that somebody changed, a commit
// under a newer policy, and a group in the merge queue whose members change their minds.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { sharedApp } from '../lab/app-of-file.ts'
import { aShop, type Shop } from '../lab/shop.ts'

const app = await sharedApp()

const runsOf = async (shop: Shop, sha: string) =>
  z
    .object({ check_runs: z.array(z.object({ id: z.number() })) })
    .parse(await shop.read(`/commits/${sha}/check-runs?check_name=countersign&filter=all`)).check_runs

test('a re-run on a commit that is no longer the head is answered, and judges nothing', async () => {
  const shop = await aShop(app)
  const old = await shop.push()
  await shop.open()
  const head = await shop.push()
  await shop.build(head, 'success')
  const [before] = await runsOf(shop, old)
  app.github.rerequest(shop.name, before?.id ?? 0, 'ada')
  await shop.idle()
  expect(await runsOf(shop, old)).toHaveLength(2)
  expect(await shop.check(old)).toBe('cancelled: Superseded by a newer commit')
  expect(await shop.check(head)).toMatch(/^success/)
})

test('a re-run on the head shows the decision in a new run', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  await shop.open()
  await shop.build(sha, 'failure')
  const [run] = await runsOf(shop, sha)
  app.github.rerequest(shop.name, run?.id ?? 0, 'ada')
  await shop.idle()
  expect(await runsOf(shop, sha)).toHaveLength(2)
  expect(await shop.check(sha)).toMatch(/^failure: Changes needed/)
})

test('where there was no policy, the one that came meanwhile counts once somebody asks', async () => {
  const shop = await aShop(app, null)
  const sha = await shop.push()
  const number = await shop.open()
  expect(await shop.check(sha)).toBe('none')
  const policy = 'verification: { checks: [{ name: build, check_run: build }] }\n'
  app.github.push(shop.name, 'main', { files: { '.github/countersign.yml': policy }, author: 'cleo' })
  await shop.say(number, 'ada', '/countersign verify')
  expect(await shop.check(sha)).toBe('in_progress: Waiting: required check `build` has not reported yet')
})

test('our comment and our labels come back when somebody changes them', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'failure')
  const [sticky] = z.array(z.object({ id: z.number() })).parse(await shop.read(`/issues/${number}/comments`))
  app.github.editComment(shop.name, sticky?.id ?? 0, { body: 'All is well.', by: 'cleo' })
  await shop.idle()
  expect(await shop.comments(number)).toEqual([expect.stringContaining('Changes needed')])
  app.github.deleteComment(shop.name, sticky?.id ?? 0, 'cleo')
  await shop.idle()
  expect(await shop.comments(number)).toEqual([expect.stringContaining('Changes needed')])
  app.github.unlabel(shop.name, number, 'countersign:retry', 'eve')
  app.github.label(shop.name, number, 'countersign:success', 'eve')
  await shop.idle()
  expect(await shop.labels(number)).toEqual(['countersign:retry'])
})

test('`/verify` takes up a newer policy of the base, and a rejection of the commit stands under it', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.build(sha, 'success')
  await shop.say(number, 'bob', '/reject not like this')
  const policy = 'verification: { checks: [{ name: build, check_run: build }, { name: lint, check_run: lint }] }\n'
  app.github.push(shop.name, 'main', { files: { '.github/countersign.yml': policy }, author: 'cleo' })
  await shop.idle()
  await shop.say(number, 'eve', '/verify')
  expect((await shop.comments(number)).at(-1)).toContain('`eve`: Refused')
  await shop.say(number, 'ada', '/verify')
  expect(await shop.check(sha)).toMatch(/^failure: Stopped: rejected by bob/)
  await shop.say(number, 'bob', '/revoke')
  expect(await shop.check(sha)).toBe('in_progress: Waiting: required check `lint` has not reported yet')
})

test('a policy that is repaired is taken up by whatever could not be judged without it', async () => {
  const shop = await aShop(app, 'verification:\n  cheks: [test]\n')
  const sha = await shop.push()
  await shop.open()
  expect(await shop.check(sha)).toMatch(/^action_required: .*the policy on the base branch is invalid/)
  const policy = 'verification: { checks: [{ name: build, check_run: build }] }\n'
  app.github.push(shop.name, 'main', { files: { '.github/countersign.yml': policy }, author: 'cleo' })
  await shop.idle()
  expect(await shop.check(sha)).toBe('in_progress: Waiting: required check `build` has not reported yet')
})

test('a group stands on the one before it, and falls with whoever in it is rejected', async () => {
  const shop = await aShop(app)
  const pulls: number[] = []
  for (const branch of ['one', 'two', 'three']) {
    const sha = app.github.push(shop.name, branch, { files: { [`src/${branch}.ts`]: `${branch}\n` }, author: 'agent' })
    pulls.push(await shop.open('agent', { head: branch }))
    await shop.build(sha, 'success')
  }
  const [one = 0, two = 0, three = 0] = pulls
  const below = app.github.mergeGroup(shop.name, [one, two], 'ada').headSha
  const above = app.github.mergeGroup(shop.name, [three], 'ada').headSha
  await shop.idle()
  for (const group of [below, above]) await shop.build(group, 'success')
  expect([await shop.check(below), await shop.check(above)]).toEqual([
    expect.stringMatching(/^success/),
    expect.stringMatching(/^success/),
  ])
  await shop.say(one, 'bob', '/reject it breaks the till')
  for (const group of [below, above]) {
    expect(await shop.check(group)).toBe(
      `action_required: Needs a person: pull request ${one} is not a success at the head that is queued`,
    )
  }
  await shop.say(one, 'bob', '/revoke')
  expect(await shop.check(above)).toMatch(/^success/)
})
