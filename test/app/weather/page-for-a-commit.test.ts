// What a commit holds never changes, so it is asked once; but a page that stood there for one moment instead of the commit is no
// answer, and must not be given to whoever asks later: GitHub is well again and nobody asks it.
import { afterEach, expect, test } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'
import { setTimeout as sleep } from 'node:timers/promises'

const app = await appOfFile()
const { github } = app
const LONG_MS = 25_000

afterEach(async () => {
  // Only a new process forgets it.
  await app.kill()
  await app.start()
})

test.each([
  ['nothing wrong ', null],
  ['a page', { headers: { 'content-type': 'text/html' }, body: '<html>Please wait</html>' }],
  ['a success that says it failed', { body: { message: 'Server Error' } }],
  ['half of an answer', { headers: { 'content-type': 'application/json' }, body: Buffer.from('{"sha":"abc","tr') }],
])('%s instead of a commit, once', { timeout: 120_000 }, async (_, answer) => {
  const shop = await aShop(app)
  const sha = github.push(shop.name, 'feature', { files: {}, author: 'agent', message: 'Nothing' })
  await app.idle()
  const path = `/repos/${shop.name}/git/commits/`
  const fault =
    answer === null
      ? null
      : github.addFault({
          method: 'GET',
          path: `${path}*`,
          times: 1,
          trouble: { kind: 'answer', status: 200, ...answer },
        })
  github.openPull(shop.name, { title: 'Nothing', head: 'feature', by: 'agent' })
  if (fault !== null) await until(async () => github.faultHits(fault) === 1)
  const began = performance.now()
  const isStuck = async (): Promise<boolean> => /^none|has not been read yet|itself failed/.test(await shop.check(sha))
  while (performance.now() - began < LONG_MS && (await isStuck())) await sleep(500)
  expect(await isStuck()).toBe(false)
})
