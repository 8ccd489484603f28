// Several engines over one store: whoever loses a race decides again on what the winner recorded.
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/store/memory.ts'
import { verifyChain } from '../../src/core/decision/chain.ts'
import { engineOver } from '../../src/engine/engine.ts'
import { record } from '../../src/engine/record.ts'
import { aWorld } from '../world/world.ts'

const checks = Array.from({ length: 12 }, (_, index) => `check-${index}`)
const told = { actor: { kind: 'action', login: 'ci', id: null }, correlation_id: 'race' } as const

test('nothing that two processes report at once is lost', async () => {
  const store = memoryStore()
  const world = await aWorld({ policy: { verification: { checks } }, store })
  await world.push('a1')
  const attempt_id = (await world.state()).attempts.at(0)?.id ?? ''
  const ports = {
    store,
    forges: { of: async () => world.forge },
    clock: { now: () => '2026-01-05T10:00:00.000Z' },
    ids: { next: () => 'id' },
  }
  const silent = async () => {
    throw new Error('nobody asks here')
  }
  const engines = [1, 2, 3].map(() => engineOver({ ...ports, verifier: { verify: silent, judgeGate: silent } }))
  const report = {
    type: 'report_check',
    attempt_id,
    run: '1',
    state: 'passed',
    result: null,
    output_ref: null,
  } as const
  await Promise.all(
    checks.map((name, index) =>
      record(
        engines[index % 3] ?? engineOver({ ...ports, verifier: { verify: silent, judgeGate: silent } }),
        world.ref,
        { ...report, name },
        told,
      ),
    ),
  )
  const attempt = (await world.state()).attempts.at(0)
  expect(checks.map((name) => attempt?.checks[name]?.state)).toEqual(checks.map(() => 'passed'))
  expect(verifyChain(await world.events())).toBeNull()
})
