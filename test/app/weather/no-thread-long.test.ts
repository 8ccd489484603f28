// The machine lets the App start no more threads, as a container does whose processes are counted: what would be read in one waits,
// and is read once there is room.
import { execFileSync, spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { runningApp, until } from '../lab/running.ts'
import { adopted, aShop } from '../lab/shop.ts'

/** Somebody whose processes are counted, as those of root are not, and who has no others. */
const uid = 64_777
const isPlayed = process.getuid?.() === 0 && spawnSync('prlimit', ['--version']).status === 0

/** So much is read aside. */
const large = `${adopted}# ${'long '.repeat(20_000)}\n`

test.skipIf(!isPlayed)('a pull request waits for a thread to read its policy in, and is then judged', async () => {
  const app = await runningApp({}, {}, { uid })
  const threadsOf = (most: string): void => {
    const as = ['--reuid', String(uid), '--clear-groups']
    execFileSync('setpriv', [...as, 'prlimit', `--nproc=${most}:`, '--pid', String(app.pid())])
  }
  try {
    const shop = await aShop(app, large)
    threadsOf('1')
    const sha = await shop.push()
    const number = app.github.openPull(shop.name, { title: 'Better', head: 'feature', by: 'agent' })
    await until(async () => app.output().includes('No thread can be started here'))
    expect(await shop.check(sha)).not.toMatch(/^(success|action_required|neutral)/)
    threadsOf('1000')
    await shop.idle()
    await shop.build(sha, 'success')
    expect([await shop.check(sha), number]).toEqual([expect.stringMatching(/^success/), 1])
    expect((await fetch(`${app.url}/health`)).status).toBe(200)
  } finally {
    await app.stop()
  }
})
