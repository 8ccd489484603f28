// What of existing CI counts for an adopted check: the newest run of a name, by the App and the workflow that the policy
// names, of this pull request; GitHub says of which run a job is, and nothing that the run writes about itself.
import { describe, expect, test } from 'vitest'
import { sharedInTime } from '../lab/app-of-file.ts'
import { aShop, type Shop } from '../lab/shop.ts'
import { shareOf } from '../../depth.ts'

const { app, aMinuteLater } = await sharedInTime()

const policyOf = (rule: string): string => `version: 1\nverification: { checks: [${rule}] }\n`
const pinned = policyOf('{ name: build, check_run: build, app: github-actions, workflow: ci.yml }')
const loose = policyOf('{ name: build, check_run: build, app: github-actions }')
const anybody = policyOf('{ name: build, check_run: build }')
const status = policyOf('{ name: build, status: ci/build }')
const waiting = 'in_progress: Waiting: required check `build` has not reported yet'

type Opened = { readonly shop: Shop; readonly sha: string; readonly number: number }
async function opened(policy: string): Promise<Opened> {
  const shop = await aShop(app, policy)
  app.github.push(shop.name, 'lax', { files: { 'notes.md': 'anything goes\n' }, author: 'agent' })
  const sha = await shop.push()
  return { shop, sha, number: await shop.open() }
}

type Job = { readonly path?: string; readonly event?: string; readonly branch?: string }
/** A job of a workflow run, with its end. */
async function job({ shop, sha }: Opened, conclusion: 'success' | 'failure' | null, wish: Job = {}): Promise<number> {
  aMinuteLater()
  const { path = '.github/workflows/ci.yml', event = 'pull_request', branch = 'feature' } = wish
  const run = app.github.startRun(shop.name, { head: sha, branch, path, event })
  const ending = conclusion === null ? { status: 'in_progress' as const } : { conclusion }
  const id = app.github.reportCheck(shop.name, { name: 'build', sha, run, ...ending })
  await shop.idle()
  return id
}
const report = async ({ shop, sha }: Opened, fields: object = {}): Promise<void> => {
  app.github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'success', ...fields })
  await shop.idle()
}

describe('a workflow that the policy names', () => {
  test.each(shareOf(2, ['pull_request', 'pull_request_target', 'push']))(
    'counts where it answers %s',
    async (event) => {
      const one = await opened(pinned)
      await job(one, 'success', { event })
      expect(await one.shop.check(one.sha)).toMatch(/^success/)
    },
  )

  test.each(shareOf(2, ['workflow_dispatch', 'schedule', 'workflow_run', 'issue_comment']))(
    'does not where it answers %s, and the page says so',
    async (event) => {
      const one = await opened(pinned)
      await job(one, 'success', { event })
      expect(await one.shop.check(one.sha)).toBe(waiting)
      expect(await one.shop.summary(one.sha)).toContain(`it answers the event ${event}`)
    },
  )

  test('is not another one with a job of that name', async () => {
    const one = await opened(pinned)
    await job(one, 'failure')
    await job(one, 'success', { path: '.github/workflows/mine.yml' })
    expect(await one.shop.check(one.sha)).toMatch(/^failure/)
  })

  test('is not what a link says', async () => {
    const one = await opened(pinned)
    const run = app.github.startRun(one.shop.name, {
      head: one.sha,
      branch: 'feature',
      path: '.github/workflows/ci.yml',
    })
    const detailsUrl = `${app.github.url}/${one.shop.name}/actions/runs/${run}/job/1`
    const mine = app.github.startRun(one.shop.name, {
      head: one.sha,
      branch: 'feature',
      path: '.github/workflows/x.yml',
    })
    await report(one, { run: mine, detailsUrl })
    app.github.createApp({ slug: 'other-ci' })
    app.github.install(one.shop.org, { app: 'other-ci', permissions: { checks: 'write' } })
    await report(one, { app: 'other-ci', detailsUrl })
    expect(await one.shop.check(one.sha)).toBe(waiting)
  })
})

