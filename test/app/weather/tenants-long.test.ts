// Whoever is in trouble is in trouble alone, and only as long as it lasts: an App that was removed and installed anew, a
// suspended organisation, a record that this version cannot read.
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { openPglite } from '../../../src/adapters/store/embedded/embedded.ts'
import { tamper } from '../../store/opened.ts'
import { runningApp, until } from '../lab/running.ts'
import { aShop, type Shop } from '../lab/shop.ts'

const app = await runningApp()
afterAll(() => app.stop())
afterEach(() => app.github.clearFaults())
const { github } = app

async function aPull(): Promise<{ shop: Shop; sha: string; number: number }> {
  const shop = await aShop(app)
  const sha = await shop.push()
  return { shop, sha, number: await shop.open() }
}

test('an App that was removed and installed anew goes on where it was, without a restart', async () => {
  const { shop, sha } = await aPull()
  await shop.build(sha, 'failure')
  github.uninstall(shop.installation)
  await shop.idle()
  github.install(shop.org)
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
}, 60_000)

test('what was delivered for an installation that is gone is handled through the one that came after it', async () => {
  const { shop, sha } = await aPull()
  await shop.build(sha, 'failure')
  await app.kill()
  github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'success' })
  await github.idle()
  github.uninstall(shop.installation)
  github.install(shop.org)
  await app.start()
  await until(async () => (await shop.check(sha)).startsWith('success'))
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^success/)
}, 60_000)

test('a suspended organisation keeps no other from being caught up with', async () => {
  const [asleep, awake] = [await aPull(), await aPull()]
  await app.kill()
  github.suspendInstallation(asleep.shop.installation, 'cleo')
  for (const { shop, sha } of [asleep, awake])
    github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'success' })
  await github.idle()
  await app.start()
  await until(async () => (await awake.shop.check(awake.sha)).startsWith('success'))
  github.suspendInstallation(asleep.shop.installation, null)
  await asleep.shop.build(asleep.sha, 'success')
  expect(await asleep.shop.check(asleep.sha)).toMatch(/^success/)
}, 60_000)

test('a record that only a newer version can read keeps no other task from being judged', async () => {
  const [newer, ours] = [await aPull(), await aPull()]
  // Two repositories that are made within one second have commits of one name.
  const { id } = z.object({ id: z.number() }).parse(await newer.shop.read(''))
  await app.kill()
  const { sql } = await openPglite(join(app.directory, 'data'))
  await tamper(sql, `R${id}#${newer.number}`, (bodies) =>
    bodies.map((body) => body.replace(/"schema":\d+/, '"schema":999')),
  )
  await sql.close()
  for (const { shop, sha } of [newer, ours])
    github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'success' })
  const unseen = github.push(newer.shop.name, 'other', { files: { 'src/other.ts': 'one\n' }, author: 'agent' })
  github.openPull(newer.shop.name, { title: 'Meanwhile', head: 'other', by: 'agent' })
  await github.idle()
  await app.start()
  await until(async () => (await ours.shop.check(ours.sha)).startsWith('success'))
  await until(async () => (await newer.shop.check(unseen)).startsWith('in_progress'))
  expect(await newer.shop.check(newer.sha)).not.toMatch(/^success/)
}, 60_000)
