// A run is read by the workflow that the base has by now. Under the one that it ran by, a job may have passed with a check that failed, or
// that did not run at all.
import { expect, test } from 'vitest'
import { appInTime } from '../lab/app-of-file.ts'
import { workflow } from '../lab/action-run.ts'
import { aJobRun, byJob, checkFile, finish, job, tier1, tier1File, workflowFor } from '../lab/job-run.ts'
import { changesIn } from '../lab/unheard.ts'

const { app, aMinuteLater } = await appInTime()
const { github } = app
const { wasGreen } = changesIn(app)

/** The workflow of the base is remembered for a while; a process that begins reads it. */
async function readAnew(): Promise<void> {
  aMinuteLater()
  await app.kill()
  await app.start()
}

const stepOfCheck = /^ {6}- \{ uses: countersign\/countersign@v0, with: .*$/m

test('a job that tolerated the failure of its check is no pass, once the base tolerates that no more', async () => {
  const good = workflowFor(byJob)
  const bad = good.replace(
    '- { uses: countersign/countersign@v0, with:',
    '- { continue-on-error: true, uses: countersign/countersign@v0, with:',
  )
  expect(bad).not.toBe(good)
  const given = await aJobRun(app, { text: bad })
  const { shop, sha } = given
  tier1(given)
  // The step of the check fails and is tolerated, so that the job is a success.
  job(given, 'test', { conclusion: 'success', leaves: checkFile(given, 'test', false) })
  job(given, 'lint')
  await finish(given)
  expect(await shop.check(sha)).toMatch(/^in_progress: .*not every check has a job/)
  aMinuteLater()
  // As the page asks for.
  github.push(shop.name, 'main', { files: { [workflow]: good }, author: 'cleo' })
  await app.idle()
  await readAnew()
  await shop.say(given.number, 'ada', '/override --check docs it reads again')
  await app.idle()
  expect(await shop.check(sha)).toMatch(/^failure: Changes needed: required check `test` failed/)
  expect(wasGreen(sha, shop.name)).toBe(false)
})

test('a job that ran something else under that name is no pass, once the base has its check run there', async () => {
  const good = workflowFor(byJob)
  const given = await aJobRun(app, { text: good.replace(stepOfCheck, '      - { run: "true" }') })
  const { shop, sha, number } = given
  tier1(given)
  for (const name of ['test', 'lint']) job(given, name, { leaves: null })
  await finish(given)
  expect(await shop.summary(sha)).toContain('no job of it runs `test` alone')
  aMinuteLater()
  github.push(shop.name, 'main', { files: { [workflow]: good }, author: 'cleo' })
  await app.idle()
  await readAnew()
  await shop.say(number, 'ada', '/override --check docs it reads again')
  expect(await shop.check(sha)).toBe('failure: Changes needed: required check `test` never reported')
  expect(await shop.summary(sha)).toContain('the job `test` passed and left no result of its check')
  expect(wasGreen(sha, shop.name)).toBe(false)
  // As the page asks for, which begins a run by the workflow that is there now.
  aMinuteLater()
  const anew = { ...given, run: github.startRun(shop.name, { head: sha, branch: 'feature', path: workflow }) }
  await shop.idle()
  const file = tier1File(anew, { run: { id: anew.run, attempt: 1, workflow } })
  tier1(anew, { leaves: file })
  for (const name of ['test', 'lint']) job(anew, name)
  await finish(anew)
  expect(await shop.check(sha)).toMatch(/^success/)
})
