// What code under test tries where each check has a job of its own: to speak for another check, for tier 1, or for a job
// that never passed. Everything that it leaves says that all is well.
import { artifactOfCheck, type ResultsFile } from '../../../src/core/decision/results/results-file.ts'
import { outcome, workflow, type Given } from '../../app/lab/action-run.ts'
import { aJobRun, checkFile, finish, job, tier1, tier1File, upload, type Begun } from '../../app/lab/job-run.ts'
import type { Case, Role, Scene } from '../case.ts'

const RESULTS = 'countersign-results'
const longAgo = '2020-01-01T00:00:00Z'
const everything = (given: Given, more: Partial<ResultsFile> = {}): ResultsFile =>
  tier1File(given, {
    checks: ['test', 'lint'].map((name) => ({ ...outcome(true), name })),
    left_out: ['docs'],
    ...more,
  })

/** Puts this in the place of what tier 1 left. */
function replaced(given: Given, file: unknown): void {
  given.app.github.deleteArtifact(given.shop.name, given.run, RESULTS)
  upload(given, RESULTS, file)
}

type Story = (given: Given, scene: Scene) => Promise<void> | void
export const told = (name: string, story: Story, begun: Begun = {}, role: Role = 'code under test'): Case => ({
  role,
  name: `jobs: ${name}`,
  play: async (scene) => {
    const given = await aJobRun(scene.app, begun)
    scene.never(given.shop, given.sha)
    await story(given, scene)
    await finish(given)
  },
})

const forOthers: readonly Case[] = [
  told('a check leaves in the name of another that it passed', (given) => {
    tier1(given)
    job(given, 'test', { leaves: checkFile(given, 'test', true) })
    upload(given, artifactOfCheck('lint'), checkFile(given, 'lint', true))
    job(given, 'lint', { conclusion: 'failure' })
  }),
  told('a check leaves in the name of another that has no job', (given) => {
    tier1(given)
    job(given, 'test', { leaves: checkFile(given, 'test', true) })
    upload(given, artifactOfCheck('lint'), checkFile(given, 'lint', true))
  }),
  told('a check speaks of another too', (given) => {
    tier1(given)
    job(given, 'test', { leaves: everything(given, { tier1: null }) })
    job(given, 'lint', { conclusion: 'failure', leaves: everything(given, { tier1: null }) })
  }),
  told('a check leaves the results of all checks, as one job would', (given) => {
    tier1(given)
    job(given, 'test')
    job(given, 'lint', { conclusion: 'failure' })
    replaced(given, everything(given))
  }),
  told('results of all checks from the job that is tier 1', (given) => {
    tier1(given, { leaves: everything(given) })
    job(given, 'test')
    job(given, 'lint')
  }),
  told('a check that failed leaves that it passed', (given) => {
    tier1(given)
    job(given, 'test', { conclusion: 'failure', leaves: checkFile(given, 'test', true) })
    job(given, 'lint')
  }),
]

const forTier1: readonly Case[] = [
  told('tier 1 failed, and its job left that it passed', (given) => {
    tier1(given, { conclusion: 'failure' })
    job(given, 'test')
    job(given, 'lint')
  }),
  told('a check puts that tier 1 passed in the place of what it left', (given) => {
    const failed = { passed: false, checks: [], findings: [], feedback: 'no' }
    tier1(given, { conclusion: 'failure', leaves: tier1File(given, { tier1: failed }) })
    job(given, 'test')
    job(given, 'lint')
    replaced(given, tier1File(given))
  }),
  told('tier 1 speaks after a check began, which could have spoken for it', (given) => {
    job(given, 'test', { startedAt: longAgo })
    tier1(given)
    job(given, 'lint')
  }),
  told('another job of the run began before tier 1 spoke', (given) => {
    job(given, 'deploy', { startedAt: longAgo })
    tier1(given)
    job(given, 'test')
    job(given, 'lint')
  }),
  told('what a check of this attempt put there is still there in the next one', (given, { github }) => {
    job(given, 'tier1')
    job(given, 'test', { startedAt: longAgo, conclusion: 'failure' })
    upload(given, RESULTS, tier1File(given))
    job(given, 'lint')
    github.finishRun(given.shop.name, given.run, 'failure')
    github.rerunFailed(given.shop.name, given.run)
    job(given, 'test')
  }),
  told('tier 1 is not there', (given) => {
    job(given, 'test')
    job(given, 'lint')
    upload(given, RESULTS, tier1File(given))
  }),
  told('tier 1 was by another policy', (given) => {
    tier1(given, { leaves: tier1File(given, { policy: { hash: 'made up', organisation: 'none' } }) })
    job(given, 'test')
    job(given, 'lint')
  }),
  told('tier 1 was of another commit', (given) => {
    tier1(given, { leaves: tier1File(given, { head_sha: 'a'.repeat(40) }) })
    job(given, 'test')
    job(given, 'lint')
  }),
]

