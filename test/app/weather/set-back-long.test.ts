// Another server takes over under the running App, or somebody restores a backup there: what the App remembers was taken in may
// not be stored any more.
import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startGitHub } from '../../github/github.ts'
import { aDatabase, server } from '../lab/a-database.ts'
import { appAt, appProcess, freePort, until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

/** An App on a database of its own, which can be set back. */
async function aSetUp() {
  const [database, port] = [await aDatabase(), await freePort()]
  const github = await startGitHub({ app: appAt(port) })
  const app = await appProcess(github, port, { DATABASE_URL: database.url })
  onTestFinished(async () => {
    await app.end('SIGTERM')
    await rm(app.directory, { recursive: true, force: true })
    await github.close()
    await database.remove()
  })
  return { database, github, app }
}

test.skipIf(server === '')(
  'a rejection that the database forgot stands, and its record is made anew, by a process that was there when it came',
  async () => {
    const { database, github, app } = await aSetUp()
    const rejections = async (): Promise<number> =>
      (await database.ask("select 1 from event where type = 'HumanOverride'")).length
    await app.start()
    const shop = await aShop({ github, idle: github.idle })
    const sha = await shop.push()
    const number = await shop.open()
    await until(async () => (await shop.check(sha)).startsWith('in_progress'))
    await database.away(database.backUp)
    github.comment(shop.name, number, { body: '/reject the wrong way to do it', by: 'ada' })
    await until(async () => (await shop.check(sha)).startsWith('failure'), 30_000)
    expect(await rejections()).toBe(1)
    await database.away(database.restore)
    expect(await rejections()).toBe(0)
    github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'success' })
    await until(async () => app.output().includes('the database was set back to an earlier state'), 30_000)
    await until(async () => (await rejections()) === 1, 60_000)
    await github.idle()
    expect(await shop.check(sha)).toMatch(/^failure/)
    const { slug } = github.app
    const ours = github.checksOn(shop.name, sha).runs.filter(({ app: by }) => by === slug)
    expect(ours.filter(({ conclusion }) => conclusion === 'success')).toEqual([])
  },
  180_000,
)

test.skipIf(server === '')(
  'a check that failed since then is read again before its green is shown',
  async () => {
    const { database, github, app } = await aSetUp()
    await app.start()
    const shop = await aShop({ github, idle: github.idle })
    const sha = await shop.push()
    const number = await shop.open()
    await shop.build(sha, 'success')
    await until(async () => (await shop.check(sha)).startsWith('success'), 30_000)
    await database.away(database.backUp)
    await shop.build(sha, 'failure')
    await until(async () => (await shop.check(sha)).startsWith('failure'), 30_000)
    const green = (): number =>
      github
        .checksOn(shop.name, sha)
        .runs.filter(({ app: by, conclusion }) => by === github.app.slug && conclusion === 'success').length
    const before = green()
    await database.away(database.restore)
    github.comment(shop.name, number, { body: '/status', by: 'eve' })
    const isKnown = async (): Promise<boolean> =>
      (await database.ask("select 1 from event where type = 'CheckCompleted'")).length > 1
    await until(async () => (await isKnown()) || green() > before, 60_000)
    await github.idle()
    expect(await shop.check(sha)).toMatch(/^failure/)
    expect(green()).toBe(before)
  },
  240_000,
)
