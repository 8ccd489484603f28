// The databases that an inbox can live in, and the two queues of pg-boss beside its tables: wakes for lines that have
// something waiting, and slow asks. Only this file knows how pg-boss is set up.
import { type ConstructorOptions, PgBoss, type QueueOptions, fromPglite } from 'pg-boss'

export type Row = Readonly<Record<string, unknown>>
export type Query = (statement: string, values?: readonly unknown[]) => Promise<readonly Row[]>

/** A database in which the tables of the inbox were made already. */
export interface Sql {
  readonly query: Query
  transaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result>
}

export type InboxDatabase = {
  readonly sql: Sql
  /** Resolves when everything that was committed before the call survives a loss of power. */
  readonly flush: () => Promise<void>
  readonly boss: ConstructorOptions
  /** How many groups may be committed at once. */
  readonly lanes: number
  /** Nobody else works on this database: what is active at the start was left by a crash. */
  readonly alone: boolean
  /** Makes the room of deleted rows usable again, where nobody else does. */
  readonly tidy: () => Promise<void>
  /** Whether something failed because the database cannot do its work for now. */
  readonly isAway: (error: unknown) => boolean
}

type Pglite = Pick<InboxDatabase, 'sql' | 'flush' | 'isAway'> & { readonly db: Parameters<typeof fromPglite>[0] }

export const inPglite = ({ db, sql, flush, isAway }: Pglite): InboxDatabase => ({
  sql,
  flush,
  isAway,
  boss: { db: fromPglite(db), backend: 'pglite', reindex: false, monitorVacuum: false },
  lanes: 1,
  alone: true,
  tidy: async () => void (await sql.query('vacuum (analyze) inbox_line, delivery, set_aside, pgboss.job')),
})

/** How soon the work of a process that died is found, after its claims have run out. */
const superviseSeconds = 2

type Executor = Pick<NonNullable<ConstructorOptions['db']>, 'executeSql'>

/** pg-boss has connections of its own: it may ask while all others are held by transactions that wait for it. */
export const inPostgres = (
  sql: Sql,
  { executeSql, isAway }: Executor & Pick<InboxDatabase, 'isAway'>,
): InboxDatabase => ({
  sql,
  isAway,
  flush: async () => {},
  boss: {
    db: { executeSql },
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
  },
  lanes: 2,
  alone: false,
  tidy: async () => {},
})

const hour = 3_600
const queueOptions = {
  /** The shortest that pg-boss takes. */
  heartbeatSeconds: 10,
  /** The heartbeat tells the dead from the slow; this only has to be longer than anything slow. */
  expireInSeconds: 12 * hour,
  deleteAfterSeconds: hour,
} as const satisfies QueueOptions

export type RetryOptions = {
  /** How often a delivery is tried before it is given up. */
  readonly triesMax: number
  /** The wait after the first failure, which doubles with each further one; 0 to try again at once. */
  readonly retryDelaySeconds: number
}

/** `begin`: what more it takes until they can be used. */
export async function openQueues<Opened>(
  database: InboxDatabase,
  names: readonly string[],
  retry: RetryOptions,
  onError: (error: Error) => void,
  begin: (boss: PgBoss) => Promise<Opened>,
): Promise<Opened> {
  const boss = new PgBoss({
    ...database.boss,
    schedule: false,
    maintenanceIntervalSeconds: 60,
    flowIntervalSeconds: hour,
  })
  boss.on('error', onError)
  try {
    await boss.start()
    const options = { ...queueOptions, ...retries(retry) }
    for (const name of names) {
      await boss.createQueue(name, { policy: 'exclusive', ...options })
      await boss.updateQueue(name, options)
      // Inside a transaction the first use of a queue would look it up outside, and on PGlite wait for itself for ever.
      await boss.insert(name, [])
    }
    return await begin(boss)
  } catch (error) {
    // Half begun it has timers already, and whoever tries again begins another one.
    await boss.stop({ graceful: false })
    throw error
  }
}

const backoffSecondsMax = 60

// One more than we count ourselves: a wake that comes back that often died in its last try instead of failing in it.
const retries = ({ triesMax, retryDelaySeconds }: RetryOptions): QueueOptions => ({
  retryLimit: triesMax + 1,
  retryDelay: retryDelaySeconds,
  ...(retryDelaySeconds > 0 ? { retryBackoff: true, retryDelayMax: backoffSecondsMax } : { retryBackoff: false }),
})

/** Lets pg-boss work inside a transaction of ours. */
export const inside = (query: Query): { db: NonNullable<ConstructorOptions['db']> } => ({
  db: { executeSql: async (text, values) => ({ rows: [...(await query(text, values))] }) },
})

/** What is active before anybody works was left by a process that died; that counts as a try. */
export async function failAbandoned(boss: PgBoss, queue: string): Promise<void> {
  const abandoned = (await boss.findJobs(queue)).filter(({ state }) => state === 'active').map(({ id }) => id)
  if (abandoned.length > 0) await boss.fail(queue, abandoned, { message: 'The process ended.' })
}
