// GitHub may tell that a run failed before its list of runs shows it: what passed before it does not stand meanwhile.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { aRun, handOver, outcome, results, workflow } from '../lab/action-run.ts'
import { aSecond } from '../lab/a-second.ts'
import { until } from '../lab/running.ts'
import { zipOf } from '../lab/zip.ts'

const app = await sharedApp()
const { github } = app

test.each([
  ['of the same workflow', workflow, /^failure/],
  ['of a workflow that hands nothing over', '.github/workflows/else.yml', /^success/],
])('a run %s that failed and is not listed yet', async (_, path, expected) => {
  const given = await aRun(app)
  const { shop, sha } = given
  await handOver(given, results(given))
  expect(await shop.check(sha)).toMatch(/^success/)
  await aSecond()
  const trouble = { kind: 'null', field: 'workflow_runs', where: 'all' } as const
  const fault = github.addFault({ path: '/repos/*/actions/runs*', trouble })
  const run = github.startRun(shop.name, { head: sha, branch: 'feature', path })
  await aSecond()
  const before = github.faultHits(fault)
  const failed = { ...results({ ...given, run }, false), checks: [outcome(false)] }
  const zip = zipOf([{ name: 'results.json', content: JSON.stringify(failed) }])
  github.uploadArtifact(shop.name, run, 'countersign-results', zip)
  github.finishRun(shop.name, run, 'failure')
  await until(async () => github.faultHits(fault) > before)
  github.removeFault(fault)
  await app.idle()
  expect(await shop.check(sha)).toMatch(expected)
})
