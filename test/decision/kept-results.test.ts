// What of believed results is put on record, and under which run.
import { describe, expect, test } from 'vitest'
import { handedOver } from '../../src/core/decision/results/handed-over.ts'
import type { ResultsFile } from '../../src/core/decision/results/results-file.ts'
import { anAttempt, policyOf } from '../words/attempts.ts'
import { checks, good, modified, style, tests, workflow } from './results-files.ts'

describe('what is kept', () => {
  const attempt = anAttempt({ files: [modified('src/a.ts')] }, policyOf({ verification: { checks } }))
  const run = { id: 5, attempt: 2, workflow, event: 'pull_request', head_sha: good.head_sha, repository: 'acme/shop' }
  const told = (results: Partial<ResultsFile>, conclusion = 'success') =>
    handedOver(attempt, { ...run, conclusion }, { ...good, run: { ...good.run, attempt: 2 }, ...results })

  test('of tier 1 what failed, the first findings, and what it says', () => {
    const failures = Array.from({ length: 250 }, (_, index) => ({ name: `f${index}`, passed: false, detail: 'x' }))
    const finding = { path: 'a.ts', line: 1, severity: 'LOW', category: 'c', message: 'm' } as const
    const findings = Array.from({ length: 150 }, () => finding)
    const tier1 = {
      passed: false,
      checks: [{ name: 'ok', passed: true, detail: null }, ...failures],
      findings,
      feedback: 'mend',
    }
    const [found] = told({ tier1 }, 'failure')
    const kept = {
      run: '5.2',
      passed: false,
      checks: failures.slice(0, 200),
      findings: findings.slice(0, 100),
      feedback: 'mend',
    }
    expect(found).toEqual({ type: 'report_tier1', attempt_id: attempt.id, ...kept })
  })

  test('of a run without tier 1 that it failed for lack of it', () => {
    const check = { name: 'results', passed: false, detail: 'the workflow run ended without reporting it' }
    expect(told({ tier1: null })[0]).toMatchObject({ run: '5.2', passed: false, checks: [check], findings: [] })
  })

  test('of a check its outcome, under the run and as the contract requires it', () => {
    const [, test] = told({ checks: [{ ...tests, output: 'ok', duration_ms: 7, log: 'logs/test.txt' }, style] })
    const result = { name: 'test', passed: true, exit_code: 0, output: 'ok', duration_ms: 7, required: true }
    expect(test).toMatchObject({ run: '5.2', state: 'passed', result, output_ref: 'logs/test.txt' })
  })

  test('of a refusal which run and which policy it was', () => {
    const policy = { hash: 'other', organisation: 'none' } as const
    expect(told({ policy })).toMatchObject([{ source: 'run 5.2', policy_hash: 'other' }])
    expect(told({ pull: 8 })).toMatchObject([{ source: 'run 5.2', policy_hash: null }])
  })
})
