// Who judges mutants: processes that load the code once, and one process for each mutant of what runs at loading.
import { fork, type ChildProcess } from 'node:child_process'
import type { Ground, Placed } from './ground.ts'
import { loaded, outcome, readiness, type Order, type Outcome } from './messages.ts'

/** A mutant that runs for ever is stopped with its process, and counts as killed. */
const MUTANT_MS_MAX = 120_000
const READY_MS_MAX = 1_200_000

export type Judged = Outcome & Placed

/** `told` hears each outcome as it comes. */
export async function judgeMutants(
  ground: Ground,
  chosen: readonly Placed[],
  workers: number,
  told: (judged: Judged) => void,
): Promise<readonly Judged[]> {
  const queue = [...chosen]
  const judged: Judged[] = []
  const line = async (): Promise<void> => {
    let judge: Judge | null = null
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      judge ??= await aJudge(ground)
      const found = { ...(await judge.of(mutant)), ...mutant }
      if (!judge.lives()) judge = null
      judged.push(found)
      told(found)
    }
    judge?.end()
  }
  await Promise.all(Array.from({ length: Math.min(workers, chosen.length) }, line))
  return judged
}

type Judge = {
  readonly of: (mutant: Placed) => Promise<Outcome>
  readonly lives: () => boolean
  readonly end: () => void
}

async function aJudge(ground: Ground): Promise<Judge> {
  const worker = started({ ...ground, alone: null, left_out: [] })
  const { left_out } = readiness.parse(await next(worker, READY_MS_MAX))
  for (const name of left_out) process.stderr.write(`no judge: ${name}\n`)
  let lives = true
  return {
    of: async ({ id }) => {
      worker.send(id)
      const said = await next(worker, MUTANT_MS_MAX)
      const atLoad = loaded.safeParse(said)
      if (atLoad.success) return judgeAlone({ ...ground, tests: atLoad.data.loaded_by, alone: id, left_out }, id)
      const found = outcome.safeParse(said)
      if (found.success) return found.data
      lives = false
      worker.kill('SIGKILL')
      return { id, outcome: 'killed', by: 'it never ended' }
    },
    lives: () => lives,
    end: () => void worker.kill(),
  }
}

async function judgeAlone(order: Order, id: number): Promise<Outcome> {
  const worker = started(order)
  const found = outcome.safeParse(await next(worker, MUTANT_MS_MAX))
  worker.kill('SIGKILL')
  return found.data ?? { id, outcome: 'killed', by: 'it does not load, or never ends' }
}

/** What a mutant prints is of no use; why a judge cannot begin is. */
function started(order: Order): ChildProcess {
  return fork(new URL('worker.ts', import.meta.url), [JSON.stringify(order)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', order.alone === null ? 'inherit' : 'ignore', 'ipc'],
  })
}

/** What it says next; null when it dies or the time is over. */
async function next(worker: ChildProcess, limitMs: number): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const timer = setTimeout(() => resolve(null), limitMs)
  const gone = () => resolve(null)
  worker.once('message', resolve).once('exit', gone)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    worker.off('message', resolve).off('exit', gone)
  }
}
