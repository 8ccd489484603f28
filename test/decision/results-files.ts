// Results as the Action hands them over for one small policy, and what goes wrong in them.
import type { ChangedFile, Group } from '../../src/core/decision/model.ts'
import type { ResultsFile } from '../../src/core/decision/results/results-file.ts'

export const workflow = '.github/workflows/countersign.yml'
export const checks = [
  { name: 'test', command: 'npm test' },
  { name: 'docs', command: 'npm run docs', paths: ['docs/**'] },
  { name: 'style', command: 'npm run style', required: false },
  { name: 'build', check_run: 'build' },
]
export const modified = (path: string, previous_path: string | null = null): ChangedFile => ({
  path,
  previous_path,
  status: previous_path === null ? 'modified' : 'renamed',
})
export const group: Group = { pull: 7, beside: [], base_sha: 'b'.repeat(40), lacking: null, covers: [] }

export const outcome = (
  name: string,
  more: Partial<ResultsFile['checks'][number]> = {},
): ResultsFile['checks'][number] => ({
  name,
  passed: true,
  exit_code: 0,
  output: '',
  duration_ms: 1,
  required: true,
  source: 'command',
  command: `npm run ${name}`,
  error_code: null,
  started_at: '',
  truncated_bytes: 0,
  log: null,
  ...more,
})
export const failing = { passed: false, exit_code: 1, error_code: 'VERIFICATION_CHECK_FAILED' } as const
export const tests = outcome('test', { command: 'npm test' })
export const style = outcome('style', { required: false })
export const good: ResultsFile = {
  schema: 'countersign-results/1',
  repository: 'acme/shop',
  event: 'pull_request',
  pull: 7,
  head_sha: '1'.repeat(40),
  base_ref: 'main',
  run: { id: 5, attempt: 1, workflow },
  policy: { hash: '', organisation: 'none' },
  checks: [tests, style],
  left_out: ['docs'],
  tier1: { passed: true, checks: [], findings: [], feedback: null },
  warnings: [],
  screenshots: [],
}
export const ofGroup: Partial<ResultsFile> = { event: 'merge_group', pull: null, tier1: null }
