// What becomes of results that the Action handed over: reports on the checks of the contract, or one refusal of all of it.
import { describe, expect, test } from 'vitest'
import { handedOver, type ActionRun } from '../../src/core/decision/results/handed-over.ts'
import type { ResultsFile } from '../../src/core/decision/results/results-file.ts'
import type { Attempt, ChangedFile } from '../../src/core/decision/model.ts'
import { anAttempt, policyOf } from '../words/attempts.ts'
import { checks, failing, good, group, modified, ofGroup, outcome, style, tests, workflow } from './results-files.ts'

type Given = {
  readonly attempt?: Partial<Attempt>
  readonly mode?: 'enforce' | 'shadow'
  readonly run?: Partial<ActionRun>
  readonly results?: Partial<ResultsFile>
  readonly groupFiles?: readonly ChangedFile[]
}
function told({ attempt = {}, mode = 'enforce', run = {}, results = {}, groupFiles }: Given): string[] {
  const files = [modified('src/a.ts')]
  const judged = anAttempt({ files, ...attempt }, policyOf({ mode, verification: { checks } }))
  const { head_sha, event } = { ...good, ...results }
  const ran = { id: 5, attempt: 1, workflow, event, head_sha, repository: 'acme/shop', conclusion: 'success', ...run }
  return handedOver(judged, ran, { ...good, ...results }, groupFiles ?? null).map((input) => {
    if (input.type === 'refuse_result') return `refused: ${input.why}`
    if (input.type === 'report_check') return `${input.name} ${input.state}`
    if (input.type === 'report_tier1') return `tier1 ${input.passed ? 'passed' : 'failed'}`
    return 'name' in input ? `${input.name} ${input.type}` : input.type
  })
}
const red = { conclusion: 'failure' }
const passed = ['tier1 passed', 'test passed', 'style passed']

const ofEditedTask =
  'where the text of the task was edited meanwhile, push; an edit that does not count has to be taken back first'

describe('is believed', () => {
  test.each<[string, Given, string[]]>([
    ['where everything passed', {}, passed],
    [
      'where a required check failed',
      { run: red, results: { checks: [{ ...tests, ...failing }, style] } },
      ['tier1 passed', 'test failed', 'style passed'],
    ],
    [
      'where it failed in shadow mode',
      { mode: 'shadow', results: { checks: [{ ...tests, ...failing }, style] } },
      ['tier1 passed', 'test failed', 'style passed'],
    ],
    [
      'where only an advisory one failed',
      { results: { checks: [tests, { ...style, ...failing }] } },
      ['tier1 passed', 'test passed', 'style failed'],
    ],
    [
      'where tier 1 failed',
      { run: red, results: { tier1: { passed: false, checks: [], findings: [], feedback: null } } },
      ['tier1 failed', 'test passed', 'style passed'],
    ],
    [
      'where a check ran out of time',
      { run: red, results: { checks: [{ ...tests, ...failing, error_code: 'VERIFICATION_TIMEOUT' }, style] } },
      ['tier1 passed', 'test timed_out', 'style passed'],
    ],
    ['whatever the case of the repository', { run: { repository: 'Acme/Shop' } }, passed],
    [
      'and a tier 1 that it lacks has failed',
      { results: { tier1: null } },
      ['tier1 failed', 'test passed', 'style passed'],
    ],
    ['where one ran that need not', { results: { checks: [tests, style, outcome('docs')], left_out: [] } }, passed],
    [
      'and what a failed run lacks has failed',
      { run: red, results: { checks: [style] } },
      ['tier1 passed', 'test missing', 'style passed'],
    ],
    [
      'of a group',
      { attempt: { group }, results: ofGroup, groupFiles: [modified('src/a.ts')] },
      ['test passed', 'docs leave_out_check', 'style passed'],
    ],
    [
      'of a group whose changes nobody knows, and what it leaves out is missing',
      { attempt: { group }, results: ofGroup },
      ['test passed', 'docs missing', 'style passed'],
    ],
    [
      'of a group, and what its failed run lacks has failed',
      { attempt: { group }, run: red, groupFiles: [], results: { ...ofGroup, checks: [style] } },
      ['test missing', 'docs leave_out_check', 'style passed'],
    ],
  ])('%s', (_title, given, expected) => {
    expect(told(given)).toEqual(expected)
  })
})

