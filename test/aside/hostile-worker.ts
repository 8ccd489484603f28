// A thread whose jobs misbehave in every way that a thread can.
import { serveJobs } from '../../src/adapters/aside/serve-jobs.ts'

serveJobs({
  echo: { run: (input: unknown) => input },
  fail: {
    run: () => {
      throw new Error('a fault of ours')
    },
  },
  spin: {
    run: () => {
      for (;;) Math.sqrt(2)
    },
  },
  compute: {
    run: (ms: number) => {
      const end = performance.now() + ms
      while (performance.now() < end) Math.sqrt(2)
      return ms
    },
  },
  backtrack: { run: () => /^(a+)+$/.test(`${'a'.repeat(60)}b`) },
  grow: {
    run: () => {
      const kept: unknown[] = []
      for (;;) kept.push(Array.from({ length: 1000 }, (_, index) => ({ index })))
    },
  },
  deepen: { run: () => deeper(0) },
})

function deeper(depth: number): number {
  return 1 + deeper(depth + 1)
}
