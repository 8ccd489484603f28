// What code under test hands over, or somebody in its name: results that GitHub does not confirm, that say more than was
// asked, or that were of something else. All of them pass, so that believing one is green.
import {
  aRun,
  handOver,
  outcome,
  policy,
  results,
  workflow,
  type Ending,
  type Given,
} from '../../app/lab/action-run.ts'
import type { ResultsFile } from '../../../src/core/decision/results/results-file.ts'
import { actionJob, workflowFiles } from '../../action/workflow.ts'
import type { Case, Role, Scene } from '../case.ts'

type Forged = readonly [string, (given: Given) => unknown, Ending?]
const named = (given: Given, more: Partial<ResultsFile>): ResultsFile => ({ ...results(given), ...more })
const asked = (given: Given, path: string, attempt = 1): ResultsFile =>
  named(given, { run: { id: given.run, attempt, workflow: path } })

const forged: readonly Forged[] = [
  ['of another commit', (given) => named(given, { head_sha: '0'.repeat(40) })],
  ['of another base', (given) => named(given, { base_ref: 'release' })],
  ['of another run', (given) => named(given, { run: { id: 7, attempt: 1, workflow } })],
  ['of a later attempt', (given) => asked(given, workflow, 2)],
  ['of another workflow', (given) => asked(given, '.github/workflows/mine.yml')],
  ['of another repository', (given) => named(given, { repository: 'evil/shop' })],
  ['of another pull request', (given) => named(given, { pull: 999 })],
  ['of another event', (given) => named(given, { event: 'merge_group' })],
  ['under another policy', (given) => named(given, { policy: { hash: 'made up', organisation: 'none' } })],
  ['that ran another command', (given) => named(given, { checks: [{ ...outcome(true), command: 'true' }] })],
  [
    'with a check that nobody asked for',
    (given) => named(given, { checks: [outcome(true), { ...outcome(true), name: 'more' }] }),
  ],
  ['with another check instead', (given) => named(given, { checks: [{ ...outcome(true), name: 'more' }] })],
  ['without any check', (given) => named(given, { checks: [] })],
  ['that left out a check that has no paths', (given) => named(given, { checks: [], left_out: ['test', 'docs'] })],
  [
    'with a failed check that calls itself optional',
    (given) => named(given, { checks: [{ ...outcome(false), required: false }] }),
  ],
  ['with a check twice, failed and passed', (given) => named(given, { checks: [outcome(false), outcome(true)] })],
  ['with a check twice, passed and failed', (given) => named(given, { checks: [outcome(true), outcome(false)] })],
  [
    'with a check that passed by another exit code',
    (given) => named(given, { checks: [{ ...outcome(true), exit_code: 1 }] }),
  ],
  ['without tier 1', (given) => named(given, { tier1: null })],
  ['of a run that failed', results, { conclusion: 'failure' }],
  ['of a run that was cancelled', results, { conclusion: 'cancelled' }],
  ['beside a second file of results', results, { entries: [{ name: 'results.json', content: '{}' }] }],
  ['beside a file outside of its folder', results, { entries: [{ name: '../../etc/passwd', content: 'x' }] }],
]

const handedOver: readonly Case[] = forged.map(([words, file, ending]) => ({
  role: 'code under test',
  name: `results ${words}`,
  play: async (scene) => {
    const given = await aRun(scene.app)
    scene.never(given.shop, given.sha)
    await handOver(given, file(given), ending)
  },
}))

type Run = { readonly event?: string; readonly path?: string; readonly from?: 'fork' }
const runs: readonly (readonly [string, Role, Run])[] = [
  ['a run for a push', 'code under test', { event: 'push' }],
  ['a run that somebody started by hand', 'writer', { event: 'workflow_dispatch' }],
  ['a run for comments', 'agent', { event: 'issue_comment' }],
  ['a run of a workflow that only the change brings', 'agent', { path: '.github/workflows/mine.yml' }],
  ['a run of a fork', 'outsider', { from: 'fork' }],
]

const otherRuns: readonly Case[] = runs.map(([words, role, { event, path, from }]) => ({
  role,
  name: `results of ${words}`,
  play: async (scene) => {
    const first = await aRun(scene.app)
    const { shop, sha } = first
    scene.never(shop, sha)
    const run = scene.github.startRun(shop.name, {
      head: sha,
      branch: 'feature',
      path: path ?? workflow,
      event: event ?? 'pull_request',
      ...(from === undefined ? {} : { headRepo: scene.github.fork(shop.name, `dan-of-${shop.org}`) }),
    })
    const given = { ...first, run }
    await handOver(given, asked(given, path ?? workflow))
  },
}))

const reusable = (uses: string) => `on: pull_request\njobs:\n  all:\n    uses: ${uses}\n`

