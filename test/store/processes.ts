// Child processes for the store's tests: started on the Node that runs the tests, read line by line, killed or ended.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export type Child = {
  readonly pid: number
  /** The next line of its output, or null at the end of it. */
  readonly line: () => Promise<string | null>
  readonly say: (words: string) => void
  /** Ends it without any chance to clean up, and gives the lines that were still on the way. */
  readonly kill: () => Promise<readonly string[]>
  /** Closes its input and waits for its end. */
  readonly end: () => Promise<void>
}

export function startChild(script: string, ...words: readonly string[]): Child {
  const child = spawn(process.execPath, [join('test/store', script), ...words], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const line = async (): Promise<string | null> => {
    const next = await lines.next()
    return next.done === true ? null : next.value
  }
  const rest = async (): Promise<string[]> => {
    const left: string[] = []
    for (let next = await line(); next !== null; next = await line()) left.push(next)
    return left
  }
  return {
    pid: child.pid ?? 0,
    line,
    say: (words) => void child.stdin.write(words),
    kill: async () => {
      child.kill('SIGKILL')
      const left = await rest()
      await ended
      return left
    },
    end: async () => {
      child.stdin.end()
      await ended
    },
  }
}
