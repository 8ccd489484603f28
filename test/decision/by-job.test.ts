// How GitHub says that a job ended, as the state of its check; and who could have written what tier 1 left.
import { describe, expect, test } from 'vitest'
import {
  answerOf,
  beforeTier1,
  checksByJob,
  isLeftOut,
  type CheckLeft,
  type JobRan,
} from '../../src/core/decision/results/by-job.ts'
import { anAttempt, policyOf } from '../words/attempts.ts'

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 5, 9, 0, seconds)).toISOString()
const ran = (more: Partial<JobRan> = {}): JobRan => ({
  name: 'test',
  status: 'completed',
  conclusion: 'success',
  attempt: 1,
  started_at: at(10),
  completed_at: at(70),
  lost: false,
  ...more,
})
const policy = policyOf({
  verification: {
    checks: [
      { name: 'test', command: 'x' },
      { name: 'lint', command: 'y' },
    ],
  },
})
const plan = { tier1: 'tier1', jobs: new Map('test lint'.split(' ').map((name) => [name, name])), without: [] }

const words: CheckLeft = { passed: true, output: 'words' }
const told = (over: boolean, ...jobs: readonly JobRan[]): string[] => toldWith({ test: words }, over, jobs)

function toldWith(left: Readonly<Record<string, CheckLeft>>, over: boolean, jobs: readonly JobRan[]): string[] {
  const { checks: rules } = policy.verification
  const byCheck = new Map(Object.entries({ lint: { passed: true, output: '' }, ...left }))
  const asked = { plan, jobs, rules, left: byCheck }
  const { inputs, obstacle } = checksByJob(anAttempt({}, policy), { id: 5, attempt: 2, over }, asked)
  const lines = inputs.map((input) => {
    if (input.type === 'refuse_result') return `refused: ${input.why}`
    if (input.type !== 'report_check') return 'name' in input ? `${input.name} ${input.type}` : input.type
    const { name, state, run, result } = input
    const shown = result === null ? '' : ` ${result.exit_code} ${result.duration_ms} ${result.output}`
    return `${name} ${state} in ${run}${shown}`.trim()
  })
  return obstacle === null ? lines : [obstacle, ...lines]
}
const lint = ran({ name: 'lint' })
const lintPassed = 'lint passed in 5.1 0 60000'

