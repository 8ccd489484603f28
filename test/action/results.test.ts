// The hand-over within the limits of its reader, and what git tells of a change.
import { describe, expect, test } from 'vitest'
import { readEvent } from '../../action/event.ts'
import { patchesByPath, readRaw } from '../../src/checks/checkout/raw-diff.ts'
import { planChecks } from '../../src/checks/runner/plan.ts'
import { resultsOf, resultsOutput } from '../../action/results.ts'
import { RESULTS_BYTES_MAX, type CheckOutcome } from '../../src/core/decision/results/results-file.ts'
import { runSummary } from '../../src/core/words/run/run-summary.ts'
import { runRetryContext } from '../../src/core/words/run/run-retry-context.ts'
import { tries } from '../depth.ts'
import { policyOf } from '../words/attempts.ts'

const runner = {
  event: 'pull_request',
  eventPath: '',
  repository: 'acme/shop',
  workspace: '/work',
  run: { id: 1, attempt: 1, workflow: '.github/workflows/a.yml' },
  apiUrl: '',
  serverUrl: '',
  temp: '',
  commandFiles: [],
  isImposed: false,
  environment: {},
}
const sha = 'a'.repeat(40)
const subject = {
  event: 'pull_request',
  pull: 7,
  head_sha: sha,
  base_sha: sha,
  base_ref: 'main',
  title: '',
  body: '',
} as const
const outcome = (name: string, output: string): CheckOutcome => ({
  name,
  passed: false,
  exit_code: 1,
  output,
  duration_ms: 1,
  required: true,
  source: 'command',
  command: 'x',
  error_code: 'VERIFICATION_CHECK_FAILED',
  started_at: '2026-11-20T00:00:00.000Z',
  truncated_bytes: 0,
  log: null,
})
const tier1 = (count: number) => ({
  passed: true,
  checks: Array.from({ length: count }, (_, at) => ({
    name: `syntax_${'x'.repeat(2_000)}`,
    passed: at !== count - 1,
    detail: 'y'.repeat(5_000),
  })),
  feedback: null,
  findings: [],
  warnings: [],
  annotations: [],
})
const found = (checks: readonly CheckOutcome[], builtIn = tier1(0)) => ({
  policy: { hash: 'h', organisation: 'none' as const },
  reports: checks.map((result) => ({ result, log: '' })),
  left_out: [],
  tier1: builtIn,
  warnings: [],
  secrets: ['the secret of somebody'],
})

describe('results.json', () => {
  test('checks that said all they could, in characters that take six bytes each, still fit', () => {
    const count = tries(30)
    const checks = Array.from({ length: count }, (_, at) => outcome(`c${at}`, '\u0001'.repeat(64 * 1024)))
    const results = resultsOf(runner, subject, found(checks))
    expect(Buffer.byteLength(JSON.stringify(results))).toBeLessThan(RESULTS_BYTES_MAX)
    expect(results.checks).toHaveLength(count)
    expect(results.checks[0]?.output).toContain('lines omitted]')
    expect(results.warnings).toEqual([expect.stringContaining('shortened once more')])
    expect(Buffer.byteLength(resultsOutput(results))).toBeLessThanOrEqual(96 * 1024)
    const diff = { text: '+x\n'.repeat(4_000), omitted_lines: 3 }
    expect(runRetryContext(results, diff).length).toBeLessThan(20_000)
  })

  test('what is too long is cut, what is secret is gone, and of too many the failed ones stay', () => {
    const results = resultsOf(runner, subject, { ...found([], tier1(10_050)), warnings: ['x the secret of somebody'] })
    expect(results.tier1?.checks.length).toBeGreaterThan(500)
    expect(results.tier1?.checks[0]).toMatchObject({ passed: false })
    expect(results.warnings).toEqual(['x ***'])
    expect(Buffer.byteLength(JSON.stringify(results))).toBeLessThan(RESULTS_BYTES_MAX)
  })
})

describe('what git tells', () => {
  const raw = (mode: string, ...paths: string[]): string =>
    `:100644 100644 ${sha} ${sha} ${mode}\0${paths.join('\0')}\0`

  test('names of every kind', () => {
    const text =
      raw('M', 'a b\n"c"') + raw('R087', 'old', 'new') + raw('C100', 'from', 'to') + raw('D', 'gone') + raw('T', 't')
    expect(readRaw(text).map(({ path, previous_path, status }) => [path, previous_path, status])).toEqual([
      ['a b\n"c"', null, 'modified'],
      ['new', 'old', 'renamed'],
      ['to', null, 'added'],
      ['gone', null, 'removed'],
      ['t', null, 'modified'],
    ])
  })

  test('a submodule, on either side, of which all is another one', () => {
    const of = (before: string, after: string, letter: string) => `:${before} ${after} ${sha} ${sha} ${letter}\0lib\0`
    const told = ['160000 160000 M', '000000 160000 A', '160000 000000 D', '100644 160000 T'].map((line) => {
      const [before = '', after = '', letter = ''] = line.split(' ')
      return readRaw(of(before, after, letter))
    })
    const rules = policyOf({
      verification: {
        checks: [
          { name: 'inside', command: 'x', paths: ['lib/src/**'] },
          { name: 'else', command: 'y', paths: ['library/**'] },
        ],
      },
    })
    for (const files of told) expect(planChecks(rules, files).left_out).toEqual(['else'])
    expect(planChecks(rules, readRaw(of('100644', '100644', 'M'))).left_out).toEqual(['inside', 'else'])
  })

  test('patches by their order, whatever lines they add', () => {
    const entries = readRaw(raw('M', 'a') + raw('T', 'b') + raw('R100', 'c', 'd') + raw('M', 'e'))
    const sly = '@@ -1 +1,2 @@\n-x\n+y\rdiff --git a/z b/z\u2028diff --git a/z b/z\n+diff --git a/z b/z'
    const diff = [
      `diff --git a/a b/a\n--- a/a\n+++ b/a\n${sly}`,
      'diff --git a/b b/b\ndeleted file mode 100644\n@@ -1 +0,0 @@\n-x',
      'diff --git a/b b/b\nnew file mode 120000\n@@ -0,0 +1 @@\n+x',
      'diff --git a/c b/d\nsimilarity index 100%',
      'diff --git a/e b/e\nBinary files a/e and b/e differ\n',
    ].join('\n')
    const patches = patchesByPath(entries, diff)
    expect(patches === null ? null : [...patches]).toEqual([
      ['a', sly],
      ['b', '@@ -1 +0,0 @@\n-x\n@@ -0,0 +1 @@\n+x'],
      ['d', ''],
    ])
    expect(patchesByPath(entries.slice(1), diff)).toBeNull()
  })
})

test('a payload that lacks what it must have is an error, and one of another event is none of ours', () => {
  expect(() => readEvent('pull_request', { pull_request: { number: 1 } })).toThrow('head')
  expect(readEvent('push', {})).toBeNull()
})

test('the page stays within what GitHub takes', () => {
  const loud = Array.from({ length: 30 }, (_, at) =>
    outcome(`c${at}`, `${'€'.repeat(390)}\n`.repeat(200).slice(0, 65_000)),
  )
  const page = runSummary({ ...resultsOf(runner, subject, found(loud, tier1(3_000))), passed: false, mode: 'enforce' })
  expect(Buffer.byteLength(page)).toBeLessThan(1024 * 1024)
  expect(page).toContain('<summary>Output of <code>c0</code>, which failed with exit code 1</summary>')
})
