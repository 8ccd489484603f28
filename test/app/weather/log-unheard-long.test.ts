// Where the log goes is weather, too: its disk is full, whoever read it has stopped to, or is gone. Pull requests are judged all the
// same, and the App ends when it is told to.
import { closeSync, existsSync, openSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runningApp, type Running } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

/** So much is told of everything that no pipe holds it. */
const LOG_LEVEL = 'trace'
const PULLS = 12
const STOP_MS_MAX = 10_000

const FULL = '/dev/full'

type Trouble = { readonly writesTo?: number; readonly begins?: (app: Running) => unknown }

test.for<[string, () => Trouble | string]>([
  ['whose disk is full', () => (existsSync(FULL) ? { writesTo: openSync(FULL, 'w') } : `there is no ${FULL} here`)],
  ['that nobody reads any more', () => ({ begins: (app) => app.stdout()?.pause() })],
  ['whose reader is gone', () => ({ begins: (app) => app.stdout()?.destroy() })],
])('a log %s', async ([, made], { skip }) => {
  const trouble = made()
  if (typeof trouble === 'string') return skip(trouble)
  const { writesTo = 'pipe', begins } = trouble
  const app = await runningApp({}, { LOG_LEVEL }, { writesTo })
  try {
    begins?.(app)
    const shop = await aShop(app)
    for (let pull = 0; pull < PULLS; pull += 1) {
      const sha = await shop.push(`feature-${pull}`)
      await shop.open('agent', { head: `feature-${pull}` })
      await shop.build(sha, 'success')
      expect(await shop.check(sha)).toMatch(/^success/)
    }
    expect((await fetch(`${app.url}/health`)).status).toBe(200)
  } finally {
    const since = performance.now()
    await app.stop()
    if (writesTo !== 'pipe') closeSync(writesTo)
    expect(performance.now() - since).toBeLessThan(STOP_MS_MAX)
  }
})
