// Threads for reading what others wrote. A job that takes too much time or memory ends with its thread, and nobody else
// waits for it: each tenant has one thread at most, and tenants are served in turn.
// Threads start when there is something to do and end when there has been nothing for a while.
import { Worker } from 'node:worker_threads'
import { wordsOf } from '../../core/error-words.ts'
import { BusyElsewhere } from '../../ports.ts'
import type { Said } from './serve-jobs.ts'

/** Null: the job took more than it may. */
export type Answer = { readonly value: unknown } | null
export type Pool = {
  /** `given`: a part of the input that whoever asks gives away. */
  readonly ask: (job: string, input: unknown, tenant: string, given?: Uint8Array) => Promise<Answer>
  readonly stats: () => PoolStats
  readonly stop: () => Promise<void>
}
export type PoolStats = { readonly threads: number; readonly waiting: number; readonly ended: number }
export type PoolLimits = {
  readonly threadsMax: number
  /** Of computing, for one job. */
  readonly jobMsMax: number
  /** By the clock, whatever the machine is busy with. */
  readonly jobWallMsMax: number
  readonly memoryMbMax: number
  /** Of computing in one span; a tenant that takes more waits behind the others, and its jobs have less time. */
  readonly tenantMsMax: number
  readonly tenantJobMsMax: number
  readonly tenantSpanMs: number
  readonly waitingMax: number
  readonly idleMs: number
}
export const poolLimits: PoolLimits = {
  threadsMax: 2,
  jobMsMax: 1_000,
  jobWallMsMax: 10_000,
  memoryMbMax: 128,
  tenantMsMax: 3_000,
  tenantJobMsMax: 200,
  tenantSpanMs: 60_000,
  waitingMax: 1_000,
  idleMs: 30_000,
}

/** For what is searched as a whole and may take its time: one at once, and never for long. */
export const lookingLimits: PoolLimits = {
  ...poolLimits,
  threadsMax: 1,
  jobMsMax: 20_000,
  jobWallMsMax: 90_000,
  memoryMbMax: 256,
  tenantMsMax: 60_000,
  tenantJobMsMax: 5_000,
}

type Task = {
  readonly job: string
  readonly input: unknown
  readonly handedOver: readonly ArrayBuffer[]
  readonly tenant: string
  readonly done: (answer: Answer) => void
  readonly fail: (error: Error) => void
}
type Thread = { readonly worker: Worker; isReady: boolean; running: Running | null; idle: NodeJS.Timeout | null }
type Running = { readonly task: Task; readonly began: number; readonly timers: Set<NodeJS.Timeout> }
type Spent = { ms: number; readonly until: number }

