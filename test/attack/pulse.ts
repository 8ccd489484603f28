// Feels the pulse of a process from a thread of its own: how long `/health` kept it waiting while the process's own first
// thread was at work. A machine under load makes everybody wait, but no thread busy.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker, isMainThread, workerData } from 'node:worker_threads'

/** The longest stop so far in milliseconds, and the number of the process. */
type Beats = Float64Array<SharedArrayBuffer>
type Patient = { readonly url: string; readonly beats: Beats }

const everyMs = 50
const ticksPerSecond = 100

export type Pulse = ReturnType<typeof feelPulse>

export function feelPulse(url: string) {
  const beats: Beats = new Float64Array(new SharedArrayBuffer(16))
  const worker = new Worker(new URL(import.meta.url), { workerData: { url, beats } satisfies Patient })
  return {
    longestMs: (): number => beats[0] ?? 0,
    /** The process may be another one after a start. */
    of: (pid: number | null): void => {
      beats[1] = pid ?? 0
    },
    reset: (): void => {
      beats[0] = 0
    },
    stop: async (): Promise<void> => {
      await worker.terminate()
    },
  }
}

async function feel({ url, beats }: Patient): Promise<never> {
  for (;;) {
    const pid = beats[1] ?? 0
    const [began, busy] = [Date.now(), busyMs(pid)]
    await fetch(`${url}/health`).catch(() => null)
    const stopped = Math.min(Date.now() - began, busyMs(pid) - busy)
    beats[0] = Math.max(beats[0] ?? 0, stopped)
    await sleep(everyMs)
  }
}

/** The processor time of a process's first thread; nothing once it is gone. */
function busyMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond
  } catch {
    return 0
  }
}

if (!isMainThread) await feel(workerData)
