// What the App answers to whoever watches it: whether it lives, and whether the gate does its work, with the reasons why not
// in a form that machines read.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { jumpingClock } from '../lab/a-clock.ts'
import { aStore, deadLetters } from '../../cli/a-store.ts'
import type { GitHub } from '../../github/github.ts'
import { aPullRequest, aQuietGitHub, environmentOf } from '../lab/quiet.ts'
import { START_MS_MAX, until } from '../lab/running.ts'
import { spawnApp } from '../lab/spawned.ts'

const TEST_MS_MAX = 2 * START_MS_MAX

let github: GitHub
beforeAll(async () => {
  github = await aQuietGitHub()
})
afterAll(() => github.close())

const DAYS_BACK = 4
async function skewOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^countersign_clock_skew_seconds (\S+)$/m.exec(text)?.[1])
}

const health = z.object({ status: z.string(), reasons: z.array(z.unknown()) })
async function healthOf(url: string): Promise<{ code: number; status: string; reasons: readonly unknown[] }> {
  const answer = await fetch(`${url}/health`)
  return { code: answer.status, ...health.parse(await answer.json()) }
}

test(
  'deliveries that were given up are named, at most ten, and it lives all the same',
  async () => {
    const letters = Array.from({ length: 12 }, (_, index) => ({
      guid: `guid-${index}`,
      key: `R1#${index}`,
      error: 'it failed',
      at: `2026-11-20T10:00:${10 + index}.000Z`,
    }))
    const { url, end } = await spawnApp({ ...environmentOf(github), DATA_DIR: await aStore(deadLetters(...letters)) })
    expect(await healthOf(url)).toEqual({
      code: 503,
      status: 'not ready',
      reasons: [
        {
          reason: 'dead',
          words: '12 deliveries were given up; see countersign inbox list',
          dead: 12,
          letters: letters.slice(0, 10).map(({ guid, key }) => ({ guid, line: key })),
        },
      ],
    })
    const live = await fetch(`${url}/health/live`)
    expect([live.status, await live.json()]).toEqual([200, { status: 'alive' }])
    expect(await end('SIGTERM')).toBe(0)
  },
  TEST_MS_MAX,
)

test(
  'a delivery that waits for more than a minute is told with its age, whatever the clock of the machine is set to, until it is done',
  async () => {
    const { body } = aPullRequest(github, 'old')
    const delivery = JSON.stringify({ event: 'pull_request', payload: JSON.parse(body) })
    const directory = await aStore(async (sql) => {
      await sql.query(`insert into inbox_line (key, last_seq, done_seq) values ('R1#1', 1, 0)`)
      await sql.query(
        `insert into delivery (key, seq, guid, body, received_at) values ('R1#1', 1, 'old', $1::json, $2)`,
        [delivery, new Date(Date.now() - 2 * 86_400_000).toISOString()],
      )
    })
    github.setDelay(3_000)
    const jumping = { NODE_OPTIONS: `--import=${jumpingClock}` }
    const { url, pid, end } = await spawnApp({ ...environmentOf(github), ...jumping, DATA_DIR: directory })
    // Signals that come together are one.
    await until(async () => {
      process.kill(pid, 'SIGUSR2')
      return (await skewOf(url)) < -DAYS_BACK * 86_400
    })
    const { code, reasons } = await healthOf(url)
    expect(code).toBe(503)
    expect(reasons).toEqual([
      {
        reason: 'inbox',
        words: expect.stringMatching(/^the oldest delivery waits for \d+ seconds$/),
        seconds: expect.any(Number),
        waiting: 1,
      },
    ])
    github.setDelay(0)
    await until(async () => (await healthOf(url)).code === 200)
    expect(await end('SIGTERM')).toBe(0)
  },
  TEST_MS_MAX,
)
