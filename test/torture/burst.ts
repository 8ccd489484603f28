// A thousand events at once: ten check runs on each of a hundred pull requests, and the process is killed in the middle.
// An event counts as kept when the App's record holds the result that it announced.
import { setTimeout as sleep } from 'node:timers/promises'
import { runningApp, type Running } from '../app/lab/running.ts'
import { aShop } from '../app/lab/shop.ts'
import { recordOf } from './outcome.ts'
import { healed, inboxOf, quiet } from './trouble.ts'

const shopsMax = 25
const pullsMax = 4
const names = Array.from({ length: 10 }, (_, index) => `check-${index}`)
const policy = `verification: { checks: [${names.map((name) => `{ name: ${name}, check_run: ${name} }`).join(', ')}] }\n`

export type Burst = { readonly events: number; readonly killed: number; readonly lost: number; readonly ms: number }
type Head = { readonly repository: string; readonly sha: string; readonly number: number }

export async function burst(): Promise<Burst> {
  const app = await runningApp()
  try {
    const heads = await aHundredPulls(app)
    const began = performance.now()
    app.github.setDeliveries({ concurrency: 64, shuffleWithin: 50, doubledPercent: 10 })
    for (const name of names) {
      for (const { repository, sha } of heads) {
        app.github.reportCheck(repository, { name, sha, conclusion: 'success' })
      }
    }
    await sleep(killAfterMs)
    await app.kill()
    await app.start()
    await healed(app)
    const ms = performance.now() - began
    const { waiting, dead } = await inboxOf(app)
    const { attempts } = await recordOf(app)
    const missing = heads.flatMap(({ repository, number }) => {
      const attempt = attempts.get(`${repository}#${number}`)
      return names.filter((name) => attempt?.checks[name]?.state !== 'passed')
    })
    return { events: heads.length * names.length, killed: 1, lost: missing.length + waiting + dead, ms }
  } finally {
    await app.stop()
  }
}

const killAfterMs = 300

/** In several organisations, because GitHub takes only so many comments a minute from one installation. */
async function aHundredPulls(app: Running): Promise<readonly Head[]> {
  const shops = await Promise.all(Array.from({ length: shopsMax }, () => aShop(app, policy)))
  const heads = shops.flatMap(({ name }) =>
    Array.from({ length: pullsMax }, (_, pull): Head => {
      const branch = `feature-${pull}`
      const sha = app.github.push(name, branch, { files: { [`src/${pull}.ts`]: 'export {}\n' }, author: 'agent' })
      return { repository: name, sha, number: app.github.openPull(name, { title: branch, head: branch, by: 'agent' }) }
    }),
  )
  await quiet(app)
  return heads
}
