// Several processes of the App on one Postgres: what one of them heard the other may do, and nothing is done twice.
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openPool } from '../../../src/adapters/store/postgres/postgres.ts'
import { startGitHub, type GitHub } from '../../github/github.ts'
import { balanced, type Balancer } from '../lab/balanced.ts'
import { appAt, appProcess, freePort, until, type AppProcess } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

const server = process.env['DATABASE_URL'] ?? ''
const name = `countersign_${randomUUID().replaceAll('-', '')}`

let github: GitHub
let processes: AppProcess[] = []
let balancer: Balancer | null = null
beforeAll(async () => {
  if (server === '') return
  await administer(`create database ${name}`)
  const ports = [await freePort(), await freePort()]
  balancer = await balanced(ports)
  github = await startGitHub({ app: appAt(balancer.port), delayMs: 20 })
  const url = new URL(server)
  url.pathname = `/${name}`
  processes = await Promise.all(ports.map((port) => appProcess(github, port, { DATABASE_URL: url.href })))
  for (const one of processes) await one.start()
}, 60_000)
afterAll(async () => {
  if (server === '') return
  for (const { end, directory } of processes) {
    await end('SIGTERM')
    await rm(directory, { recursive: true, force: true })
  }
  await github.close()
  balancer?.close()
  await administer(`drop database ${name} with (force)`)
}, 30_000)

async function administer(statement: string): Promise<void> {
  const sql = openPool(server)
  await sql.query(statement)
  await sql.close()
}

const health = z.object({ inbox: z.object({ waiting: z.number(), active: z.number() }) })

async function idle(): Promise<void> {
  let quiet = 0
  await until(async () => {
    await github.idle()
    const statuses = await Promise.all(processes.map(async ({ url }) => (await fetch(`${url}/health`)).json()))
    const busy = statuses.some((status) => {
      const { inbox } = health.parse(status)
      return inbox.waiting + inbox.active > 0
    })
    quiet = busy ? 0 : quiet + 1
    return quiet >= 3
  })
}

test.skipIf(server === '')(
  'pull requests of one task, told to two processes at once, are shown once each',
  async () => {
    const shop = await aShop({ github, idle })
    const issue = github.openIssue(shop.name, { title: 'Prices are wrong', body: 'Fix them.', by: 'cleo' })
    github.setDeliveries({ concurrency: 8, doubledPercent: 30, shuffleWithin: 3 })
    const pulls = ['one', 'two', 'three', 'four'].map((head) => {
      const sha = github.push(shop.name, head, { files: { [`src/${head}.ts`]: `${head}\n` }, author: 'agent' })
      const body = `Closes #${issue}`
      return { sha, number: github.openPull(shop.name, { title: head, head, body, by: 'agent' }) }
    })
    for (const { sha } of pulls) github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'failure' })
    for (const { sha } of pulls) github.reportCheck(shop.name, { name: 'build', sha, conclusion: 'success' })
    await idle()
    github.setDeliveries({ concurrency: 1, doubledPercent: 0, shuffleWithin: 1 })
    for (const { sha, number } of pulls) {
      expect(await shop.check(sha)).toMatch(/^success/)
      // Whether the failure was seen before it was over is chance.
      expect((await shop.comments(number)).length).toBeLessThanOrEqual(1)
      expect(await shop.labels(number)).toEqual(['countersign:success'])
    }
  },
  60_000,
)

/** Whoever lists all installations looks at everything. */
const listings = (): number => github.requestLog().filter(({ path }) => path === '/app/installations').length

test.skipIf(server === '')(
  'one process looks at everything, and when it dies another one does, and finds what nobody told of',
  async () => {
    const [one, other] = processes
    if (one === undefined || other === undefined) throw new Error('there are two')
    const shop = await aShop({ github, idle })
    for (const { end } of processes) await end('SIGTERM')
    const before = listings()
    await one.start()
    await until(async () => listings() === before + 1)
    await other.start()
    await idle()
    expect(listings()).toBe(before + 1)
    github.setDeliveries({ lostPercent: 100 })
    github.addFault({ path: '/app/hook/deliveries', trouble: { kind: 'answer', status: 500 } })
    const sha = github.push(shop.name, 'missed', { files: { 'src/missed.ts': 'one\n' }, author: 'agent' })
    github.openPull(shop.name, { title: 'Missed', head: 'missed', by: 'agent' })
    await one.end('SIGKILL')
    await until(async () => (await shop.check(sha)).includes('in_progress'))
    expect(listings()).toBe(before + 2)
    github.setDeliveries({ lostPercent: 0 })
    github.clearFaults()
    await one.start()
  },
  120_000,
)
