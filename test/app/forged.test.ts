// What the App believes of what the Action handed over: only results of this commit, this run, its newest attempt, this
// workflow and the policy that governs. Everything else changes nothing, and the explanation says why.
import { expect, test } from 'vitest'
import { appOfFile } from './app-of-file.ts'
import { aRun, handOver, outcome, results, workflow, type Ending, type Given } from './action-run.ts'
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
  expect(await shop.check(sha)).toMatch(/^in_progress: Pending: tier 1 has not reported yet/)
  expect(await shop.summary(sha)).toContain('Results that do not count')
  expect(await shop.summary(sha)).toContain(why)
})

test('a run for another event', async () => {
  const given = await aRun(app, 'push')
  await handOver(given, { ...results(given), event: 'pull_request' })
  expect(await given.shop.check(given.sha)).toMatch(/^in_progress: Pending: tier 1 has not reported yet/)
})

test('an archive that is none', async () => {
  const given = await aRun(app)
  app.github.uploadArtifact(given.shop.name, given.run, 'countersign-results', Buffer.from('PK nonsense'))
  app.github.finishRun(given.shop.name, given.run, 'success')
  await given.shop.idle()
  expect(await given.shop.check(given.sha)).toMatch(/^in_progress/)
  expect(await given.shop.summary(given.sha)).toContain('cannot be unpacked')
})
