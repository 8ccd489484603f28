// Checks of existing CI that a policy adopts, and who reports under their name.
import { each, type Case, type Role, type Scene } from '../case.ts'
import type { Shop } from '../../app/lab/shop.ts'

const byName = '{ name: build, check_run: build, app: github-actions }'
const byWorkflow = "{ name: build, check_run: build, app: github-actions, workflow: '.github/workflows/ci.yml' }"
const byStatus = '{ name: build, status: build, app: helper }'
const policyOf = (check: string): string => `verification: { checks: [${check}] }\n`

type Report = readonly [string, Role, string, (scene: Scene, shop: Shop, sha: string, number: number) => void]
const reports: readonly Report[] = [
  [
    'a status of the same name by a writer',
    'writer',
    byName,
    ({ github }, { name }, sha) => github.reportStatus(name, { sha, context: 'build', state: 'success', by: 'eve' }),
  ],
  [
    'a status by a writer where an App is asked for',
    'writer',
    byStatus,
    ({ github }, { name }, sha) => github.reportStatus(name, { sha, context: 'build', state: 'success', by: 'eve' }),
  ],
  [
    'a status by another App',
    'co-tenant',
    byStatus,
    ({ github }, { name, org }, sha) => {
      github.createApp({ slug: `other-${org}` })
      github.reportStatus(name, { sha, context: 'build', state: 'success', by: `other-${org}[bot]` })
    },
  ],
  [
    'a check run by another App',
    'co-tenant',
    byName,
    ({ github }, { name, org }, sha) =>
      github.reportCheck(name, { name: 'build', sha, conclusion: 'success', app: `impostor-of-${org}` }),
  ],
  [
    'a job of a workflow of one’s own',
    'agent',
    byWorkflow,
    ({ github }, { name }, sha) => {
      const run = github.startRun(name, { head: sha, branch: 'feature', path: '.github/workflows/mine.yml' })
      github.reportCheck(name, { name: 'build', sha, conclusion: 'success', run })
      github.finishRun(name, run, 'success')
    },
  ],
  [
    'a job of a workflow of one’s own that links to the right run',
    'agent',
    byWorkflow,
    ({ github }, { name }, sha) => {
      const right = github.startRun(name, { head: sha, branch: 'feature', path: '.github/workflows/ci.yml' })
      const run = github.startRun(name, { head: sha, branch: 'feature', path: '.github/workflows/mine.yml' })
      const detailsUrl = `${github.url}/${name}/actions/runs/${right}/job/1`
      github.reportCheck(name, { name: 'build', sha, conclusion: 'success', run, detailsUrl })
      github.finishRun(name, run, 'success')
      github.finishRun(name, right, 'failure')
    },
  ],
  [
    'a check run of a token of Actions that links to the right workflow',
    'code under test',
    byWorkflow,
    ({ github }, { name }, sha) => {
      const right = github.startRun(name, { head: sha, branch: 'feature', path: '.github/workflows/ci.yml' })
      github.reportCheck(name, { name: 'build', sha, conclusion: 'failure', run: right })
      github.finishRun(name, right, 'failure')
      const run = github.startRun(name, {
        head: sha,
        branch: 'feature',
        path: '.github/workflows/mine.yml',
        event: 'push',
      })
      const detailsUrl = `${github.url}/${name}/actions/runs/${right}`
      github.reportCheck(name, { name: 'build', sha, conclusion: 'success', run, detailsUrl })
    },
  ],
  [
    'a run on the commit before',
    'agent',
    byName,
    ({ github }, { name }, sha) => {
      const before = github.tip(name, 'main')
      github.reportCheck(name, { name: 'build', sha: before, conclusion: 'success' })
      github.reportCheck(name, { name: 'build ', sha, conclusion: 'success' })
    },
  ],
  [
    'a comment and a label that say so',
    'outsider',
    byName,
    ({ github }, { name }, _sha, number) => {
      github.comment(name, number, { body: 'build: success ✅ required check `build` passed', by: 'dan' })
      github.label(name, number, 'countersign:success', 'agent')
    },
  ],
]

const impostors: readonly Case[] = reports.map(([words, role, check, report]) => ({
  role,
  name: `instead of the adopted check there is ${words}`,
  play: async (scene) => {
    const shop = await scene.shop(policyOf(check), { '.github/workflows/ci.yml': 'on: pull_request\njobs: {}\n' })
    const sha = await shop.push()
    const number = await shop.open()
    scene.never(shop, sha)
    report(scene, shop, sha, number)
  },
}))

const endings = ['skipped', 'neutral', 'cancelled', 'timed_out', 'action_required'] as const
const checks = [
  ['by its name', byName],
  ['by its workflow', byWorkflow],
] as const

const unpassed: readonly Case[] = each(checks, endings, ([words, check], conclusion) => ({
  role: 'code under test',
  name: `a check adopted ${words} ends as ${conclusion}`,
  play: async (scene) => {
    const shop = await scene.shop(policyOf(check), { '.github/workflows/ci.yml': 'on: pull_request\njobs: {}\n' })
    const sha = await shop.push()
    await shop.open()
    scene.never(shop, sha)
    const run = scene.github.startRun(shop.name, { head: sha, branch: 'feature', path: '.github/workflows/ci.yml' })
    scene.github.reportCheck(shop.name, { name: 'build', sha, conclusion, run })
    scene.github.finishRun(shop.name, run, 'success')
  },
}))

const right: readonly Case[] = checks.map(([words, check]) => ({
  role: 'code under test',
  name: `a check adopted ${words} counts when it passed where it belongs`,
  play: async (scene) => {
    const shop = await scene.shop(policyOf(check), { '.github/workflows/ci.yml': 'on: pull_request\njobs: {}\n' })
    const sha = await shop.push()
    await shop.open()
    const run = scene.github.startRun(shop.name, { head: sha, branch: 'feature', path: '.github/workflows/ci.yml' })
    scene.github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'success', run })
    scene.github.finishRun(shop.name, run, 'success')
    await scene.settled()
    scene.must((await shop.check(sha)).startsWith('success'), 'it counts')
  },
}))

export const adoptedCases: readonly Case[] = [...impostors, ...unpassed, ...right]
