// `npm run chaos`: one story of several pull requests, played on a calm day and then under each of the faults that an App
// has to live with, on the embedded store and, where DATABASE_URL names a server, on Postgres. What it does meanwhile is told
// on stderr.
import { setup } from '../made-store.ts'
import type { Fault } from './fault.ts'
import { faultsOfEndpoints } from './faults-of-endpoints.ts'
import { faultsOfGitHub } from './faults-of-github.ts'
import { faultsOfPostgres } from './faults-of-postgres.ts'
import { faultsOfProcesses } from './faults-of-processes.ts'
import { faultsOfStores } from './faults-of-stores.ts'
import { storeKinds, type StoreKind } from './ground.ts'
import { playCalmly, playUnder, type Played, type Row } from './play.ts'
import { asked } from '../options.ts'

const CASE_MS_MAX = 30 * 60_000
const SHOWN_MAX = 12

const about = `lost: what people said that is not on record. wrong: greens that an honest reading does not allow, whatever is shown or decided
otherwise than on a calm day, and words that were not to be read. Ends with 1 where either is not 0, with 2 for wrong options.`
const { is, text, whole, pattern, refused } = asked('chaos', about, {
  json: { about: 'print one JSON object: { seed, rows: [{ fault, store, outcome, seconds, lost, wrong }], totals }' },
  only: { takes: 'pattern', about: 'only faults whose name fits this regular expression' },
  store: {
    takes: 'kind',
    about: `only ${storeKinds.join(' or ')}; Postgres is played where DATABASE_URL names a server of your own`,
  },
  seed: {
    takes: 'number',
    about: 'another story and other moments; the same number gives the same ones',
    default: '1',
  },
  seconds: { takes: 'number', about: 'how long a fault lasts, at least', default: '8' },
  patience: { takes: 'number', about: 'how many seconds are waited for what must come true behind it', default: '420' },
  lanes: { takes: 'number', about: 'how many are played at once', default: '2' },
  endpoints: { about: 'instead, what GitHub does to one kind of endpoint, everything else being well' },
  list: { about: 'name the faults and end' },
})
const wishes = {
  seed: whole('seed'),
  lastMs: whole('seconds', 1) * 1_000,
  waitMsMax: whole('patience', 1) * 1_000,
}
const [only, lanes] = [pattern('only'), whole('lanes', 1)]
const chosen = text('store')
if (chosen !== '' && !storeKinds.some((kind) => kind === chosen))
  refused(`--store takes ${storeKinds.join(' or ')}, not ${JSON.stringify(chosen)}`)

type Case = { readonly fault: Fault; readonly store: StoreKind }

const usual: readonly Fault[] = [...faultsOfGitHub, ...faultsOfProcesses, ...faultsOfStores, ...faultsOfPostgres]
const fitting = (is('endpoints') ? faultsOfEndpoints : usual).filter(({ name }) => only.test(name))
if (fitting.length === 0) refused('no fault fits; --list names them')
if (is('list')) {
  for (const { name, about, stores } of fitting) console.log(`${name.padEnd(20)} ${about} (${stores.join(', ')})`)
  process.exit(0)
}
// Only a process that ends by itself takes its Apps along.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const hasServer = (process.env['DATABASE_URL'] ?? '') !== ''
if (!hasServer && chosen === 'postgres') refused('DATABASE_URL names no server')
if (!hasServer && chosen === '') console.error('Not played, since DATABASE_URL is not set: everything on Postgres.')

const cases = fitting.flatMap((fault) =>
  fault.stores
    .filter((store) => (chosen === '' || store === chosen) && (hasServer || store !== 'postgres'))
    .filter((store) => {
      const isPlayable = fault.needs?.() ?? true
      if (!isPlayable) console.error(`Not played, since this machine cannot: ${fault.name} on ${store}.`)
      return isPlayable
    })
    .map((store): Case => ({ fault, store })),
)
if (cases.length === 0) refused('none of these can be played here')

const remove = await setup()
const rows: Played[] = []
let code = 1
try {
  console.error(`The calm day of seed ${wishes.seed}.`)
  const calm = await playCalmly(wishes)
  if (calm.lost.length > 0) throw new Error(`On a calm day this was not heard: ${calm.lost.join(', ')}`)
  const waiting = [...cases]
  const lane = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const row = await played(one, calm)
      rows.push(row)
      console.error(lineOf(row))
      for (const why of row.why.slice(0, SHOWN_MAX)) console.error(`    ${why}`)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  const totals = {
    faults: new Set(rows.map(({ fault }) => fault)).size,
    rows: rows.length,
    lost: sum(({ lost }) => lost),
    wrong: sum(({ wrong }) => wrong),
  }
  const inOrder = cases.flatMap(({ fault, store }) =>
    rows.filter((row) => row.fault === fault.name && row.store === store),
  )
  const shown = inOrder.map(({ fault, store, outcome, seconds, lost, wrong }): Row => ({
    fault,
    store,
    outcome,
    seconds,
    lost,
    wrong,
  }))
  if (is('json')) console.log(JSON.stringify({ seed: wishes.seed, rows: shown, totals }, null, 2))
  else {
    for (const row of shown) console.log(lineOf(row))
    console.log(`${totals.rows} rows, ${totals.lost} lost, ${totals.wrong} wrong`)
  }
  code = totals.lost + totals.wrong > 0 ? 1 : 0
  if (code === 1)
    console.error(`Play one again: npm run chaos -- --seed ${wishes.seed} --only '^name$' --store embedded`)
} finally {
  await remove()
}
process.exit(code)

/** What ends with an error is wrong, and the others go on. */
async function played({ fault, store }: Case, calm: Awaited<ReturnType<typeof playCalmly>>): Promise<Played> {
  const ended = AbortSignal.timeout(CASE_MS_MAX)
  const late = new Promise<never>((_, reject) =>
    ended.addEventListener('abort', () => reject(new Error('It took too long'))),
  )
  try {
    return await Promise.race([playUnder(fault, store, calm, wishes), late])
  } catch (error) {
    const why = [error instanceof Error ? (error.stack ?? error.message) : String(error)]
    return { fault: fault.name, store, outcome: 'wrong', seconds: 0, lost: 0, wrong: 1, why }
  }
}

function sum(of: (row: Row) => number): number {
  return rows.reduce((total, row) => total + of(row), 0)
}

function lineOf({ fault, store, outcome, seconds, lost, wrong }: Row): string {
  const figures = `${seconds.toFixed(1).padStart(6)} s  ${lost} lost  ${wrong} wrong`
  return `${fault.padEnd(20)} ${store.padEnd(9)} ${outcome.padEnd(17)} ${figures}`
}
