// What the App believes of what the Action handed over: only results of this commit, this run, its newest attempt, this
// workflow and the policy that governs. Everything else changes nothing, and the explanation says why.
import { describe, expect, test } from 'vitest'
import { workflowFiles } from '../action/workflow.ts'
import { appOfFile } from './app-of-file.ts'
import { aRun, handOver, outcome, policy, results, workflow, type Ending, type Given } from './action-run.ts'
import { aShop } from './shop.ts'
import { zipOf } from './zip.ts'

const app = await appOfFile()

const bomb = zipOf([{ name: 'results.json', content: Buffer.alloc(30_000_000, 32) }])
const forged: readonly (readonly [string, (given: Given) => unknown, Ending, string])[] = [
  ['of another commit', (given) => ({ ...results(given), head_sha: '0'.repeat(40) }), {}, 'another commit'],
  ['of another run', (given) => ({ ...results(given), run: { id: 7, attempt: 1, workflow } }), {}, 'another run'],
  [
    'of another attempt of its run',
    (given) => ({ ...results(given), run: { id: given.run, attempt: 2, workflow } }),
    {},
    'another attempt of this run',
  ],
  [
    'of another workflow',
    (given) => ({ ...results(given), run: { id: given.run, attempt: 1, workflow: '.github/workflows/mine.yml' } }),
    {},
    'another workflow',
  ],
  [
    'of another repository',
    (given) => ({ ...results(given), repository: 'evil/shop' }),
    {},
    'the repository evil/shop',
  ],
  ['of another pull request', (given) => ({ ...results(given), pull: 999 }), {}, 'pull request 999'],
  ['of another event', (given) => ({ ...results(given), event: 'merge_group' }), {}, 'it answers the event'],
  [
    'under another policy',
    (given) => ({ ...results(given), policy: { hash: 'made up', organisation: 'none' } }),
    {},
    'another policy than the one that governs',
  ],
  [
    'that ran another command',
    (given) => ({ ...results(given), checks: [{ ...outcome(true), command: 'true' }] }),
    {},
    'another command as',
  ],
  ['that passes although its run failed', results, { conclusion: 'failure' }, 'everything passed, and its run failed'],
  ['of another base', (given) => ({ ...results(given), base_ref: 'lax' }), {}, 'of the base'],
  ['of no pull request', (given) => ({ ...results(given), pull: null }), {}, 'of no pull request'],
  [
    'with a check that the contract does not know',
    (given) => ({ ...results(given), checks: [outcome(true), { ...outcome(true), name: 'mine' }] }),
    {},
    'no command of this contract',
  ],
  [
    'that leaves out what nobody knows',
    (given) => ({ ...results(given), left_out: ['docs', 'mine'] }),
    {},
    'no command of this contract',
  ],
  ['with a check twice', (given) => ({ ...results(given), checks: [outcome(true), outcome(true)] }), {}, 'twice'],
  ['that leaves out what it ran', (given) => ({ ...results(given), left_out: ['docs', 'test'] }), {}, 'twice'],
  [
    'that leaves out a check without paths',
    (given) => ({ ...results(given), checks: [], left_out: ['docs', 'test'] }),
    {},
    'which has no `paths`',
  ],
  [
    'that calls a check advisory',
    (given) => ({ ...results(given), checks: [{ ...outcome(true), required: false }] }),
    {},
    'is not required',
  ],
  ['that lacks a check', (given) => ({ ...results(given), checks: [] }), {}, 'it lacks `test`'],
  ['that lacks an advisory check', (given) => ({ ...results(given), left_out: [] }), {}, 'it lacks `docs`'],
  ['that fails although its run passed', (given) => results(given, false), {}, 'failed, and its run passed'],
  ['that passes although its run timed out', results, { conclusion: 'timed_out' }, 'passed, and its run failed'],
  [
    'with a check that passed by failing',
    (given) => ({ ...results(given), checks: [{ ...outcome(true), exit_code: 3 }] }),
    {},
    'passed with exit code 3',
  ],
  [
    'with a tier 1 that passed by failing',
    (given) => ({
      ...results(given),
      tier1: { passed: true, checks: [{ name: 'a', passed: false, detail: null }], findings: [], feedback: null },
    }),
    {},
    'names what failed in it',
  ],
  ['in a form of its own', () => ({ schema: 'mine', passed: true }), {}, 'not in the form that this version reads'],
  ['that is no JSON', () => null, { entries: [{ name: 'results.json', content: 'passed!' }] }, 'is not JSON'],
  ['without results', () => null, { entries: [{ name: 'log.txt', content: 'ok' }] }, 'does not hold one'],
  ['twice', results, { entries: [{ name: 'results.json', content: '{}' }] }, 'does not hold one'],
  [
    'whose size is a lie',
    () => null,
    { entries: [{ name: 'results.json', content: Buffer.alloc(9_000_000, 32), claims: 10 }] },
    'cannot be unpacked',
  ],
  ['beyond its bounds', () => null, { entries: [{ name: 'results.json', content: bomb, claims: 9e8 }] }, 'unpacks to'],
  [
    'in too many files',
    results,
    { entries: Array.from({ length: 2_001 }, (_, index) => ({ name: `${index}.txt`, content: '' })) },
    'too many files',
  ],
  ['outside of its folder', results, { entries: [{ name: '../../etc/passwd', content: 'x' }] }, 'cannot be unpacked'],
]
test.each(forged)('%s', async (_title, file, ending, why) => {
  const given = await aRun(app)
  await handOver(given, file(given), ending)
  const { shop, sha } = given
  expect(await shop.check(sha)).toMatch(/^in_progress: Waiting: the built-in checks have not reported yet/)
  expect(await shop.summary(sha)).toContain('Results that do not count')
  expect(await shop.summary(sha)).toContain(why)
})

test('a run for another event', async () => {
  const given = await aRun(app, 'push')
  await handOver(given, { ...results(given), event: 'pull_request' })
  expect(await given.shop.check(given.sha)).toMatch(/^in_progress: Waiting: the built-in checks have not reported yet/)
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
  expect(await shop.check(sha)).toMatch(/^in_progress: Waiting: the built-in checks have not reported yet/)
  expect(await shop.summary(sha)).toContain('although its `paths` changed')
})

describe('a workflow that the base does not name as one that runs the Action:', () => {
  const step = (uses: string): string => `on: pull_request\njobs: { countersign: { steps: [{ uses: ${uses} }] } }\n`
  const sha = '0123456789abcdef0123456789abcdef01234567'
  const [missing, unclear] = ['the base branch has no workflow', 'nobody can tell which workflow']
  test.each([
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
  ])('%s', async (_title, text, why) => {
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