const elsewhere: readonly Case[] = [
  ['at a branch that moves', 'acme-ci/ci/.github/workflows/all.yml@main'],
  ['that nobody can read', 'nobody/nowhere/.github/workflows/all.yml@v1'],
].map(([words, uses = '']) => ({
  role: 'co-tenant',
  name: `results of a workflow of another repository ${words}`,
  play: async (scene) => {
    const shop = await scene.shop(policy, { '.github/workflows/ci.yml': reusable(uses) })
    const sha = await shop.push()
    const number = await shop.open()
    const path = '.github/workflows/ci.yml'
    const referenced = [{ path: uses, sha: 'a'.repeat(40) }]
    const run = scene.github.startRun(shop.name, { head: sha, branch: 'feature', path, referenced })
    scene.never(shop, sha)
    const given = { app: scene.app, shop, sha, number, run }
    await handOver(given, asked(given, path))
  },
}))

async function aRunOnRelease(scene: Scene) {
  const shop = await scene.shop(policy, workflowFiles)
  scene.github.push(shop.name, 'release', { files: { 'notes.md': 'soon\n' }, author: 'cleo' })
  const sha = await shop.push()
  const number = await shop.open('eve', { base: 'release' })
  const run = scene.github.startRun(shop.name, { head: sha, branch: 'feature', path: workflow })
  const given: Given = { app: scene.app, shop, sha, number, run }
  return { given, file: named(given, { base_ref: 'release' }) }
}

const moved: readonly Case[] = [
  {
    role: 'writer',
    name: 'results of another base with the same policy, and then the base is changed',
    play: async (scene) => {
      const { given, file } = await aRunOnRelease(scene)
      const { shop, sha, number } = given
      await handOver(given, file)
      scene.given((await shop.check(sha, 'countersign (release)')).startsWith('success'), 'it is green on release')
      scene.never(shop, sha)
      scene.github.editPull(shop.name, number, { base: 'main', by: 'eve' })
    },
  },
  {
    role: 'writer',
    name: 'results that arrive after the base was changed',
    play: async (scene) => {
      const { given, file } = await aRunOnRelease(scene)
      const { shop, sha, number } = given
      scene.github.editPull(shop.name, number, { base: 'main', by: 'eve' })
      await scene.settled()
      scene.never(shop, sha)
      await handOver(given, file)
    },
  },
  {
    role: 'writer',
    name: 'results of a pull request of the same commit to another base',
    play: async (scene) => {
      const { given, file } = await aRunOnRelease(scene)
      await given.shop.open('eve', { base: 'main' })
      scene.never(given.shop, given.sha)
      await handOver(given, file)
    },
  },
  {
    role: 'code under test',
    name: 'results of the attempt before, when all jobs run again',
    play: async (scene) => {
      const given = await aRun(scene.app)
      const { shop, sha, run } = given
      await handOver(given, results(given))
      scene.given((await shop.check(sha)).startsWith('success'), 'the first attempt passed')
      scene.github.rerun(shop.name, run)
      await scene.settled()
      scene.never(shop, sha)
      scene.github.finishRun(shop.name, run, 'success')
    },
  },
  {
    role: 'code under test',
    name: 'results of a job that failed, when only the failed jobs run again',
    play: async (scene) => {
      const given = await aRun(scene.app)
      const { shop, sha, run } = given
      scene.never(shop, sha)
      scene.github.reportCheck(shop.name, { name: actionJob, sha, conclusion: 'failure', run })
      await handOver(given, results(given), { conclusion: 'failure' })
      scene.github.rerunFailed(shop.name, run)
      scene.github.reportCheck(shop.name, { name: actionJob, sha, conclusion: 'success', run })
      scene.github.finishRun(shop.name, run, 'success')
    },
  },
  {
    role: 'code under test',
    name: 'honest results count, and go on counting when another job runs again',
    play: async (scene) => {
      const given = await aRun(scene.app)
      const { shop, sha, run } = given
      scene.github.reportCheck(shop.name, { name: actionJob, sha, conclusion: 'success', run })
      scene.github.reportCheck(shop.name, { name: 'deploy', sha, conclusion: 'failure', run })
      await handOver(given, results(given), { conclusion: 'failure' })
      scene.github.rerunFailed(shop.name, run)
      scene.github.reportCheck(shop.name, { name: 'deploy', sha, conclusion: 'success', run })
      scene.github.finishRun(shop.name, run, 'success')
      await scene.settled()
      scene.must((await shop.check(sha)).startsWith('success'), 'what was not run again still counts')
    },
  },
]

export const resultCases: readonly Case[] = [...handedOver, ...otherRuns, ...elsewhere, ...moved]
