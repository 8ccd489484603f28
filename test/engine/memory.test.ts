// What an engine remembers of the tasks that it met: by how much they hold, and not only by how many they are.
import { expect, test } from 'vitest'
import { aside, inLine } from '../../src/adapters/aside/aside.ts'
import { memoryStore } from '../../src/adapters/store/memory.ts'
import { keptByUse } from '../../src/core/forget.ts'
import { appended, aMemory, loaded, type Aggregate } from '../../src/engine/aggregates.ts'
import { engineOver } from '../../src/engine/engine.ts'
import { aForge } from '../world/forge.ts'

const told = { actor: { kind: 'action', login: 'ci', id: null }, correlation_id: 'memory' } as const
const head_sha = 'a'.repeat(40)

/** A store that tells what was read of it, and work on tasks of which each lists so many files. */
function working() {
  const read: string[] = []
  const store = memoryStore()
  const watched: typeof store = {
    ...store,
    read: async (stream, ...from) => {
      read.push(stream)
      return store.read(stream, ...from)
    },
  }
  const silent = async () => Promise.reject(new Error('nobody asks here'))
  const ports = {
    store: watched,
    forges: { of: async () => aForge([]) },
    verifier: { available: false, verify: silent, judgeGate: silent },
    aside: aside(inLine),
    clock: { now: () => '2026-01-05T10:00:00.000Z' },
    ids: { next: () => 'id' },
  }
  const engine = engineOver(ports, { alone: true })
  const memory = aMemory<number>()
  const kind: Aggregate<number, number> = {
    empty: () => 0,
    evolve: (known, event) => (event.type === 'FilesListed' ? known + event.data.files.length : known),
    decide: (_known, count) => {
      const files = Array.from({ length: count }, (_, index) => ({
        path: `services/payments/src/generated/clients/file-${index}.ts`,
        previous_path: null,
        status: 'modified' as const,
      }))
      return [{ type: 'FilesListed', attempt_id: 'a', head_sha, data: { files, complete: true } }]
    },
    remembered: () => memory,
  }
  const refOf = (name: string) => ({ stream: `R1#${name}`, task_id: `acme/shop#${name}` })
  return {
    list: async (name: string, count: number) => void (await appended(engine, kind, refOf(name), [count], told)),
    /** How many files it knows of, and whether it had to read for that. */
    known: async (name: string) => {
      const before = read.length
      const { state } = await loaded(engine, kind, refOf(name))
      return { files: state, read: read.length - before }
    },
  }
}

test('of large changes fewer are remembered, and what was forgotten is read again', async () => {
  const { list, known } = working()
  for (let task = 0; task < 55; task += 1) await list(`large-${task}`, 3_000)
  expect([await known('large-0'), await known('large-54')]).toEqual([
    { files: 3_000, read: 1 },
    { files: 3_000, read: 0 },
  ])
})

test('of usual ones a thousand are, those that are in use above all', async () => {
  const { list, known } = working()
  for (let task = 0; task < 1_001; task += 1) {
    await list(`usual-${task}`, 10)
    await known('usual-0')
  }
  expect([await known('usual-0'), await known('usual-2'), await known('usual-1')]).toEqual([
    { files: 10, read: 0 },
    { files: 10, read: 0 },
    { files: 10, read: 1 },
  ])
})

test('one that weighs more than all may stays until another comes', () => {
  const kept = keptByUse<string>({ entriesMax: 9, weightMax: 10 })
  kept.set('one', 'heavy', 11)
  expect(kept.get('one')).toBe('heavy')
  kept.set('other', 'light', 1)
  expect([kept.get('one'), kept.get('other')]).toEqual([undefined, 'light'])
})
