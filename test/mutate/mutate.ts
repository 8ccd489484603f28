// `npm run mutate`: small changes to the rules, each judged by the tests of the rules. A change that no test notices is
// either a rule without a test or a line without a use. A command of its own: it takes long, and machines differ.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { ourGround, plant, type Placed } from './ground.ts'
import { judgeMutants, type Judged } from './judges.ts'
import { jsonIn } from '../../src/core/json.ts'
import { remembered, type Outcome } from './messages.ts'
import { asked } from '../options.ts'

const about = `Makes mutants of src/core/decision, src/core/people and src/verifier and runs the tests that reach each of them. Ends with 1
where fewer than nine of ten were killed.`

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
  const { is, text, whole } = asked('mutate', about, {
    sample: { takes: 'number', about: 'so many of them, drawn by --seed' },
    seed: { takes: 'number', about: 'another sample; the same number gives the same one', default: '1' },
    of: { takes: 'path', about: 'only of files whose path contains this' },
    workers: { takes: 'number', about: 'so many processes; one for each processor where it is left out' },
    progress: { takes: 'file', about: 'keep what was found in this file, and begin where it ends' },
    json: { about: 'print { mutants, killed, score, survivors }' },
  })
  const ground = ourGround()
  const all = plant(ground).mutants.filter(({ file }) => file.includes(text('of')))
  const chosen = text('sample') === '' ? all : sampleOf(all, whole('sample'), whole('seed'))
  const progress = text('progress')
  const known = knownOf(progress)
  const before = chosen.flatMap((mutant) => {
    const found = known.get(nameOf(mutant))
    return found === undefined ? [] : [{ ...mutant, ...found, id: mutant.id }]
  })
  let count = before.length
  const told = (one: Judged): void => {
    count += 1
    if (progress !== '') {
      const { outcome, by } = one
      appendFileSync(progress, `${JSON.stringify({ name: nameOf(one), outcome, by })}\n`)
    }
    process.stderr.write(`${count} of ${chosen.length}  ${one.outcome}  ${sayPlace(one)}\n`)
  }
  const rest = chosen.filter((mutant) => !known.has(nameOf(mutant)))
  const workers = text('workers') === '' ? availableParallelism() : whole('workers', 1)
  const judged = [...before, ...(await judgeMutants(ground, rest, workers, told))]
  const survivors = judged.filter(({ outcome }) => outcome === 'survived').toSorted((one, other) => one.id - other.id)
  const killed = judged.length - survivors.length
  const score = judged.length === 0 ? 1 : Math.floor((killed / judged.length) * 1000) / 1000
  if (is('json')) {
    const shown = survivors.map(({ file, line, was, becomes }) => ({ file, line, was, becomes }))
    console.log(JSON.stringify({ mutants: judged.length, killed, score, survivors: shown }, null, 2))
  } else {
    console.log([...survivors.map(sayPlace), `${killed} of ${judged.length} mutants killed: ${score}`].join('\n'))
  }
  return score >= SCORE_MIN ? 0 : 1
}

/** What an earlier run wrote down. A line that was cut off is judged again. */
function knownOf(file: string): ReadonlyMap<string, Pick<Outcome, 'outcome' | 'by'>> {
  const known = new Map<string, Pick<Outcome, 'outcome' | 'by'>>()
  if (!existsSync(file)) return known
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const found = remembered.safeParse(jsonIn(line))
    if (found.success) known.set(found.data.name, found.data)
  }
  return known
}

if (import.meta.main) process.exitCode = await main()
