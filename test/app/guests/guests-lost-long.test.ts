// A process dies while a guest's pull request is on its way from its own task to the one that others share. Whatever it left on
// record, the end is the same.
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openEmbedded } from '../../../src/adapters/store/embedded/embedded.ts'
import type { Input } from '../../../src/core/decision/rules/inputs.ts'
import { engineOver } from '../../../src/engine/engine.ts'
import { record } from '../../../src/engine/record.ts'
import { aGuest, anAgentsFailure, aTask, last } from '../lab/a-guest.ts'
import { runningApp, until } from '../lab/running.ts'
import type { Shop } from '../lab/shop.ts'

const app = await runningApp()
afterAll(() => app.stop())

const repositoryOf = async (shop: Shop): Promise<{ id: number }> =>
  z.object({ id: z.number() }).parse(await shop.read(''))

/** What a process left on record that died before it could do anything else, and whose webhook never comes again. */
async function leftBehind(stream: string, task_id: string, inputs: readonly Input[]): Promise<void> {
  const store = await openEmbedded(join(app.directory, 'data'))
  const nobody = () => Promise.reject(new Error('Nobody is asked'))
  const engine = engineOver({
    store,
    forges: { of: nobody },
    verifier: { available: false, verify: nobody, judgeGate: nobody },
    aside: {
      policy: nobody,
      policyCopy: nobody,
      contract: nobody,
      commands: nobody,
      paths: nobody,
      declared: nobody,
      simulation: nobody,
      stages: nobody,
      request: nobody,
      copied: nobody,
      task: nobody,
    },
    clock: { now: () => new Date().toISOString() },
    ids: { next: () => 'none' },
  })
  await record(engine, { stream, task_id }, inputs, {
    actor: { kind: 'app', login: 'countersign', id: null },
    correlation_id: 'a process that died',
  })
  await store.close()
}

test.each([
  ['before it had left its own task', false],
  ['after it had left it, and before it came to the other', true],
])('a process that dies %s leaves nothing behind that is not found again', async (_when, hasLeft) => {
  const { shop, issue, closes } = await aTask(app)
  const guest = await aGuest(shop, closes)
  await shop.build(guest.sha, 'failure')
  await app.kill()
  const { id } = await repositoryOf(shop)
  const own = `R${id}#${guest.number}`
  const saying = {
    key: 'comment-1/0',
    user: { id: null, login: 'ada', kind: 'human', permission: 'maintain', teams: [] },
    sha: guest.sha,
    source: 'comment',
    census: { admin: 1, maintain: 1, write: 3, complete: true },
    text: '/ack a good beginning',
    at: new Date().toISOString(),
    through: null,
  } as const
  const command = { name: 'ack', reason: 'a good beginning', sha: null } as const
  await leftBehind(own, `${shop.name}#${guest.number}`, [
    { type: 'give_command', pull: guest.number, command, saying },
    ...(hasLeft ? [{ type: 'take_up', pull: guest.number, to: `R${id}#${issue}` } as const] : []),
  ])
  await app.start()
  await until(async () => (await shop.comments(guest.number))[0]?.includes(`"task": "${shop.name}#${issue}"`) === true)
  expect(await shop.comments(guest.number)).toHaveLength(1)
  expect(await anAgentsFailure(shop, closes)).toMatch(last)
})
