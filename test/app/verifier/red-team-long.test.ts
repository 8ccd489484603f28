// The red team when the model is away, and when the process dies while it attacks.
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { aModel } from '../lab/a-model.ts'
import { appOfFile } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop, type Shop } from '../lab/shop.ts'

const policy = (red: string): string => `version: 1
identities: { agents: [agent] }
verification:
  checks: [{ name: build, check_run: build, app: github-actions }]
  verifier: { enabled: false }
security: { red_team: { enabled: true, min_stakes: low${red} } }
`
const model = await aModel('src/shop.ts')
afterAll(model.stop)
const app = await appOfFile({ app: { slug: 'acme-gate' } }, model.env)
beforeEach(() => model.is({ kind: 'pass' }))

async function built(red = ''): Promise<{ shop: Shop; sha: string }> {
  const shop = await aShop(app, policy(red))
  const sha = await shop.push()
  await shop.open()
  await shop.build(sha, 'success')
  return { shop, sha }
}
/** Asked now and then: what waits for a model that is away waits long. */
const decided = (shop: Shop, sha: string, title: RegExp): Promise<void> =>
  until(async () => {
    await delay(250)
    return title.test(await shop.check(sha))
  }, 90_000)

test('a process that dies while it attacks asks once more, and not twice', async () => {
  let wake = (): void => undefined
  model.is({ kind: 'slow', until: new Promise<void>((done) => (wake = done)) })
  const before = model.calls()
  const { shop, sha } = await built()
  await until(async () => model.calls() > before)
  await app.kill()
  wake()
  model.is({ kind: 'pass' })
  await app.start()
  await decided(shop, sha, /^success: Passed/)
  await shop.idle()
  expect(model.calls() - before).toBe(2)
}, 120_000)

test.each([
  ['', /^success: Passed, though the red team gate says: could not run: the model does not answer$/],
  [
    ', on_error: refer',
    /^action_required: Needs a person: the red team gate could not judge: the model does not answer$/,
  ],
])(
  'nobody to attack is said, and stops nothing unless the policy wants it%s',
  async (red, title) => {
    model.is({ kind: 'down' })
    const { shop, sha } = await built(red)
    await decided(shop, sha, title)
    expect(await shop.summary(sha)).toContain('could not run: the model does not answer'.slice(red === '' ? 0 : 15))
  },
  120_000,
)
