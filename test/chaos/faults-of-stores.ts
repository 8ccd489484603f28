// What happens to what an App keeps its record in: it is lost, old, half there, unreadable, locked, or its disk is full.
import { randomUUID } from 'node:crypto'
import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { openPglite } from '../../src/adapters/store/embedded/embedded.ts'
import { hasSmallDisks } from '../app/lab/small-disk.ts'
import { both, type Fault, type Scenery } from './fault.ts'

/** While the App is away. */
async function asked({ database, home }: Scenery, statement: string, values: readonly unknown[]) {
  if (database !== null) return database.ask(statement, values)
  const { sql } = await openPglite(home)
  try {
    return await sql.query(statement, values)
  } finally {
    await sql.close()
  }
}

const repository = z.object({ id: z.number() })

/** The App is told to start and cannot: it says why, and ends. */
async function refuses({ processes }: Scenery): Promise<void> {
  const [one] = processes
  const refused = await one?.start().then(
    () => false,
    () => true,
  )
  if (refused !== true) throw new Error('The App began although it must not')
}

/** By when a store that was replaced is noticed where nothing happens, and what was said is read again. */
const noticedMs = 15_000
const isGone = /The store in \S+ is gone\. Bring it back/

export const faultsOfStores: readonly Fault[] = [
  {
    name: 'store-lost',
    about: 'the store is gone, and the App begins with an empty one',
    stores: both,
    expected: 'same',
    forgets: true,
    begin: async ({ kill, start, home, database }) => {
      await kill()
      if (database === null) rmSync(home, { recursive: true })
      else await database.empty()
      await start()
      return async () => undefined
    },
  },
  {
    name: 'store-removed',
    about: 'the directory of the store is removed under the running App, until somebody starts it again',
    stores: ['embedded'],
    expected: 'waited',
    words: isGone,
    forgets: true,
    begin: async ({ kill, start, home }) => {
      rmSync(home, { recursive: true })
      return async () => {
        await kill()
        await start()
      }
    },
  },
  {
    name: 'store-moved',
    about: 'the directory of the store is moved away under the running App, until somebody moves it back',
    stores: ['embedded'],
    expected: 'waited',
    words: isGone,
    begin: async ({ home }) => {
      renameSync(home, `${home}-elsewhere`)
      return async () => renameSync(`${home}-elsewhere`, home)
    },
  },
  {
    name: 'store-restored',
    about: 'the store is brought back from before people spoke',
    stores: both,
    expected: 'same',
    begin: async ({ kill, start, home, database }) => {
      await kill()
      if (database === null) cpSync(home, `${home}-backup`, { recursive: true })
      else await database.backUp()
      await start()
      return async () => {
        await kill()
        if (database === null) {
          rmSync(home, { recursive: true })
          renameSync(`${home}-backup`, home)
        } else await database.restore()
        await start()
      }
    },
  },
  {
    name: 'store-set-back',
    about: 'a backup from before people spoke takes the place of the store under the running App',
    stores: ['embedded'],
    expected: 'same',
    begin: async ({ kill, start, home }) => {
      await kill()
      cpSync(home, `${home}-backup`, { recursive: true })
      await start()
      return async () => {
        renameSync(join(home, 'data'), `${home}-before`)
        renameSync(join(`${home}-backup`, 'data'), join(home, 'data'))
        await sleep(noticedMs)
      }
    },
  },
  {
    name: 'store-half',
    about: 'half of the store is gone until somebody brings it back',
    stores: ['embedded'],
    expected: 'refused',
    words: /PG_VERSION missing in .*Nothing was deleted\. Restore/,
    begin: async (scenery) => {
      const part = join(scenery.home, 'data', 'PG_VERSION')
      await scenery.kill()
      renameSync(part, `${scenery.home}-version`)
      await refuses(scenery)
      return async () => {
        renameSync(`${scenery.home}-version`, part)
        await scenery.github.idle()
        await scenery.start()
      }
    },
  },
  {
    name: 'store-locked',
    about: 'the store is locked by another host until somebody removes the lock',
    stores: ['embedded'],
    expected: 'refused',
    words: /no longer runs on elsewhere, delete /,
    begin: async (scenery) => {
      const lock = join(scenery.home, 'lock')
      await scenery.kill()
      const holder = { token: randomUUID(), pid: 7, host: 'elsewhere', started: '1', since: new Date().toISOString() }
      rmSync(lock, { force: true })
      writeFileSync(lock, JSON.stringify(holder))
      await refuses(scenery)
      return async () => {
        rmSync(lock)
        await scenery.github.idle()
        await scenery.start()
      }
    },
  },
  {
    name: 'stream-unreadable',
    about: 'one record is of a newer version until that version is back',
    stores: both,
    expected: 'same',
    begin: async (scenery) => {
      const { stage, kill, start, roll } = scenery
      const row = stage.pulls[0] ?? []
      const pull = row[roll.below(row.length)]
      if (pull === undefined) throw new Error('There is no pull request')
      const stream = `R${repository.parse(await pull.shop.read('')).id}#${pull.number}`
      const newer = async (by: number): Promise<void> => {
        await kill()
        const schema = `to_jsonb((body->>'schema')::int + $2::int)`
        const statement = `update event set body = jsonb_set(body::jsonb, '{schema}', ${schema})::json where stream = $1`
        await asked(scenery, statement, [stream, by])
        await start()
      }
      await newer(1_000)
      return () => newer(-1_000)
    },
  },
  {
    name: 'disk-full',
    about: 'the disk of the store is full',
    stores: ['embedded'],
    expected: 'waited',
    words: /the database does not answer; what arrives is turned away until it does/,
    needs: () => hasSmallDisks,
    onSmallDisk: true,
    begin: async ({ disk }) => {
      disk?.fill()
      return async () => disk?.clear()
    },
  },
]