describe('the state of a check', () => {
  test.each<[string, readonly JobRan[], string[]]>([
    ['passed', [ran()], ['test passed in 5.1 0 60000 words']],
    ['passed when it was repeated', [ran({ attempt: 2 })], ['test passed in 5.2 0 60000 words']],
    ['failed', [ran({ conclusion: 'failure' })], ['test failed in 5.1 1 60000 words']],
    ['ran out of time', [ran({ conclusion: 'timed_out' })], ['test timed_out in 5.1 124 60000 words']],
    ['is at it', [ran({ status: 'in_progress', conclusion: null })], ['test start_check']],
    ['waits', [ran({ status: 'queued', conclusion: null, started_at: null })], ['test start_check']],
  ])('%s', (_title, jobs, lines) => {
    expect(told(true, ...jobs, lint)).toEqual([...lines, lintPassed])
  })

  test('failed where its job says so of it and passed all the same', () => {
    const failed = { ...words, passed: false }
    expect(toldWith({ test: failed }, true, [ran(), lint])).toEqual(['test failed in 5.1 1 60000 words', lintPassed])
  })

  test('is unknown where its job passed and left nothing of it: while the run goes on that may be too new to be seen', () => {
    expect(toldWith({}, false, [ran(), lint])).toEqual(['test start_check', lintPassed])
    const [first, second, ...rest] = toldWith({}, true, [ran(), lint])
    expect([first, rest]).toEqual(['test missing in 5.2', [lintPassed]])
    expect(second).toMatch(/the job `test` passed and left no result of its check.*push, or close and reopen/)
    // One that failed has failed, whatever it left.
    const failed = ran({ conclusion: 'failure' })
    expect(toldWith({}, true, [failed, lint])).toEqual(['test failed in 5.1 1 60000', lintPassed])
  })

  test.each<[string, readonly JobRan[], RegExp]>([
    ['is not there', [], /no job of this run is called `test`/],
    ['is there twice', [ran(), ran()], /several jobs of this run are called `test`/],
    ['is there twice, and one failed', [ran(), ran({ conclusion: 'failure' })], /several jobs/],
    ['was skipped', [ran({ conclusion: 'skipped' })], /was skipped, which is no pass/],
    ['is neutral', [ran({ conclusion: 'neutral' })], /ended as `neutral`, which is no pass/],
    ['ended as nothing', [ran({ conclusion: null })], /ended as `nothing`/],
    ['ended as nobody knows', [ran({ conclusion: 'splendid' })], /ended as `splendid`/],
  ])('%s: it never reported, and the words say why', (_title, jobs, why) => {
    const [first, second, ...rest] = told(true, ...jobs, lint)
    expect([first, rest]).toEqual(['test missing in 5.2', [lintPassed]])
    expect(second).toMatch(why)
  })

  test('is awaited while the run goes on', () => {
    expect(told(false, lint)).toEqual(['test start_check', lintPassed])
  })

  test.each<[string, Partial<JobRan>]>([
    ['cancelled', { conclusion: 'cancelled' }],
    ['stale', { conclusion: 'stale' }],
    ['lost with its machine', { conclusion: 'failure', lost: true }],
  ])('%s says nothing of the change, unless another failed', (_title, more) => {
    expect(told(true, ran(more), lint)).toEqual(['run_cancelled', lintPassed])
    const failed = ran({ name: 'lint', conclusion: 'failure' })
    expect(told(true, ran(more), failed)).toEqual(['test missing in 5.2', 'lint failed in 5.1 1 60000'])
  })

  test('a name is the whole name', () => {
    expect(answerOf('test', [ran({ name: 'test (1)' }), ran({ name: 'Test' })], { over: true }).kind).toBe('nothing')
  })
})

describe('what tier 1 left', () => {
  const tier1 = ran({ name: 'tier1', attempt: 2 })
  test.each<[string, Partial<JobRan>, boolean]>([
    ['before any other job began', { started_at: at(41) }, true],
    ['in the second in which another began', { started_at: at(40) }, true],
    ['after another had begun', { started_at: at(39) }, false],
    ['while another is at it', { started_at: at(39), status: 'in_progress', conclusion: null }, false],
    ['while another waits', { started_at: at(39), status: 'queued', conclusion: null }, true],
    ['beside one that was skipped', { started_at: at(39), conclusion: 'skipped' }, true],
    ['after one of an earlier attempt', { started_at: at(39), attempt: 1 }, true],
    ['after one of a later attempt', { started_at: at(39), attempt: 3 }, false],
    ['when nobody knows when another began', { started_at: null }, false],
  ])('%s', (_title, more, stands) => {
    expect(beforeTier1(tier1, at(40), [tier1, ran({ attempt: 2, ...more })]) === null).toBe(stands)
  })

  test('at a time that nobody knows', () => {
    expect(beforeTier1(tier1, '', [tier1, ran({ attempt: 2 })])).not.toBeNull()
  })
})

test('a group leaves out what has paths, and none of them changed', () => {
  const [rule] = policyOf({ verification: { checks: [{ name: 'docs', command: 'x', paths: ['docs/**'] }] } })
    .verification.checks
  if (rule === undefined) throw new Error('there is a rule')
  const changed = (path: string) => [{ path, previous_path: null, status: 'modified' } as const]
  expect(isLeftOut(rule, changed('src/a.ts'))).toBe(true)
  expect(isLeftOut(rule, changed('docs/a.md'))).toBe(false)
  expect(isLeftOut(rule, null)).toBe(false)
  expect(isLeftOut({ ...rule, paths: undefined }, changed('src/a.ts'))).toBe(false)
})
