// Where a fault is played: GitHub, the App as one process or as two, and what it keeps its record in. What lies between the
// App and its database can be cut.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openEmbedded } from '../../src/adapters/store/embedded/embedded.ts'
import { openPostgres } from '../../src/adapters/store/postgres/postgres.ts'
import type { Store } from '../../src/ports.ts'
import { aDatabase, type ADatabase } from '../app/lab/a-database.ts'
import { jumpingClock, unoptimised } from '../app/lab/a-clock.ts'
import { balanced } from '../app/lab/balanced.ts'
import { appAt, appProcess, freePort, until, type AppProcess } from '../app/lab/running.ts'
import { smallDisk, type SmallDisk } from '../app/lab/small-disk.ts'
import { madeStoreIn } from '../made-store.ts'
import type { GitHub } from '../github/github.ts'
import { watchedGitHub } from '../openapi/watched.ts'

export const storeKinds = ['embedded', 'postgres'] as const
export type StoreKind = (typeof storeKinds)[number]

export type Ground = {
  readonly github: GitHub
  readonly store: StoreKind
  /** Null where the store is embedded. */
  readonly database: ADatabase | null
  readonly processes: readonly AppProcess[]
  /** Where it lies on one. */
  readonly disk: SmallDisk | null
  /** Where the first process has its embedded store. */
  readonly home: string
  readonly start: () => Promise<void>
  readonly kill: () => Promise<void>
  /** What is told to whoever asks for their health. */
  readonly health: () => Promise<string>
  readonly idle: () => Promise<void>
  /** The record, once nobody works on it any more. */
  readonly record: () => Promise<Store>
  readonly leave: () => Promise<void>
}
export type Wishes = {
  readonly store: StoreKind
  readonly processes: number
  readonly seed: number
  /** GitHub's; its own time where left out. */
  readonly clock?: { readonly now: () => string }
  readonly env?: Readonly<Record<string, string>>
  readonly onSmallDisk?: boolean
}

const IDLE_MS_MAX = 120_000
const DISK_MEGABYTES = 200
/** Who looks at the pages asks often as well. */
const PLENTY = 1_000_000

export async function aGround({
  store,
  processes: count,
  seed,
  clock,
  env = {},
  onSmallDisk = false,
}: Wishes): Promise<Ground> {
  const database = store === 'postgres' ? await aDatabase() : null
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const balancer = count > 1 ? await balanced(ports) : null
  const github = await watchedGitHub({
    seed,
    ...(clock !== undefined && { clock }),
    limits: { primaryPerHour: PLENTY },
    app: appAt(balancer?.port ?? ports[0] ?? 0),
  })
  const disk = onSmallDisk ? smallDisk(DISK_MEGABYTES) : null
  const place = disk === null ? {} : { DATA_DIR: madeStoreIn(disk.path) }
  const all = {
    DATABASE_URL: database?.url ?? '',
    NODE_OPTIONS: [jumpingClock, unoptimised].map((one) => `--import=${one}`).join(' '),
    LOG_LEVEL: 'info',
    ...place,
    ...env,
  }
  const processes: AppProcess[] = []
  for (const port of ports) processes.push(await appProcess(github, port, all))
  const home = place.DATA_DIR ?? join(processes[0]?.directory ?? '', 'data')
  const start = async (): Promise<void> => void (await Promise.all(processes.map((one) => one.start())))
  const kill = async (): Promise<void> => void (await Promise.all(processes.map((one) => one.end('SIGKILL'))))
  await processes[0]?.start()
  await Promise.all(processes.slice(1).map((one) => one.start()))
  return {
    github,
    store,
    database,
    processes,
    disk,
    home,
    start,
    kill,
    health: async () => (await Promise.all(processes.map(({ url }) => textAt(`${url}/health`)))).join('\n'),
    idle: async () => {
      let quiet = 0
      await until(async () => {
        await github.idle()
        const alive = processes.filter(({ pid }) => pid() !== null)
        const told = await Promise.all(alive.map(({ url }) => textAt(`${url}/health`)))
        const isQuiet = told.every((text) => /"waiting":0,/.test(text) && /"active":0\b/.test(text))
        quiet = isQuiet ? quiet + 1 : 0
        return quiet >= 2
      }, IDLE_MS_MAX)
    },
    record: async () => {
      await kill()
      return database === null ? openEmbedded(home) : openPostgres(database.url)
    },
    leave: async () => {
      // Whoever stands still does not end either.
      for (const one of processes) wake(one)
      await kill()
      balancer?.close()
      disk?.remove()
      for (const { directory } of processes) await rm(directory, { recursive: true, force: true })
      await database?.remove()
      await github.close()
    },
  }
}

function wake(one: AppProcess): void {
  const pid = one.pid()
  if (pid !== null) process.kill(pid, 'SIGCONT')
}

/** Empty where nobody answers soon. */
async function textAt(url: string): Promise<string> {
  try {
    return await (await fetch(url, { signal: AbortSignal.timeout(2_000) })).text()
  } catch {
    return ''
  }
}
