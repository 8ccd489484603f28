// The directory of the store is taken away from the account that the App runs as, by a backup or a careless `chown`: it waits in words
// that name the trouble, and goes on once it may, with everything that was said meanwhile.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runningApp, until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'
import { changesIn } from '../lab/unheard.ts'

const uid = 64_778
/** More than the database writes without a look at its directory. */
const chats = Array.from({ length: 40 }, (_, index) => `hello ${index} ${'x'.repeat(30_000)}`)

test.skipIf(process.getuid?.() !== 0)('the App may not look into its store for a while', async () => {
  const app = await runningApp({}, {}, { uid })
  const data = join(app.directory, 'data')
  const belongsTo = (owner: number): void => void execFileSync('chown', ['-R', String(owner), data])
  const health = async (): Promise<string> => (await fetch(`${app.url}/health`)).text()
  try {
    const { wasGreen } = changesIn(app)
    const shop = await aShop(app)
    const sha = await shop.push()
    const number = await shop.open()
    belongsTo(0)
    for (const body of [...chats, '/reject not like this']) app.github.comment(shop.name, number, { body, by: 'bob' })
    await until(async () => (await health()).includes('cannot be looked at (EACCES'))
    belongsTo(uid)
    await until(async () => (await health()).includes('"status":"ok"'))
    await shop.build(sha, 'success')
    await until(async () => (await shop.check(sha)).startsWith('failure: Stopped: rejected by bob'))
    expect(wasGreen(sha, shop.name)).toBe(false)
  } finally {
    await app.stop()
  }
})