describe('a run that is newer', () => {
  test('and under way is waited for, whatever the one before said', async () => {
    const one = await opened(pinned)
    await job(one, 'success')
    expect(await one.shop.check(one.sha)).toMatch(/^success/)
    await job(one, null)
    expect(await one.shop.check(one.sha)).toBe(waiting)
  })

  test('decides, also where it began earlier', async () => {
    const one = await opened(loose)
    await report(one)
    await report(one, { conclusion: 'failure', startedAt: '2020-01-01T00:00:00Z' })
    expect(await one.shop.check(one.sha)).toMatch(/^failure/)
  })

  test('of another App does not make up for a failure', async () => {
    const one = await opened(anybody)
    await report(one, { conclusion: 'failure' })
    app.github.createApp({ slug: 'kind-ci' })
    app.github.install(one.shop.org, { app: 'kind-ci', permissions: { checks: 'write' } })
    await report(one, { app: 'kind-ci' })
    expect(await one.shop.check(one.sha)).toMatch(/^failure/)
  })
})

describe('another pull request on the same commit', () => {
  test.each(shareOf(2, [pinned, loose]))('lends none of its jobs (%#)', async (policy) => {
    const one = await opened(policy)
    const { shop, sha } = one
    app.github.moveBranch(shop.name, 'twin', sha, 'agent')
    app.github.openPull(shop.name, { title: 'Also', head: 'twin', base: 'lax', by: 'agent' })
    await job(one, 'success', { branch: 'twin' })
    expect(await shop.check(sha)).toMatch(/^in_progress/)
    expect(await shop.summary(sha)).toContain('it began from the branch')
    await job(one, 'success')
    expect(await shop.check(sha)).toMatch(/^success/)
  })

  test('leaves open whose a check run is that no job made', async () => {
    const one = await opened(loose)
    app.github.moveBranch(one.shop.name, 'twin', one.sha, 'agent')
    const twin = await one.shop.open('agent', { head: 'twin', base: 'lax' })
    await report(one)
    expect(await one.shop.check(one.sha)).toMatch(/^in_progress/)
    expect(await one.shop.summary(one.sha)).toContain(`pull request ${twin} has the same commit`)
  })
})

test('a status is a fact about the commit, for each pull request that has it', async () => {
  const shop = await aShop(app, 'verification: { checks: [{ name: build, status: ci/build }] }\n')
  const sha = await shop.push()
  await shop.open()
  app.github.moveBranch(shop.name, 'twin', sha, 'agent')
  await shop.open('agent', { head: 'twin' })
  app.github.reportStatus(shop.name, { sha, context: 'ci/build', state: 'success', by: 'bob' })
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^success/)
})

describe('what was there before the base changed', () => {
  test.each(
    shareOf(2, [
      ['a job', pinned, (one: Opened) => job(one, 'success')],
      ['a check run', loose, (one: Opened) => report(one)],
      [
        'a status',
        status,
        async ({ shop, sha }: Opened) => {
          app.github.reportStatus(shop.name, { sha, context: 'ci/build', state: 'success', by: 'ada' })
          await shop.idle()
        },
      ],
    ]),
  )('%s', async (_title, policy, say) => {
    const shop = await aShop(app, policy)
    app.github.push(shop.name, 'lax', { files: { 'notes.md': 'anything goes\n' }, author: 'agent' })
    const sha = await shop.push()
    const number = await shop.open('agent', { base: 'lax' })
    await say({ shop, sha, number })
    aMinuteLater()
    app.github.editPull(shop.name, number, { base: 'main', by: 'agent' })
    await shop.idle()
    expect(await shop.check(sha)).toBe(waiting)
    aMinuteLater()
    await say({ shop, sha, number })
    expect(await shop.check(sha)).toMatch(/^success/)
  })
})