const ended: readonly Case[] = (['skipped', 'neutral', 'cancelled', 'timed_out', 'action_required'] as const).map(
  (conclusion) =>
    told(`a job that ended as ${conclusion}`, (given) => {
      tier1(given)
      job(given, 'test', { conclusion, leaves: checkFile(given, 'test', true) })
      job(given, 'lint')
    }),
)

const twins: readonly Case[] = [
  told('two jobs of one name, of which the first passed', (given) => {
    tier1(given)
    job(given, 'test')
    job(given, 'test', { conclusion: 'failure' })
    job(given, 'lint')
  }),
  told('two jobs of one name, of which the last passed', (given) => {
    tier1(given)
    job(given, 'test', { conclusion: 'failure' })
    job(given, 'test')
    job(given, 'lint')
  }),
  told('two jobs of one name that both passed', (given) => {
    tier1(given)
    job(given, 'test')
    job(given, 'test')
    job(given, 'lint')
  }),
  told(
    'a job of a workflow that only the change brings bears the name',
    (given, { github }) => {
      tier1(given)
      job(given, 'lint')
      const { shop, sha } = given
      const run = github.startRun(shop.name, { head: sha, branch: 'feature', path: '.github/workflows/mine.yml' })
      const mine = { ...given, run }
      tier1(mine)
      for (const name of ['test', 'lint']) job(mine, name)
      github.finishRun(shop.name, run, 'success')
    },
    {},
    'agent',
  ),
  told(
    'a check run of another App bears the name of a job',
    (given, { github }) => {
      const { shop, sha } = given
      github.createApp({ slug: `job-of-${shop.org}` })
      tier1(given)
      job(given, 'lint')
      github.reportCheck(shop.name, { name: 'test', sha, conclusion: 'success', app: `job-of-${shop.org}` })
    },
    {},
    'co-tenant',
  ),
]

async function passed(scene: Scene): Promise<Given> {
  const given = await aJobRun(scene.app)
  tier1(given)
  for (const name of ['test', 'lint']) job(given, name)
  await finish(given)
  scene.given((await given.shop.check(given.sha)).startsWith('success'), 'all of its jobs passed')
  return given
}

const again: readonly Case[] = [
  {
    role: 'code under test',
    name: 'jobs: the pass of an attempt before, when all jobs run again',
    play: async (scene) => {
      const given = await passed(scene)
      const { shop, sha, run } = given
      scene.github.rerun(shop.name, run)
      await scene.settled()
      scene.never(shop, sha)
      job(given, 'tier1')
      job(given, 'lint')
      await finish(given)
    },
  },
  {
    role: 'code under test',
    name: 'jobs: the pass of an attempt before, when the check fails this time',
    play: async (scene) => {
      const given = await passed(scene)
      const { shop, sha, run } = given
      scene.github.rerun(shop.name, run)
      await scene.settled()
      scene.never(shop, sha)
      replaced(given, tier1File(given, { run: { id: run, attempt: 2, workflow } }))
      job(given, 'tier1')
      job(given, 'test', { conclusion: 'failure' })
      job(given, 'lint')
      await finish(given, 'failure')
    },
  },
  {
    role: 'code under test',
    name: 'jobs: green files in a merge group where a check fails',
    play: async (scene) => {
      const given = await passed(scene)
      const { shop, number } = given
      const sha = scene.github.mergeGroup(shop.name, [number], 'ada').headSha
      scene.never(shop, sha)
      const run = scene.github.startRun(shop.name, { head: sha, branch: 'queue', path: workflow, event: 'merge_group' })
      const group = { ...given, sha, run }
      const ofGroup = { event: 'merge_group', pull: null } as const
      tier1(group, { leaves: tier1File(group, ofGroup) })
      job(group, 'test', { leaves: checkFile(group, 'test', true, ofGroup) })
      job(group, 'lint', { conclusion: 'failure', leaves: checkFile(group, 'lint', true, ofGroup) })
      await finish(group, 'failure')
    },
  },
  {
    role: 'code under test',
    name: 'jobs: honest ones count, whatever is left in their place',
    play: async (scene) => {
      const given = await aJobRun(scene.app)
      const { shop, sha } = given
      tier1(given)
      job(given, 'test', { leaves: checkFile(given, 'lint', false) })
      job(given, 'lint', { leaves: 'nothing' })
      await finish(given)
      scene.must((await shop.check(sha)).startsWith('success'), 'what GitHub says of the jobs counts')
    },
  },
]

export const jobCases: readonly Case[] = [...forOthers, ...forTier1, ...ended, ...twins, ...again]
