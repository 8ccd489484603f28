// Where nobody lets us in what was told is let go, and looked for again since it came: it may have waited for long before.
import { expect, test } from 'vitest'
import { aside, inLine } from '../../../src/adapters/aside/aside.ts'
import { memoryStore } from '../../../src/adapters/store/memory.ts'
import { engineOver } from '../../../src/engine/engine.ts'
import { handle } from '../../../src/entry/app/hearing/handle.ts'
import { outagesOf } from '../../../src/entry/app/hearing/outages.ts'
import { NotInstalled } from '../../../src/ports.ts'

const now = () => Date.parse('2026-11-20T10:30:00Z')
const nobody = async () => Promise.reject(new NotInstalled('the App was removed'))
const engine = engineOver(
  {
    store: memoryStore(),
    forges: { of: nobody },
    verifier: { available: false, verify: nobody, judgeGate: nobody },
    clock: { now: () => new Date(now()).toISOString() },
    ids: { next: () => 'id' },
    aside: aside(inLine),
  },
  { alone: true, again: () => undefined },
)
const repositories = {
  of: nobody,
  reaching: nobody,
  list: nobody,
  placeOf: nobody,
  lookAtRuns: nobody,
  lookAtPulls: nobody,
  tenantOf: () => '1',
  isOurself: () => false,
}

test('what came half an hour ago is missed since then, and not since now', async () => {
  const missed: unknown[] = []
  const around = {
    ears: {
      handling: async (_: unknown, work: () => Promise<boolean>) => void (await work()),
      missed: (since: string, repository?: string) => void missed.push([since, repository]),
    },
    outages: outagesOf(
      now,
      () => undefined,
      () => undefined,
    ),
    arrived: async <T>(_: string, work: () => Promise<T>) => work(),
    ownApp: 1,
    now,
    began: '2026-11-20T09:00:00Z',
  }
  const sender = { id: 7, login: 'ada', type: 'User' }
  const payload = { sha: 'a1', repository: { id: 5, full_name: 'acme/shop' }, installation: { id: 1 }, sender }
  const arrived = {
    guid: 'one',
    received_at: '2026-11-20T10:00:00Z',
    webhook: { event: 'status', guid: 'one', payload },
  }
  await handle({ engine, repositories, line: 'R5@a1', around }, [arrived])
  expect(missed).toEqual([['2026-11-20T10:00:00Z', 'R5']])
})
