// What the App believes of what the Action handed over: only results of this commit, this run, its newest attempt, this
// workflow and the policy that governs. Everything else changes nothing, and the explanation says why.
import { describe, expect, test } from 'vitest'
import { workflowFiles } from '../../action/workflow.ts'
import { sharedApp } from '../lab/app-of-file.ts'
import { aRun, handOver, policy, results, workflow } from '../lab/action-run.ts'
import { aShop } from '../lab/shop.ts'
import { forgeries, pageAfter, unheeded } from '../lab/forgeries.ts'
import { shareOf } from '../../depth.ts'

const app = await sharedApp()

/** Each by itself in test/decision/handed-over.test.ts. */
test.each(shareOf(5, forgeries))('%s', async (...forgery) => {
  const { check, summary } = await pageAfter(app, forgery)
  expect(check).toMatch(unheeded)
  expect(summary).toContain('Results that do not count')
  expect(summary).toContain(forgery[3])
})

test('a run for another event', async () => {
  const given = await aRun(app, 'push')
  await handOver(given, { ...results(given), event: 'pull_request' })
  expect(await given.shop.check(given.sha)).toMatch(unheeded)
})

test('an archive that is none', async () => {
  const given = await aRun(app)
  app.github.uploadArtifact(given.shop.name, given.run, 'countersign-results', Buffer.from('PK nonsense'))
  app.github.finishRun(given.shop.name, given.run, 'success')
  await given.shop.idle()
  expect(await given.shop.check(given.sha)).toMatch(/^in_progress/)
  expect(await given.shop.summary(given.sha)).toContain('cannot be unpacked')
})

test('a check that is left out although its paths changed', async () => {
  const given = await aRun(app)
  const { shop } = given
  const sha = await shop.push('feature', 'agent', { 'docs/a.md': 'A.\n' })
  const run = app.github.startRun(shop.name, { head: sha, branch: 'feature', path: workflow })
  const later = { ...given, sha, run }
  await handOver(later, results(later))
  expect(await shop.check(sha)).toMatch(unheeded)
  expect(await shop.summary(sha)).toContain('although its `paths` changed')
})

describe('a workflow that the base does not name as one that runs the Action:', () => {
  const step = (uses: string): string => `on: pull_request\njobs: { countersign: { steps: [{ uses: ${uses} }] } }\n`
  const sha = '0123456789abcdef0123456789abcdef01234567'
  const [missing, unclear] = ['the base branch has no workflow', 'nobody can tell which workflow']
  test.each(
    shareOf(2, [
      ['none at all', step('actions/checkout@v5'), missing],
      ['of somebody else who calls an action alike', step('evil/countersign@main'), missing],
      ['a folder of the repository, which a change may rewrite', step('./gate'), unclear],
      [
        'one elsewhere at a branch',
        'on: pull_request\njobs: { a: { uses: evil/x/.github/workflows/a.yml@main } }\n',
        unclear,
      ],
      [
        'one elsewhere that is not there',
        `on: pull_request\njobs: { a: { uses: evil/x/.github/workflows/a.yml@${sha} } }\n`,
        unclear,
      ],
    ]),
  )('%s', async (_title, text, why) => {
    const gate = { 'gate/action.yml': 'runs: { using: composite, steps: [{ uses: countersign/countersign@v0 }] }\n' }
    const given = await aRun(app, 'pull_request', policy, { [workflow]: text, ...gate })
    await handOver(given, results(given))
    expect(await given.shop.check(given.sha)).toContain(`in_progress: Waiting: ${why}`)
  })

  test('another one than the one that does', async () => {
    const given = await aRun(app)
    const { shop, sha } = given
    const run = app.github.startRun(shop.name, { head: sha, branch: 'feature', path: '.github/workflows/mine.yml' })
    await handOver({ ...given, run }, { ...results({ ...given, run }), run: { id: run, attempt: 1, workflow } })
    expect(await shop.summary(sha)).toContain('`test` running')
  })
})

test('a folder of the repository that is protected, and a workflow elsewhere at a commit, are ones that do', async () => {
  const guarded = `${policy}protected_paths: ['gate/**']\n`
  const files = {
    [workflow]: 'on: pull_request\njobs: { countersign: { steps: [{ uses: ./gate }] } }\n',
    'gate/action.yml': 'runs: { using: composite, steps: [{ uses: countersign/countersign@v0 }] }\n',
  }
  const local = await aRun(app, 'pull_request', guarded, files)
  await handOver(local, results(local, true, guarded))
  expect(await local.shop.check(local.sha)).toMatch(/^success/)

  const shared = await aShop(app, null, { '.github/workflows/shared.yml': workflowFiles[workflow] })
  const at = app.github.tip(shared.name, 'main')
  const calling = `on: pull_request\njobs: { a: { uses: ${shared.name}/.github/workflows/shared.yml@${at} } }\n`
  const remote = await aRun(app, 'pull_request', policy, { [workflow]: calling })
  await handOver(remote, results(remote))
  expect(await remote.shop.check(remote.sha)).toMatch(/^success/)
})