/** `worker` is the module that each thread runs; it serves jobs by `serveJobs`. */
export function threadPool(worker: URL, limits: PoolLimits = poolLimits): Pool {
  const threads = new Set<Thread>()
  const queues = new Map<string, Task[]>()
  const spent = new Map<string, Spent>()
  let ended = 0
  let stopped = false

  const isOver = (tenant: string): boolean => spentNow(tenant) >= limits.tenantMsMax
  const spentNow = (tenant: string): number => {
    const one = spent.get(tenant)
    return one === undefined || one.until <= performance.now() ? 0 : one.ms
  }
  const note = (tenant: string, ms: number): void => {
    const now = performance.now()
    for (const [other, { until }] of spent) if (until <= now) spent.delete(other)
    const one = spent.get(tenant) ?? { ms: 0, until: now + limits.tenantSpanMs }
    one.ms += ms
    spent.set(tenant, one)
  }

  /** Of those that no thread works for, whoever waits longest for a turn; whoever took too much comes last. */
  const next = (): Task | null => {
    const busy = new Set([...threads].flatMap(({ running }) => running?.task.tenant ?? []))
    const free = [...queues.keys()].filter((tenant) => !busy.has(tenant))
    const tenant = free.find((one) => !isOver(one)) ?? free[0]
    const queue = tenant === undefined ? undefined : queues.get(tenant)
    const task = queue?.shift()
    if (tenant === undefined || queue === undefined || task === undefined) return null
    queues.delete(tenant)
    if (queue.length > 0) queues.set(tenant, queue)
    return task
  }

  const dispatch = (): void => {
    for (const thread of threads) {
      if (!thread.isReady || thread.running !== null) continue
      const task = next()
      if (task === null) rest(thread)
      else void begin(thread, task)
    }
    const starting = [...threads].filter(({ isReady }) => !isReady).length
    const wanted = [...queues.keys()].filter(
      (tenant) => ![...threads].some((one) => one.running?.task.tenant === tenant),
    )
    if (!stopped && wanted.length > starting && threads.size < limits.threadsMax) start()
  }

  const rest = (thread: Thread): void => {
    thread.idle ??= setTimeout(() => void end(thread), limits.idleMs).unref()
  }

  const begin = async (thread: Thread, task: Task): Promise<void> => {
    if (thread.idle !== null) clearTimeout(thread.idle)
    thread.idle = null
    const running: Running = { task, began: performance.now(), timers: new Set() }
    thread.running = running
    const before = await cpuMs(thread.worker)
    if (thread.running !== running) return
    watch(thread, running, before)
    thread.worker.postMessage({ job: task.job, input: task.input }, task.handedOver)
  }

  /** A machine that is busy elsewhere slows a job down, which is not the job's fault. */
  const watch = (thread: Thread, running: Running, before: number): void => {
    const limit = isOver(running.task.tenant) ? limits.tenantJobMsMax : limits.jobMsMax
    const after = (ms: number, work: () => void): void => void running.timers.add(setTimeout(work, ms))
    const look = async (): Promise<void> => {
      const computed = (await cpuMs(thread.worker)) - before
      if (thread.running !== running) return
      if (computed >= limit) return kill(thread, null)
      after(Math.max(1, limit - computed), () => void look())
    }
    after(limit, () => void look())
    after(limits.jobWallMsMax, () => kill(thread, null))
  }

  const finish = (thread: Thread): Running | null => {
    const { running } = thread
    if (running === null) return null
    for (const timer of running.timers) clearTimeout(timer)
    thread.running = null
    note(running.task.tenant, performance.now() - running.began)
    return running
  }

  const kill = (thread: Thread, error: Error | null): void => {
    threads.delete(thread)
    ended += 1
    const task = finish(thread)?.task
    void thread.worker.terminate()
    if (error === null) task?.done(null)
    else task?.fail(error)
    dispatch()
  }

  const end = async (thread: Thread): Promise<void> => {
    threads.delete(thread)
    await thread.worker.terminate()
  }

  /** Null where the machine lets nobody start another thread. */
  const made = (): Worker | null => {
    try {
      return new Worker(worker, {
        // Nothing of ours is within reach of what is read there.
        env: {},
        resourceLimits: { maxOldGenerationSizeMb: limits.memoryMbMax, maxYoungGenerationSizeMb: 8 },
      })
    } catch (error) {
      // Where there is one already, it takes up what waits.
      if (threads.size === 0)
        failAll(new BusyElsewhere(`No thread can be started here: ${wordsOf(error)}`, { cause: error }))
      return null
    }
  }

  const start = (): void => {
    const started = made()
    if (started === null) return
    const thread: Thread = { worker: started, isReady: false, running: null, idle: null }
    threads.add(thread)
    started.on('message', (said: Said) => {
      if (!threads.has(thread)) return
      if (said.kind === 'ready') thread.isReady = true
      else {
        const task = finish(thread)?.task
        if (said.kind === 'failed') task?.fail(said.error)
        else task?.done(said.kind === 'value' ? { value: said.value } : null)
      }
      dispatch()
    })
    started.on('exit', () => {
      if (threads.has(thread)) kill(thread, new Error('A thread for reading ended by itself'))
    })
    started.on('error', (error: unknown) => {
      if (!threads.has(thread)) return
      const outOfMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      if (thread.isReady) kill(thread, outOfMemory ? null : asError(error))
      else breakDown(thread, asError(error))
    })
  }

  /** A thread that cannot even start: nobody waits for another that will not either. */
  const breakDown = (thread: Thread, error: Error): void => {
    threads.delete(thread)
    failAll(error)
  }

  const failAll = (error: Error): void => {
    const tasks = [...queues.values()].flat()
    queues.clear()
    for (const task of tasks) task.fail(error)
  }

  return {
    ask: async (job, input, tenant, given) => {
      const waiting = [...queues.values()].reduce((sum, queue) => sum + queue.length, 0)
      if (stopped) throw new Error('The threads for reading have been stopped')
      if (waiting >= limits.waitingMax) throw new Error(`More than ${limits.waitingMax} texts wait to be read`)
      return new Promise<Answer>((done, fail) => {
        const queue = queues.get(tenant) ?? []
        queue.push({ job, input, tenant, handedOver: ownedBy(given), done, fail })
        queues.set(tenant, queue)
        dispatch()
      })
    },
    stats: () => ({
      threads: threads.size,
      waiting: [...queues.values()].reduce((sum, queue) => sum + queue.length, 0),
      ended,
    }),
    stop: async () => {
      stopped = true
      const error = new Error('The threads for reading have been stopped')
      failAll(error)
      for (const thread of threads) finish(thread)?.task.fail(error)
      await Promise.all([...threads].map(end))
    },
  }
}

/** Memory that holds something else as well stays here. */
function ownedBy(bytes: Uint8Array | undefined): ArrayBuffer[] {
  if (bytes === undefined || !(bytes.buffer instanceof ArrayBuffer)) return []
  return bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer] : []
}

async function cpuMs(worker: Worker): Promise<number> {
  // A thread that has just ended has nothing to tell.
  const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }))
  return (user + system) / 1000
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
