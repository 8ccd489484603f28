// Who judges mutants: processes that load the code once, and one process for each mutant of what runs at loading.
import { fork, type ChildProcess } from 'node:child_process'
import type { Ground, Placed } from './ground.ts'
import { beat, loaded, outcome, readiness, type Order, type Outcome } from './messages.ts'

/** A test that runs for ever is stopped with its process, and its mutant counts as killed. None takes nearly as long. */
const TEST_MS_MAX = 30_000
const READY_MS_MAX = 1_200_000
/** One that is judged alone does a part of what the others did to get ready; it has never ended if it takes so much longer. */
const ALONE_TIMES_MAX = 3
const ALONE_MS_MIN = 60_000

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
  const start = performance.now()
  const worker = started({ ...ground, alone: null, left_out: [] })
  const { left_out } = readiness.parse(await next(worker, READY_MS_MAX))
  for (const name of left_out) process.stderr.write(`no judge: ${name}\n`)
  const aloneMsMax = Math.max(ALONE_MS_MIN, ALONE_TIMES_MAX * (performance.now() - start))
  let lives = true
  return {
    of: async ({ id }) => {
      worker.send(id)
      const said = await next(worker, TEST_MS_MAX)
      const atLoad = loaded.safeParse(said)
      if (atLoad.success) {
        const order = { ...ground, tests: atLoad.data.loaded_by, alone: id, left_out }
        return judgeAlone(order, id, aloneMsMax)
      }
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

async function judgeAlone(order: Order, id: number, limitMs: number): Promise<Outcome> {
  const worker = started(order)
  const found = outcome.safeParse(await next(worker, limitMs))
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

/** What it says next, other than that it goes on; null when it dies or is silent for so long. */
async function next(worker: ChildProcess, silentMsMax: number): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const gone = () => resolve(null)
  let timer = setTimeout(gone, silentMsMax)
  const hear = (said: unknown) => {
    clearTimeout(timer)
    if (beat.safeParse(said).success) timer = setTimeout(gone, silentMsMax)
    else resolve(said)
  }
  worker.on('message', hear).once('exit', gone)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    worker.off('message', hear).off('exit', gone)
  }
}
