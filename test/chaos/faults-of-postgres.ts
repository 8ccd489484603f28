// What happens to a database server, and on the way to it: connections end, nothing comes back, there are no more of them,
// it takes no writes, or is not up when the App begins.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ADatabase } from '../app/lab/a-database.ts'
import { setOtherwise } from '../store/opened.ts'
import type { Fault, Scenery } from './fault.ts'

const waits = /the database does not answer; what arrives is turned away until it does/

const databaseOf = ({ database }: Scenery): ADatabase => {
  if (database === null) throw new Error('This needs a database server')
  return database
}

/** By these statements; who is connected is cut off, since a connection goes by what held when it began. */
const changed =
  (worse: string, better: string) =>
  async (scenery: Scenery): Promise<() => Promise<void>> => {
    const database = databaseOf(scenery)
    await database.ask(worse)
    await database.cut()
    return async () => void (await database.ask(better))
  }

const network =
  (what: 'shut' | 'swallow') =>
  async (scenery: Scenery): Promise<() => Promise<void>> => {
    databaseOf(scenery).network[what]()
    return () => databaseOf(scenery).network.open()
  }

/** As long as it lasts, with a pause behind each time. */
const againAndAgain =
  (act: (database: ADatabase) => Promise<unknown>, pauseMs: (roll: Scenery['roll']) => number) =>
  async (scenery: Scenery): Promise<() => Promise<void>> => {
    const until = performance.now() + scenery.lastMs
    const acts = (async () => {
      for (; performance.now() < until; await sleep(pauseMs(scenery.roll))) await act(databaseOf(scenery))
    })()
    return () => acts
  }

const lock = (table: string): string => `lock table ${table} in exclusive mode; perform pg_sleep(0.1);`
/** In another order than the App, and whoever does this gives way last. */
const crosswise = `do $$ begin set local deadlock_timeout = '1min'; ${lock('delivery')} ${lock('inbox_line')} end $$`

/** Nobody is told: the address is the same, and for a moment nobody answers there. */
async function failingOver(scenery: Scenery): Promise<() => Promise<void>> {
  const { away, backUp, restore } = databaseOf(scenery)
  await away(backUp)
  return () => away(restore)
}

const retuned = (text: (setting: string, value: string) => string): string =>
  Object.entries(setOtherwise)
    .map(([setting, value]) => `alter database {name} ${text(setting, value)}`)
    .join('; ')

const postgres: Pick<Fault, 'stores' | 'expected' | 'words'> = {
  stores: ['postgres'],
  expected: 'waited',
  words: waits,
}

export const faultsOfPostgres: readonly Fault[] = [
  {
    name: 'backends-killed',
    about: 'the server ends every connection, again and again',
    stores: ['postgres'],
    expected: 'same',
    begin: againAndAgain(
      ({ cut }) => cut(),
      (roll) => 200 + roll.below(800),
    ),
  },
  {
    ...postgres,
    name: 'database-silent',
    about: 'the database takes what it is given and says nothing',
    begin: network('swallow'),
  },
  { ...postgres, name: 'database-shut', about: 'the database refuses every connection', begin: network('shut') },
  {
    ...postgres,
    name: 'database-late',
    about: 'the App begins before its database',
    words: /the database does not answer yet; it is waited for/,
    begin: async (scenery) => {
      await scenery.kill()
      databaseOf(scenery).network.shut()
      const started = scenery.start()
      started.catch(() => {})
      return async () => {
        await databaseOf(scenery).network.open()
        await started
      }
    },
  },
  {
    ...postgres,
    name: 'connections-spent',
    about: 'the database has no connection left',
    begin: changed('alter role {role} connection limit 0', 'alter role {role} connection limit -1'),
  },
  {
    ...postgres,
    name: 'login-lost',
    about: 'the account may not connect any more',
    begin: changed('alter role {role} nologin', 'alter role {role} login'),
  },
  {
    ...postgres,
    name: 'rights-lost',
    about: 'the account may not write into the inbox any more',
    begin: changed(
      'revoke insert, update, delete on delivery, inbox_line from {role}',
      'grant insert, update, delete on delivery, inbox_line to {role}',
    ),
  },
  {
    name: 'database-retuned',
    about: 'somebody sets the database to other ways of reading, locking and isolating than it came with',
    stores: ['postgres'],
    expected: 'same',
    begin: changed(
      retuned((setting, value) => `set ${setting} = '${value}'`),
      retuned((setting) => `reset ${setting}`),
    ),
  },
  {
    name: 'failover-behind',
    about: 'another server takes over under the running App, and knows nothing of what came in after some moment',
    stores: ['postgres'],
    expected: 'same',
    readAnew: true,
    begin: failingOver,
  },
  {
    name: 'two-failover-behind',
    about: 'the same, under two processes',
    stores: ['postgres'],
    expected: 'same',
    processes: 2,
    readAnew: true,
    begin: failingOver,
  },
  {
    name: 'database-remade',
    about: 'somebody makes the database anew, with nothing in it, under the running App',
    stores: ['postgres'],
    expected: 'same',
    forgets: true,
    begin: async (scenery) => {
      await databaseOf(scenery).empty()
      return async () => undefined
    },
  },
  {
    name: 'tables-locked',
    about: 'somebody locks the tables of the inbox and of the record',
    stores: ['postgres'],
    expected: 'same',
    begin: async (scenery) => {
      const seconds = scenery.lastMs / 1_000
      const lock = `do $$ begin lock table delivery, inbox_line, event; perform pg_sleep(${seconds}); end $$`
      const locked = databaseOf(scenery).ask(lock)
      return async () => void (await locked)
    },
  },
  {
    name: 'deadlocks',
    about: 'somebody locks the tables in another order than the App, again and again, and never gives way',
    stores: ['postgres'],
    expected: 'same',
    begin: againAndAgain(
      ({ ask }) => ask(crosswise),
      (roll) => roll.below(200),
    ),
  },
  {
    ...postgres,
    name: 'read-only',
    about: 'the database takes no writes',
    begin: changed(
      'alter database {name} set default_transaction_read_only = on',
      'alter database {name} reset default_transaction_read_only',
    ),
  },
]
