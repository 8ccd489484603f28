// What is believed of what a job left behind: words of a check, and of tier 1 where each check has a job of its own.
import { describe, expect, test } from 'vitest'
import { checksByJob, isLeftOut, leftOf, type JobRan } from '../../src/core/decision/results/by-job.ts'
import { wrongTier1 } from '../../src/core/decision/results/contents.ts'
import type { ResultsFile } from '../../src/core/decision/results/results-file.ts'
import { anAttempt, policyOf } from '../words/attempts.ts'
import { good, modified, outcome, tests, workflow } from './results-files.ts'

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 5, 9, 0, seconds)).toISOString()
const job: JobRan = {
  name: 'test',
  status: 'completed',
  conclusion: 'success',
  attempt: 1,
  started_at: at(10),
  completed_at: at(50),
  lost: false,
}
const said = { ...tests, output: '3 passed' }
const left: ResultsFile = { ...good, checks: [said], left_out: [], tier1: null }

describe('what a check printed is shown', () => {
  const shown = (given: Partial<ResultsFile>, left_at = at(30), ran: Partial<JobRan> = {}): string =>
    leftOf(
      anAttempt(),
      { id: 5, workflow },
      { check: 'test', job: { ...job, ...ran } },
      { results: { ...left, ...given }, left_at },
    )?.output ?? ''

  test.each([10, 30, 50])('where its job left it while it ran: at second %i', (second) => {
    expect(shown({}, at(second))).toBe('3 passed')
  })

  test('where GitHub counts a job to a later attempt in which it did not run again', () => {
    expect(shown({}, at(30), { attempt: 2 })).toBe('3 passed')
  })

  // prettier-ignore
  test.each<[string, Partial<ResultsFile>, string, Partial<JobRan>]>([
    ['before its job began', {}, at(9), {}],
    ['after its job ended', {}, at(51), {}],
    ['by a job that has not begun', {}, at(30), { started_at: null }],
    ['by a job that has not ended', {}, at(30), { completed_at: null }],
    ['by another run', { run: { id: 6, attempt: 1, workflow } }, at(30), {}],
    ['by another attempt of the run', { run: { id: 5, attempt: 2, workflow } }, at(30), {}],
    ['by another workflow', { run: { id: 5, attempt: 1, workflow: 'other.yml' } }, at(30), {}],
    ['of another commit', { head_sha: '2'.repeat(40) }, at(30), {}],
    ['of another check', { checks: [outcome('style', { output: '3 passed' })] }, at(30), {}],
    ['of several checks', { checks: [said, outcome('style')] }, at(30), {}],
    ['of no check', { checks: [] }, at(30), {}],
    ['of tier 1 as well', { tier1: good.tier1 }, at(30), {}],
  ])('not where it was left %s', (_title, given, left_at, ran) => expect(shown(given, left_at, ran)).toBe(''))
})

describe('the job that is tier 1', () => {
  const tier1 = (passed: boolean, failed = false): ResultsFile['tier1'] => ({
    passed, checks: failed ? [{ name: 'syntax', passed: false, detail: null }] : [], findings: [], feedback: null,
  }) // prettier-ignore
  const only: ResultsFile = { ...good, checks: [], left_out: [] }
  // prettier-ignore
  test.each<[string, Partial<ResultsFile>, string | null, RegExp | null]>([
    ['passed', {}, 'success', null],
    ['failed', { tier1: tier1(false, true) }, 'failure', null],
    ['says more than it ended as', {}, 'failure', /says that tier 1 passed, and its job failed/],
    ['says it passed, and has not ended', {}, null, /says that tier 1 passed, and its job failed/],
    ['says less than it ended as', { tier1: tier1(false) }, 'success', /says that tier 1 failed, and its job passed/],
    ['says nothing', { tier1: null }, 'success', /lacks tier 1/],
    ['speaks of a check', { checks: [tests] }, 'success', /speaks of checks/],
    ['leaves a check out', { left_out: ['docs'] }, 'success', /speaks of checks/],
    ['says that it passed, and what failed', { tier1: tier1(true, true) }, 'success', /names what failed in it/],
  ])('%s', (_title, given, conclusion, wrong) => {
    const found = wrongTier1({ ...only, ...given }, conclusion)
    expect(found === null ? null : (wrong?.test(found) ?? found)).toBe(wrong === null ? null : true)
  })
})

describe('jobs of a workflow', () => {
  const { checks: rules } = policyOf({
    verification: {
      checks: [
        { name: 'test', command: 'x', required: true },
        { name: 'lint', command: 'y' },
      ],
    },
  }).verification
  const told = (without: string[], jobs: readonly JobRan[]) => {
    const plan = { tier1: 'tier1', jobs: new Map([['test', 'test']]), without }
    const left = new Map([['test', { passed: true, output: '' }]])
    return checksByJob(anAttempt(), { id: 5, attempt: 1, over: true }, { plan, jobs, rules, left })
  }

  test('say nothing of a check that has none, and that is said', () => {
    const { inputs, obstacle } = told(['lint'], [job])
    expect([inputs.length, obstacle]).toEqual([1, 'unclear_jobs'])
    expect(told([], [job]).obstacle).toBeNull()
  })

  test.each([
    ['success', true],
    ['failure', false],
  ])('that end as %s', (conclusion, passed) => {
    const [input] = told([], [{ ...job, conclusion }]).inputs
    expect(input).toMatchObject({ type: 'report_check', result: { passed, duration_ms: 40_000 } })
  })
})

test.each<[string[] | undefined, readonly string[] | null, boolean]>([
  [undefined, ['src/a.ts'], false],
  [['docs/**'], null, false],
  [['docs/**'], ['src/a.ts'], true],
  [['docs/**'], ['docs/a.md'], false],
  [['docs/**'], ['src/a.ts', 'docs/a.md'], false],
])('a check of %j, where %j changed, is left out: %s', (paths, touched, expected) => {
  const [rule] = policyOf({
    verification: { checks: [{ name: 'docs', command: 'x', ...(paths === undefined ? {} : { paths }) }] },
  }).verification.checks
  if (rule === undefined) throw new Error('no rule')
  expect(isLeftOut(rule, touched?.map((path) => modified(path)) ?? null)).toBe(expected)
})
