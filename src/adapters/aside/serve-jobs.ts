// What a thread does: one job after the other, each a pure function of what it was sent.
import { parentPort } from 'node:worker_threads'

export type Jobs = Readonly<Record<string, { readonly run: (input: never) => unknown }>>

export type Asked = { readonly job: string; readonly input: never }
/** `too_deep`: the stack has a limit as time and memory have. */
export type Said =
  | { readonly kind: 'ready' | 'too_deep' }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly error: Error }

export function serveJobs(jobs: Jobs): void {
  const port = parentPort
  if (port === null) throw new Error('Jobs are served in a thread of their own')
  const say = (said: Said): void => port.postMessage(said)
  port.on('message', (asked: Asked) => {
    answer(jobs, asked).then(
      (value) => say({ kind: 'value', value }),
      (error: unknown) => say(isTooDeep(error) ? { kind: 'too_deep' } : { kind: 'failed', error: asError(error) }),
    )
  })
  say({ kind: 'ready' })
}

async function answer(jobs: Jobs, { job, input }: Asked): Promise<unknown> {
  const known = jobs[job]
  if (known === undefined) throw new Error(`There is no job ${job}`)
  return known.run(input)
}

const isTooDeep = (error: unknown): boolean => error instanceof RangeError && error.message.includes('call stack')
const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
