// `npm run mutate`: small changes to the rules, each judged by the tests of the rules. A change that no test notices is
// either a rule without a test or a line without a use. A command of its own: it takes long, and machines differ.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { ourGround, plant, type Placed } from './ground.ts'
import { judgeMutants, type Judged } from './judges.ts'
import { jsonIn } from '../../src/core/json.ts'
import { remembered, type Outcome } from './messages.ts'

const help = `npm run mutate -- [--json] [--sample N] [--seed N] [--of path] [--workers N] [--progress file]

Makes mutants of src/core/decision, src/core/people and src/verifier and runs the tests that reach each of them.

  --json      print { mutants, killed, score, survivors } for programs
  --sample    so many of them, drawn by --seed (1)
  --of        only of files whose path contains this
  --workers   so many processes; by default one for each processor
  --progress  keep what was found in this file, and begin where it ends

Exit code 0: at least nine of ten were killed. 1: fewer.`

const SCORE_MIN = 0.9
/** The same few for the same seed, wherever they stand. */
export function sampleOf(mutants: readonly Placed[], size: number, seed: number): readonly Placed[] {
  let state = seed
  const drawn = mutants.map((mutant) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return { mutant, at: state }
  })
  const chosen = drawn.toSorted((one, other) => one.at - other.at).slice(0, size)
  return chosen.map(({ mutant }) => mutant).toSorted((one, other) => one.id - other.id)
}

/** The same mutant under the same name, however many stand before it now. */
const nameOf = ({ file, line, column, was, becomes }: Placed): string =>
  JSON.stringify([file, line, column, was, becomes])

const sayPlace = ({ file, line, column, was, becomes }: Placed): string =>
  `${file}:${line}:${column}  ${oneLine(was)}  ->  ${oneLine(becomes)}`
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 100)

async function main(): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false }, help: { type: 'boolean', default: false },
      sample: text, seed: text, of: text, workers: text, progress: text,
    },
  }) // prettier-ignore
  if (values.help) {
    console.log(help)
    return 0
  }
  const ground = ourGround()
  const all = plant(ground).mutants.filter(({ file }) => file.includes(values.of ?? ''))
  const chosen = values.sample === undefined ? all : sampleOf(all, Number(values.sample), Number(values.seed ?? 1))
  const known = knownOf(values.progress)
  const before = chosen.flatMap((mutant) => {
    const found = known.get(nameOf(mutant))
    return found === undefined ? [] : [{ ...mutant, ...found, id: mutant.id }]
  })
  let count = before.length
  const told = (one: Judged): void => {
    count += 1
    if (values.progress !== undefined) {
      const { outcome, by } = one
      appendFileSync(values.progress, `${JSON.stringify({ name: nameOf(one), outcome, by })}\n`)
    }
    process.stderr.write(`${count} of ${chosen.length}  ${one.outcome}  ${sayPlace(one)}\n`)
  }
  const rest = chosen.filter((mutant) => !known.has(nameOf(mutant)))
  const workers = Number(values.workers ?? availableParallelism())
  const judged = [...before, ...(await judgeMutants(ground, rest, workers, told))]
  const survivors = judged.filter(({ outcome }) => outcome === 'survived').toSorted((one, other) => one.id - other.id)
  const killed = judged.length - survivors.length
  const score = judged.length === 0 ? 1 : Math.floor((killed / judged.length) * 1000) / 1000
  if (values.json) {
    const shown = survivors.map(({ file, line, was, becomes }) => ({ file, line, was, becomes }))
    console.log(JSON.stringify({ mutants: judged.length, killed, score, survivors: shown }, null, 2))
  } else {
    console.log([...survivors.map(sayPlace), `${killed} of ${judged.length} mutants killed: ${score}`].join('\n'))
  }
  return score >= SCORE_MIN ? 0 : 1
}

/** What an earlier run wrote down. A line that was cut off is judged again. */
function knownOf(file: string | undefined): ReadonlyMap<string, Pick<Outcome, 'outcome' | 'by'>> {
  const known = new Map<string, Pick<Outcome, 'outcome' | 'by'>>()
  if (file === undefined || !existsSync(file)) return known
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const found = remembered.safeParse(jsonIn(line))
    if (found.success) known.set(found.data.name, found.data)
  }
  return known
}

if (import.meta.main) process.exitCode = await main()
