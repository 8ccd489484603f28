// A workflow run by `isolation: job` on a pull request: a job that is tier 1, one for each check, and what each may leave.
import type { CheckRun } from '../../github/checks-model.ts'
import { builtInPolicy } from '../../../src/core/contract/policy/policy.ts'
import { readPolicy } from '../../../src/core/contract/policy/read-policy.ts'
import { artifactOfCheck, type ResultsFile } from '../../../src/core/decision/results/results-file.ts'
import { workflowText } from '../../../src/core/words/run/workflow-text.ts'
import { outcome, results, workflow, type Given } from './action-run.ts'
import type { Running } from './running.ts'
import { aShop } from './shop.ts'
import { zipOf } from './zip.ts'

export const byJob = `version: 1
verification:
  execution: { isolation: job }
  checks:
    - { name: test, command: npm test }
    - { name: lint, command: npm run lint }
    - { name: docs, command: npm run docs, paths: ['docs/**'] }
`
type Conclusion = NonNullable<CheckRun['conclusion']>

/** What `countersign workflow` prints for a policy. */
export function workflowFor(text: string): string {
  const reading = readPolicy(text, 'policy')
  const written = workflowText(reading.ok ? reading.policy : builtInPolicy, 'job')
  return written.kind === 'text' ? written.text : ''
}

export type Begun = { readonly policy?: string; readonly text?: string; readonly path?: string }

export async function aJobRun(app: Running, { policy = byJob, text, path = workflow }: Begun = {}): Promise<Given> {
  const shop = await aShop(app, policy, { [workflow]: text ?? workflowFor(policy) })
  const sha = await shop.push()
  const number = await shop.open()
  const run = app.github.startRun(shop.name, { head: sha, branch: 'feature', path })
  await shop.idle()
  return { app, shop, sha, number, run }
}

/** What the job that is tier 1 hands over. */
export const tier1File = (given: Given, more: Partial<ResultsFile> = {}): ResultsFile => ({
  ...results(given, true, byJob),
  checks: [],
  left_out: [],
  ...more,
})

/** What the job of a check hands over. */
export const checkFile = (given: Given, check: string, passed: boolean, more: Partial<ResultsFile> = {}): ResultsFile =>
  tier1File(given, { tier1: null, checks: [{ ...outcome(passed), name: check }], ...more })

/** In the place of what was there under that name. */
export function upload({ app, shop, run }: Given, name: string, file: unknown): number {
  try {
    app.github.deleteArtifact(shop.name, run, name)
  } catch {
    // There was none.
  }
  return app.github.uploadArtifact(
    shop.name,
    run,
    name,
    zipOf([{ name: 'results.json', content: JSON.stringify(file) }]),
  )
}

export type Job = { readonly conclusion?: Conclusion | null; readonly leaves?: unknown; readonly startedAt?: string }

/** A job from its start to its end, which `conclusion: null` leaves out. It leaves nothing where that is null. Gives its id. */
export function job(given: Given, name: string, { conclusion = 'success', startedAt, ...more }: Job = {}): number {
  const { app, shop, sha, run } = given
  const leaves = more.leaves ?? byItself(given, name, { conclusion, ...more })
  const start = startedAt === undefined ? {} : { startedAt }
  const id = app.github.reportCheck(shop.name, { name, sha, run, status: 'in_progress', ...start })
  if (leaves !== null) upload(given, name === 'tier1' ? 'countersign-results' : artifactOfCheck(name), leaves)
  if (conclusion !== null) app.github.updateCheck(shop.name, id, { conclusion })
  return id
}

/** The job of a check that passes leaves that it did. */
const byItself = (given: Given, name: string, { conclusion, leaves }: Job): ResultsFile | null =>
  leaves === null || name === 'tier1' || conclusion !== 'success' ? null : checkFile(given, name, true)

export const tier1 = (given: Given, more: Job = {}): number =>
  job(given, 'tier1', { leaves: tier1File(given), ...more })

export async function finish({ app, shop, run }: Given, conclusion: Conclusion = 'success'): Promise<void> {
  app.github.finishRun(shop.name, run, conclusion)
  await shop.idle()
}
