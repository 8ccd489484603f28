// `npm run laws -- --runs 1000000 --json`: more histories than a suite has time for, on every core. A history in which
// something turned green that the oracle does not allow is told, with the seed that makes it again.
import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import fc from 'fast-check'
import { play } from './play.ts'
import { histories } from './steps.ts'
import { asked } from '../options.ts'

const about = 'Ends with 1 where something turned green that the oracle does not allow, and tells the history.'
const { is, whole } = asked('laws', about, {
  runs: { takes: 'number', about: 'so many histories', default: '100000' },
  seed: { takes: 'number', about: 'other histories; the same number gives the same ones', default: '1' },
  json: { about: 'print one JSON object' },
  part: { about: 'a part of them, for the process that began this one' },
})
const [runs, seed] = [whole('runs', 1), whole('seed')]

type Counted = { readonly histories: number; readonly green: number; readonly wrong: readonly string[] }

const PIECE = 2_000

/** A piece at a time, so that whoever waits sees it go on, and memory stays where it is. */
function tried(count: number, from: number): Counted {
  const wrong: string[] = []
  let [done, green] = [0, 0]
  for (let piece = 0; done < count; piece += 1) {
    const numRuns = Math.min(PIECE, count - done)
    for (const history of fc.sample(histories, { numRuns, seed: from + piece })) {
      const played = play(history)
      green += played.greens > 0 ? 1 : 0
      if (played.wrong !== null) wrong.push(JSON.stringify({ seed: from + piece, ...played.wrong, history }))
    }
    done += numRuns
    process.send?.({ done: numRuns })
  }
  return { histories: done, green, wrong }
}

async function part(count: number, from: number, onDone: (count: number) => void): Promise<Counted> {
  const child = fork(new URL(import.meta.url), ['--part', '--runs', String(count), '--seed', String(from)])
  return new Promise((counted, failed) => {
    child.on('message', (message: Counted | { readonly done: number }) => {
      if ('done' in message) onDone(message.done)
      else counted(message)
    })
    child.once('exit', (code) => (code === 0 ? null : failed(new Error(`A part of the laws ended with ${code}`))))
  })
}

if (is('part')) {
  process.send?.(tried(runs, seed))
  process.disconnect()
} else {
  const cores = Math.min(availableParallelism(), runs)
  let done = 0
  const onDone = (count: number): void => {
    done += count
    if (!is('json') && process.stderr.isTTY) process.stderr.write(`\r${done} of ${runs} histories`)
  }
  // Far enough apart that no two parts try the same pieces.
  const parts = await Promise.all(
    Array.from({ length: cores }, (_, index) =>
      part(Math.floor(runs / cores) + (index < runs % cores ? 1 : 0), seed + index * 10_000_000, onDone),
    ),
  )
  const sum = (of: (one: Counted) => number): number => parts.reduce((total, one) => total + of(one), 0)
  const wrong = parts.flatMap((one) => one.wrong)
  const figures = { histories: sum((one) => one.histories), wrong: wrong.length, seed, green: sum((one) => one.green) }
  if (is('json')) console.log(JSON.stringify(figures))
  else console.log(`\n${figures.histories} histories, ${figures.green} with something green, ${figures.wrong} wrong`)
  for (const one of wrong.slice(0, 5)) console.error(one)
  process.exitCode = wrong.length === 0 ? 0 : 1
}
