// Two processes on one Postgres: GitHub tells one of them that we are let in again, and the other one looks at everything.
import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startGitHub } from '../../github/github.ts'
import { newPostgres } from '../../inbox/opened.ts'
import { appAt, appProcess, freePort, until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

const server = process.env['DATABASE_URL'] ?? ''

test.skipIf(server === '')(
  'what was said while an organisation had suspended us is heard soon, whichever process is told that this is over',
  async () => {
    const { place, remove } = await newPostgres(server)
    const [leading, told] = [await freePort(), await freePort()]
    const github = await startGitHub({ app: appAt(told) })
    const processes = await Promise.all(
      [leading, told].map((port) => appProcess(github, port, { DATABASE_URL: place })),
    )
    onTestFinished(async () => {
      for (const { end, directory } of processes) {
        await end('SIGTERM')
        await rm(directory, { recursive: true, force: true })
      }
      await github.close()
      await remove()
    })
    const listings = (): number => github.requestLog().filter(({ path }) => path === '/app/installations').length
    await processes[0]?.start()
    await until(async () => listings() === 1)
    await processes[1]?.start()
    const shop = await aShop({ github, idle: github.idle })
    const sha = await shop.push()
    const number = await shop.open()
    github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'failure' })
    await until(async () => (await shop.check(sha)).startsWith('failure'))
    await github.idle()
    github.suspendInstallation(shop.installation, 'cleo')
    github.comment(shop.name, number, { body: '/override the runner lost its network', by: 'ada' })
    github.suspendInstallation(shop.installation, null)
    await until(async () => (await shop.check(sha)).startsWith('success'), 60_000)
    expect(await shop.check(sha)).toMatch(/^success/)
  },
  150_000,
)
