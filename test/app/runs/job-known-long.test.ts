// That a check run is a job, and of this attempt, is asked of GitHub once: what it said is on record, for every process and
// after a restart. After the base was another one it is asked again.
import { expect, test } from 'vitest'
import { appInTime } from '../lab/app-of-file.ts'
import { adopted, aShop } from '../lab/shop.ts'

const { app, aMinuteLater } = await appInTime()

async function aJob() {
  const shop = await aShop(app, adopted)
  app.github.push(shop.name, 'lax', { files: { 'notes.md': 'anything goes\n' }, author: 'agent' })
  const sha = await shop.push()
  const number = await shop.open()
  aMinuteLater()
  const run = app.github.startRun(shop.name, { head: sha, branch: 'feature', path: '.github/workflows/ci.yml' })
  const id = app.github.reportCheck(shop.name, { name: 'build', sha, run, status: 'in_progress' })
  await shop.idle()
  return { shop, sha, number, id }
}

async function restarted(): Promise<void> {
  await app.kill()
  await app.start()
  await app.idle()
}

const proofs = ({ path }: { readonly path: string }): boolean => /\/actions\/(jobs|runs)\/\d+$/.test(path)

test('a job that began before a restart ends without being asked about again', async () => {
  const { shop, sha, id } = await aJob()
  await restarted()
  const before = app.github.requestLog().length
  app.github.updateCheck(shop.name, id, { conclusion: 'success' })
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^success/)
  const asked = app.github.requestLog().slice(before)
  expect(asked.filter(proofs)).toEqual([])
  expect(asked.some(({ path }) => path.endsWith(`/commits/${sha}/check-runs`))).toBe(true)
})

test('its next job is asked about', async () => {
  const { shop, sha, id } = await aJob()
  app.github.updateCheck(shop.name, id, { conclusion: 'success' })
  await shop.idle()
  const other = app.github.startRun(shop.name, {
    head: sha,
    branch: 'feature',
    path: '.github/workflows/ci.yml',
    event: 'schedule',
  })
  app.github.reportCheck(shop.name, { name: 'build', sha, run: other, conclusion: 'failure' })
  await shop.idle()
  // It answers another event, so it is not of this pull request, whatever is on record of the one before.
  expect(await shop.check(sha)).toMatch(/^success/)
  expect(await shop.summary(sha)).toContain('it answers the event schedule')
})

test('after the base was another one, what is on record of a job proves nothing', async () => {
  const { shop, sha, number, id } = await aJob()
  for (const base of ['lax', 'main']) {
    aMinuteLater()
    app.github.editPull(shop.name, number, { base, by: 'bob' })
    await shop.idle()
  }
  await restarted()
  app.github.updateCheck(shop.name, id, { conclusion: 'success' })
  await shop.idle()
  expect(await shop.check(sha)).not.toMatch(/^success/)
  expect(await shop.summary(sha)).toContain('it began before the base became `main`')
})
