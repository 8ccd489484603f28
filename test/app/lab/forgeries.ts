// What a run may hand over that nothing of it is believed, and what the explanation says then.
import { aRun, handOver, outcome, results, workflow, type Ending, type Given } from './action-run.ts'
import { zipOf } from './zip.ts'

export type Forgery = readonly [title: string, file: (given: Given) => unknown, ending: Ending, why: string]

const bomb = zipOf([{ name: 'results.json', content: Buffer.alloc(30_000_000, 32) }])
export const forgeries: readonly Forgery[] = [
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

/** What the page says once it was handed over. */
export async function pageAfter(
  app: Parameters<typeof aRun>[0],
  [, file, ending]: Forgery,
): Promise<{ readonly check: string; readonly summary: string }> {
  const given = await aRun(app)
  await handOver(given, file(given), ending)
  return { check: await given.shop.check(given.sha), summary: await given.shop.summary(given.sha) }
}
export const unheeded = /^in_progress: Waiting: the built-in checks have not reported yet/
