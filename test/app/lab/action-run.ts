// A workflow run of the Action on a pull request, and what it may hand over.
import { workflowFiles } from '../../action/workflow.ts'
import { governing } from '../../../src/core/contract/policy/governing.ts'
import type { ResultsFile } from '../../../src/core/decision/results/results-file.ts'
import type { Running } from './running.ts'
import { aShop, type Shop } from './shop.ts'
import { zipOf, type ZipEntry } from './zip.ts'

export const policy = `version: 1
verification:
  checks:
    - { name: test, command: npm test }
    - { name: docs, command: npm run docs, paths: ['docs/**'] }
`
export const workflow = '.github/workflows/countersign.yml'
export type Given = {
  readonly app: Pick<Running, 'github' | 'idle'>
  readonly shop: Shop
  readonly sha: string
  readonly number: number
  readonly run: number
}

export async function aRun(app: Given['app'], event = 'pull_request', text = policy, files = {}): Promise<Given> {
  const shop = await aShop(app, text, { ...workflowFiles, ...files })
  const sha = await shop.push()
  const number = await shop.open()
  const run = app.github.startRun(shop.name, { head: sha, branch: 'feature', path: workflow, event })
  await shop.idle()
  return { app, shop, sha, number, run }
}

export const outcome = (passed: boolean): ResultsFile['checks'][number] => ({
  name: 'test',
  passed,
  exit_code: passed ? 0 : 1,
  output: passed ? 'ok' : 'AssertionError: expected 3, got 2\n    at shop.test.ts:12',
  duration_ms: 1200,
  required: true,
  source: 'command',
  command: 'npm test',
  error_code: passed ? null : 'VERIFICATION_CHECK_FAILED',
  started_at: '2026-01-05T09:00:00Z',
  truncated_bytes: 0,
  log: 'logs/test.log',
})

export function results({ shop, sha, number, run }: Given, passed = true, text = policy): ResultsFile {
  return {
    schema: 'countersign-results/1',
    repository: shop.name,
    event: 'pull_request',
    pull: number,
    head_sha: sha,
    base_ref: 'main',
    run: { id: run, attempt: 1, workflow },
    policy: { hash: governing({ own: text, organisation: null }).hash, organisation: 'none' },
    checks: [outcome(passed)],
    left_out: ['docs'],
    tier1: { passed: true, checks: [], findings: [], feedback: null },
    warnings: [],
    screenshots: [],
  }
}

export type Ending = {
  readonly entries?: readonly ZipEntry[]
  readonly conclusion?: 'success' | 'failure' | 'cancelled' | 'timed_out'
}

export async function handOver(
  { app, shop, run }: Given,
  file: unknown,
  { entries = [], conclusion = 'success' }: Ending = {},
) {
  const zip = zipOf([...(file === null ? [] : [{ name: 'results.json', content: JSON.stringify(file) }]), ...entries])
  app.github.uploadArtifact(shop.name, run, 'countersign-results', zip)
  app.github.finishRun(shop.name, run, conclusion)
  await shop.idle()
}
