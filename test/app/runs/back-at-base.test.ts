// What was found out about a commit while its pull request had this base is about it once it has it again, and the last of it counts,
// told or not. What began while it had another base is about that.
import { afterAll, describe, expect, test } from 'vitest'
import { workflowFiles } from '../../action/workflow.ts'
import { kindOf, type Kind } from '../../unheard/kinds.ts'
import { report } from '../../unheard/results.ts'
import { aRun, handOver, results, workflow } from '../lab/action-run.ts'
import { aClock } from '../lab/clock-in-minutes.ts'
import { runningApp } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'
import { untold } from '../lab/unheard.ts'
import { zipOf } from '../lab/zip.ts'

const { clock, aMinuteLater } = aClock()
const app = await runningApp({ clock })
afterAll(() => app.stop())
const { github } = app

/** Each has one check, and nobody has to approve it. */
const [byRun, byStatus, byAction] = [kindOf(1), kindOf(4), kindOf(7)]

/** A pull request into `main`. */
async function opened(kind: Kind) {
  const shop = await aShop(app, kind.policy, workflowFiles)
  github.push(shop.name, 'release', { files: { 'notes.md': 'soon\n' }, author: 'cleo' })
  const sha = await shop.push()
  const pull = await shop.open()
  const finds = (isFine: boolean, base: 'main' | 'release' = 'main'): void =>
    report({ shop, kind, home: shop.name, branch: 'feature', base, pull }, kind.checks[0], sha, isFine)
  aMinuteLater()
  const to = async (base: string): Promise<void> => {
    github.editPull(shop.name, pull, { base, by: 'agent' })
    await app.idle()
    aMinuteLater()
  }
  return { shop, sha, pull, finds, to }
}

/** Its check has passed, a minute ago. */
async function passed(kind: Kind) {
  const all = await opened(kind)
  all.finds(true)
  await app.idle()
  aMinuteLater()
  return all
}

const onRelease = 'countersign (release)'

describe.for([
  ['a check run', byRun],
  ['a status', byStatus],
  ['the Action', byAction],
] as const)('by %s', ([, kind]) => {
  test('a failure of which nobody told before it had another base holds what has this one again', async () => {
    const { shop, sha, finds, to } = await passed(kind)
    expect(await shop.check(sha)).toMatch(/^success/)
    await untold(github, () => finds(false))
    aMinuteLater()
    for (const base of ['release', 'main', 'release', 'main']) await to(base)
    expect(await shop.check(sha)).toMatch(/^failure/)
  })

  test('so it does where something newer was about the other base', async () => {
    const { shop, sha, finds, to } = await passed(kind)
    await untold(github, () => finds(false))
    aMinuteLater()
    await to('release')
    finds(true, 'release')
    await app.idle()
    expect(await shop.check(sha, onRelease)).toMatch(/^success/)
    await to('main')
    expect(await shop.check(sha)).toMatch(/^failure/)
  })

  test('what passed before it had another base counts when it has this one again, whatever failed there', async () => {
    const { shop, sha, finds, to } = await passed(kind)
    await to('release')
    finds(false, 'release')
    await app.idle()
    expect(await shop.check(sha, onRelease)).toMatch(/^failure/)
    aMinuteLater()
    await to('main')
    expect(await shop.check(sha)).toMatch(/^success/)
    await to('release')
    expect(await shop.check(sha, onRelease)).toMatch(/^failure/)
  })
})

test('a failure of which nobody told holds what nobody knows to have had another base since', async () => {
  const { shop, sha, pull, finds } = await passed(kindOf(0))
  await untold(github, () => finds(false))
  for (const base of ['release', 'main']) {
    aMinuteLater()
    await untold(github, () => github.editPull(shop.name, pull, { base, by: 'agent' }))
  }
  aMinuteLater()
  await shop.review(pull, 'eve', 'APPROVE', 'I looked at it')
  expect(await shop.check(sha)).not.toMatch(/^success/)
})

test('so does a check run that passed, and of which nobody told that it has failed since', async () => {
  const { shop, sha, to } = await opened(byRun)
  const run = github.reportCheck(shop.name, { name: 'build', sha, status: 'in_progress', app: 'github-actions' })
  aMinuteLater()
  github.updateCheck(shop.name, run, { status: 'completed', conclusion: 'success' })
  await app.idle()
  expect(await shop.check(sha)).toMatch(/^success/)
  aMinuteLater()
  await untold(github, () => github.updateCheck(shop.name, run, { status: 'completed', conclusion: 'failure' }))
  aMinuteLater()
  for (const base of ['release', 'main']) await to(base)
  expect(await shop.check(sha)).toMatch(/^failure/)
})

test('so does a run of the Action that was repeated, also where nobody remembers whose it was', async () => {
  const given = await aRun(app)
  github.push(given.shop.name, 'release', { files: { 'notes.md': 'soon\n' }, author: 'cleo' })
  const { shop, sha, number: pull, run } = given
  const finds = (passes: boolean, attempt: number) => ({
    ...results(given, passes),
    run: { id: run, attempt, workflow },
  })
  aMinuteLater()
  await handOver(given, finds(true, 1))
  expect(await shop.check(sha)).toMatch(/^success/)
  await app.kill()
  await app.start()
  await app.idle()
  aMinuteLater()
  await untold(github, () => {
    github.rerun(shop.name, run)
    github.deleteArtifact(shop.name, run, 'countersign-results')
    const zip = zipOf([{ name: 'results.json', content: JSON.stringify(finds(false, 2)) }])
    github.uploadArtifact(shop.name, run, 'countersign-results', zip)
    github.finishRun(shop.name, run, 'failure')
  })
  aMinuteLater()
  for (const base of ['release', 'main']) {
    aMinuteLater()
    github.editPull(shop.name, pull, { base, by: 'agent' })
    await app.idle()
  }
  expect(await shop.check(sha)).toMatch(/^failure/)
})
