// `npm run chaos`: one story of several pull requests, played on a calm day and then under each of the faults that an App
// has to live with, on the embedded store and, where DATABASE_URL names a server, on Postgres. `-- --json` prints one object,
// `--only <pattern>` and `--store <kind>` choose, `--list` names the faults. What it does meanwhile is told on stderr.
import { parseArgs } from 'node:util'
import { wordsOf } from '../../src/core/error-words.ts'
import { setup } from '../made-store.ts'
import type { Fault } from './fault.ts'
import { faultsOfGitHub } from './faults-of-github.ts'
import { faultsOfPostgres } from './faults-of-postgres.ts'
import { faultsOfProcesses } from './faults-of-processes.ts'
import { faultsOfStores } from './faults-of-stores.ts'
import { storeKinds, type StoreKind } from './ground.ts'
import { playCalmly, playUnder, type Played, type Row } from './play.ts'

const help = `npm run chaos -- [options]

  --json             print one JSON object: { seed, rows: [{ fault, store, outcome, seconds, lost, wrong }], totals }
  --only <pattern>   only faults whose name fits this regular expression
  --store <kind>     only ${storeKinds.join(' or ')}; Postgres is played where DATABASE_URL names a server of your own
  --seed <number>    another story and other moments; the same number gives the same ones (1)
  --seconds <number> how long a fault lasts, at least (8)
  --patience <number> how many seconds are waited for what must come true behind it (420)
  --lanes <number>   how many are played at once (2)
  --list             name the faults and end

lost: what people said that is not on record. wrong: greens that an honest reading does not allow, whatever is shown or decided
otherwise than on a calm day, and words that were not to be read. Ends with 1 where either is not 0, with 2 for wrong options.`

const allFaults: readonly Fault[] = [...faultsOfGitHub, ...faultsOfProcesses, ...faultsOfStores, ...faultsOfPostgres]

const CASE_MS_MAX = 30 * 60_000
const SHOWN_MAX = 12

const options = {
  json: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  only: { type: 'string', default: '' },
  store: { type: 'string', default: '' },
  seed: { type: 'string', default: '1' },
  seconds: { type: 'string', default: '8' },
  patience: { type: 'string', default: '420' },
  lanes: { type: 'string', default: '2' },
} as const

const refused = (words: string): never => {
  console.error(`chaos: ${words}. --help tells what can be asked for.`)
  process.exit(2)
}

function asked() {
  const { values } = (() => {
    try {
      return parseArgs({ options })
    } catch (error) {
      return refused(wordsOf(error))
    }
  })()
  const number = (name: 'seed' | 'seconds' | 'patience' | 'lanes', least: number): number => {
    const value = Number(values[name])
    return values[name].trim() !== '' && Number.isInteger(value) && value >= least
      ? value
      : refused(`--${name} takes a whole number from ${least}`)
  }
  const pattern = ((): RegExp => {
    try {
      return new RegExp(values.only, 'i')
    } catch {
      return refused(`--only takes a regular expression, and ${JSON.stringify(values.only)} is none`)
    }
  })()
  if (values.store !== '' && !storeKinds.some((kind) => kind === values.store))
    refused(`--store takes ${storeKinds.join(' or ')}, not ${JSON.stringify(values.store)}`)
  return {
    ...values,
    pattern,
    seed: number('seed', 0),
    lastMs: number('seconds', 1) * 1_000,
    waitMsMax: number('patience', 1) * 1_000,
    lanes: number('lanes', 1),
  }
}

type Case = { readonly fault: Fault; readonly store: StoreKind }

const wishes = asked()
if (wishes.help) {
  console.log(help)
  process.exit(0)
}
const fitting = allFaults.filter(({ name }) => wishes.pattern.test(name))
if (fitting.length === 0) refused('no fault fits; --list names them')
if (wishes.list) {
  for (const { name, about, stores } of fitting) console.log(`${name.padEnd(20)} ${about} (${stores.join(', ')})`)
  process.exit(0)
}
// Only a process that ends by itself takes its Apps along.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const hasServer = (process.env['DATABASE_URL'] ?? '') !== ''
if (!hasServer && wishes.store === 'postgres') refused('DATABASE_URL names no server')
if (!hasServer && wishes.store === '')
  console.error('Not played, since DATABASE_URL is not set: everything on Postgres.')

const cases = fitting.flatMap((fault) =>
  fault.stores
    .filter((store) => (wishes.store === '' || store === wishes.store) && (hasServer || store !== 'postgres'))
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
  await Promise.all(Array.from({ length: wishes.lanes }, lane))
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
  if (wishes.json) console.log(JSON.stringify({ seed: wishes.seed, rows: shown, totals }, null, 2))
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
