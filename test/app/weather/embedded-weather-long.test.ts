// The App on its own directory: half a store is no new one, a lost one is told by its beginning, and a disk without room
// is waited for.
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import type { GitHub } from '../../github/github.ts'
import { madeStoreIn } from '../../made-store.ts'
import { aPullRequest, aQuietGitHub, environmentOf } from '../lab/quiet.ts'
import { freePort, START_MS_MAX, until } from '../lab/running.ts'
import { hasSmallDisks, smallDisk } from '../lab/small-disk.ts'
import { beganApp, isReady, newDirectory, post, refusedApp, spawnApp, type Started } from '../lab/spawned.ts'

const TEST_MS_MAX = 3 * START_MS_MAX

let github: GitHub
let env: Readonly<Record<string, string>>
beforeAll(async () => {
  github = await aQuietGitHub()
  env = environmentOf(github)
})
afterAll(() => github.close())

const contents = (home: string): readonly string[] =>
  readdirSync(home, { recursive: true, encoding: 'utf8' }).toSorted()

describe('what is not a whole store', () => {
  test.each<[string, RegExp, (data: string) => void]>([
    ['no version', /PG_VERSION missing in \S+data\./, (data) => rmSync(join(data, 'PG_VERSION'))],
    [
      'neither base nor global',
      /base, global, global\/pg_control missing in/,
      (data) => ['base', 'global'].forEach((part) => rmSync(join(data, part), { recursive: true })),
    ],
    ['no log', /pg_wal missing in/, (data) => rmSync(join(data, 'pg_wal'), { recursive: true })],
    [
      'a control file cut short',
      /could not read file "global\/pg_control": read 100 of/,
      (data) => truncateSync(join(data, 'global/pg_control'), 100),
    ],
    [
      'a control file with a byte changed',
      /incorrect checksum in control file/,
      (data) => {
        const file = join(data, 'global/pg_control')
        const bytes = readFileSync(file)
        bytes.writeUInt8(bytes.readUInt8(60) ^ 255, 60)
        writeFileSync(file, bytes)
      },
    ],
    [
      'something else',
      /PG_VERSION, base, global, .* missing in/,
      (data) => {
        rmSync(data, { recursive: true })
        mkdirSync(data)
        writeFileSync(join(data, 'a letter'), '')
      },
    ],
  ])(
    'but has %s is refused in words, and nothing of it is touched',
    async (_, words, damage) => {
      const home = madeStoreIn(newDirectory())
      damage(join(home, 'data'))
      const before = contents(home)
      const { code, output } = await refusedApp({ ...env, DATA_DIR: home })
      expect(output).toMatch(words)
      expect(output).toContain(`countersign: The store in ${home} `)
      expect(output).toContain(
        `Nothing was deleted. Restore ${home} from a backup; or move it away, which begins a new store`,
      )
      expect(output).not.toContain('    at ')
      expect(code).toBe(1)
      // The database notes down that somebody started it.
      expect(contents(home).filter((path) => path !== 'data/postmaster.pid')).toEqual(before)
    },
    START_MS_MAX,
  )

  test('but the inside of one is refused', async () => {
    const home = join(madeStoreIn(newDirectory()), 'data')
    const { output } = await refusedApp({ ...env, DATA_DIR: home })
    expect(output).toBe(
      `countersign: ${home} is the inside of a database, not the directory of a store. Set DATA_DIR to the directory that it lies in.\n`,
    )
  })

  test.skipIf(process.getuid?.() !== 0)('or may not be written in, is refused in words', async () => {
    const home = madeStoreIn(newDirectory())
    const started = beganApp({ ...env, DATA_DIR: home }, '/', { uid: 65_534 })
    await until(async () => started.code() !== null, START_MS_MAX)
    expect(started.output()).toMatch(/^countersign: The store cannot use \S+ as its directory \(E(ACCES|PERM)[^\n]+\n$/)
  })
})

const marked = z.object({ store: z.object({ id: z.uuid(), since: z.iso.datetime() }) })

test(
  'a store says by which id and since when it is known, and whether it is new',
  async () => {
    const home = join(newDirectory(), 'not there yet')
    const first = await spawnApp({ ...env, DATA_DIR: home })
    const { store } = marked.parse(await (await fetch(`${first.url}/health`)).json())
    expect(first.output()).toMatch(new RegExp(`"store":"${store.id}","msg":"the store is new"`))
    await first.end('SIGTERM')
    const second = await spawnApp({ ...env, DATA_DIR: home })
    expect(marked.parse(await (await fetch(`${second.url}/health`)).json())).toEqual({ store })
    expect(second.output()).toContain(`"store":"${store.id}","msg":"the store continues since ${store.since}"`)
    await second.end('SIGTERM')
    rmSync(join(home, 'data'), { recursive: true })
    mkdirSync(join(home, 'data'))
    mkdirSync(join(home, 'data.unfinished'))
    const third = await spawnApp({ ...env, DATA_DIR: home })
    expect(third.output()).toContain('"msg":"the store is new"')
    expect(marked.parse(await (await fetch(`${third.url}/health`)).json()).store.id).not.toBe(store.id)
    await third.end('SIGTERM')
  },
  TEST_MS_MAX,
)

describe.skipIf(!hasSmallDisks)('a disk without room', () => {
  test(
    'is waited for in words: webhooks are turned away, the process computes nothing, and goes on by itself',
    async () => {
      const disk = smallDisk(200)
      onTestFinished(disk.remove)
      const app = await spawnApp({ ...env, DATA_DIR: madeStoreIn(disk.path) })
      const { body } = aPullRequest(github, 'full')
      const bring = async (guid: string): Promise<number> =>
        (await post(app.url, body, github.app.webhookSecret, { 'x-github-delivery': guid })).status
      const taken: string[] = []
      disk.fill()
      await until(async () => {
        const guid = randomUUID()
        const status = await bring(guid)
        if (status === 202) taken.push(guid)
        return status === 503
      })
      const health = await fetch(`${app.url}/health`)
      expect(health.status).toBe(503)
      expect(await health.json()).toMatchObject({
        reasons: [{ reason: 'database', why: expect.stringContaining('No space left') }],
      })
      expect((await fetch(`${app.url}/health/live`)).status).toBe(200)
      await until(async () => app.output().includes('the database does not answer'))
      const before = cpuSeconds(app.pid)
      await new Promise((done) => setTimeout(done, 4_000))
      expect(cpuSeconds(app.pid) - before).toBeLessThan(2)
      disk.clear()
      await until(() => isReady(app))
      await until(async () => (await bring(randomUUID())) === 202)
      for (const guid of taken) expect(await bring(guid)).toBe(202)
      disk.fill()
      expect(await app.end('SIGTERM')).toBe(0)
    },
    TEST_MS_MAX,
  )

  test(
    'at the start is waited for as well, and a stop is a stop all the same',
    async () => {
      const disk = smallDisk(200)
      onTestFinished(disk.remove)
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const begin = (): Started =>
        beganApp({ ...env, DATA_DIR: aStoreOnce(disk.path), PORT: String(port) }, newDirectory())
      const waits = (app: Started) =>
        until(
          async () => /it is waited for/.test(app.output()) && /there is no room for the store/.test(app.output()),
          START_MS_MAX,
        )
      aStoreOnce(disk.path)
      disk.fill()
      const first = begin()
      await waits(first)
      expect((await fetch(`${url}/health`)).status).toBe(503)
      expect(await first.end('SIGTERM')).toBe(0)
      const second = begin()
      await waits(second)
      disk.clear()
      await until(() => isReady({ url }), START_MS_MAX)
      expect(await second.end('SIGTERM')).toBe(0)
    },
    TEST_MS_MAX,
  )
})

const aStoreOnce = (home: string): string => (readdirSync(home).includes('data') ? home : madeStoreIn(home))

/** Fields 14 and 15 of proc_pid_stat(5), in hundredths of a second. */
function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