describe('is refused as a whole', () => {
  test.each<[string, Given, string]>([
    [
      'another base',
      { results: { base_ref: 'lax' } },
      'it is of the base `lax`: push, or close and reopen the pull request',
    ],
    ['another repository', { run: { repository: 'acme/app' } }, 'it is of the repository acme/shop'],
    ['another commit', { results: { head_sha: '2'.repeat(40) } }, 'it is of another commit'],
    ['results of this commit from a run of another', { run: { head_sha: '2'.repeat(40) } }, 'it is of another commit'],
    [
      'results of another commit from a run of this',
      { results: { head_sha: '2'.repeat(40) }, run: { head_sha: '1'.repeat(40) } },
      'it is of another commit',
    ],
    ['a run for another event', { run: { event: 'push' } }, 'it answers the event push'],
    [
      'results for another event',
      { results: { event: 'merge_group' }, run: { event: 'pull_request' } },
      'it answers the event pull_request',
    ],
    [
      'another policy',
      { results: { policy: { hash: 'other', organisation: 'read' } } },
      'it ran another policy than the one that governs this attempt: run it again',
    ],
    [
      'another policy, for lack of the one of the organisation',
      { results: { policy: { hash: 'other', organisation: 'unseen' } } },
      'it ran another policy than the one that governs this attempt, and it could not see the default of the organisation: run it again',
    ],
    ['another pull request', { results: { pull: 8 } }, 'it is of pull request 8'],
    ['no pull request', { results: { pull: null } }, 'it is of no pull request'],
    [
      'a pull request, for a group',
      { attempt: { group }, results: { ...ofGroup, pull: 7 } },
      'it is of pull request 7',
    ],
    [
      'an event of groups, for a pull request',
      { results: { event: 'merge_group' } },
      'it answers the event merge_group',
    ],
    ['another run', { run: { id: 6 } }, 'it is of another run'],
    ['another attempt', { run: { attempt: 2 } }, 'it is of another attempt of this run: run all of its jobs again'],
    ['another workflow', { run: { workflow: 'x.yml' } }, 'it is of another workflow'],
    [
      'an adopted check',
      { results: { checks: [tests, style, outcome('build')] } },
      `it names \`build\`, which is no command of this contract: ${ofEditedTask}`,
    ],
    [
      'an unknown check',
      { results: { left_out: ['docs', 'x'] } },
      `it names \`x\`, which is no command of this contract: ${ofEditedTask}`,
    ],
    ['a check twice', { results: { checks: [tests, tests, style] } }, 'it names `test` twice'],
    ['a check that is left out twice', { results: { left_out: ['docs', 'docs'] } }, 'it names `docs` twice'],
    [
      'another command',
      { results: { checks: [{ ...tests, command: 'true' }, style] } },
      'it ran another command as `test`',
    ],
    [
      'a required check as advisory',
      { results: { checks: [{ ...tests, required: false }, style] } },
      'it says that `test` is not required, and the contract says otherwise',
    ],
    [
      'an advisory check as required',
      { results: { checks: [tests, { ...style, required: true }] } },
      'it says that `style` is required, and the contract says otherwise',
    ],
    [
      'a check left out that has no paths',
      { results: { checks: [style], left_out: ['docs', 'test'] } },
      'it leaves out `test`, which has no `paths`',
    ],
    [
      'a check left out whose paths changed',
      { attempt: { files: [modified('docs/a.md')] } },
      'it leaves out `docs`, although its `paths` changed',
    ],
    [
      'a check left out whose paths were moved away',
      { attempt: { files: [modified('a.md', 'docs/a.md')] } },
      'it leaves out `docs`, although its `paths` changed',
    ],
    [
      'a check left out whose paths the group changes',
      { attempt: { group }, results: ofGroup, groupFiles: [modified('docs/a.md')] },
      'it leaves out `docs`, although its `paths` changed',
    ],
    ['a run that failed without a failure', { run: red }, 'it says that everything passed, and its run failed'],
    [
      'a run that failed for an advisory check',
      { run: red, results: { checks: [tests, { ...style, ...failing }] } },
      'it says that everything passed, and its run failed',
    ],
    [
      'a run that failed and lacks an advisory check',
      { run: red, results: { checks: [tests] } },
      'it says that everything passed, and its run failed',
    ],
    ['a run without an end', { run: { conclusion: null } }, 'it says that everything passed, and its run failed'],
    [
      'a run that passed with a failure',
      { results: { checks: [{ ...tests, ...failing }, style] } },
      'it says that something required failed, and its run passed',
    ],
    [
      'a run that passed without a check',
      { results: { checks: [style] } },
      `it lacks \`test\`, and its run passed: ${ofEditedTask}`,
    ],
    [
      'a pass with an exit code',
      { results: { checks: [{ ...tests, exit_code: 2 }, style] } },
      'it says that `test` passed with exit code 2',
    ],
    [
      'a pass that ran out of time',
      { results: { checks: [{ ...tests, error_code: 'VERIFICATION_TIMEOUT' }, style] } },
      'it says that `test` passed with exit code 0',
    ],
    [
      'a tier 1 that passed with a failure',
      {
        results: {
          tier1: { passed: true, checks: [{ name: 'a', passed: false, detail: null }], findings: [], feedback: null },
        },
      },
      'it says that tier 1 passed, and names what failed in it',
    ],
  ])('%s', (_title, given, why) => {
    expect(told(given)).toEqual([`refused: ${why}`])
  })
})
