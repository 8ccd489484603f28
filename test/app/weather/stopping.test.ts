// How the process ends: whoever only knows npm can stop what `npm start` began, and nobody waits for ever.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { newDirectory } from '../lab/spawned.ts'
import { START_MS_MAX, until } from '../lab/running.ts'
import { shareOf } from '../../depth.ts'

const STOP_MS_MAX = 10_000

test.each(shareOf(2, ['SIGTERM', 'SIGINT'] as const))(
  'a %s that reaches npm alone ends the App',
  async (signal) => {
    const { PATH = '' } = process.env
    const env = { PATH, HOME: newDirectory(), PORT: '0', DATA_DIR: newDirectory() }
    const npm = spawn('npm', ['start'], { env, stdio: ['ignore', 'pipe', 'ignore'], detached: true })
    onTestFinished(() => endGroup(npm.pid))
    let output = ''
    npm.stdout.on('data', (chunk) => (output += String(chunk)))
    const address = (): string | undefined => /Open (http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1]
    await until(async () => address() !== undefined, START_MS_MAX)
    const ended = once(npm, 'exit')
    const since = performance.now()
    npm.kill(signal)
    await ended
    await until(async () => {
      const answers = await fetch(address() ?? '').catch(() => null)
      return answers === null
    }, STOP_MS_MAX)
    expect(performance.now() - since).toBeLessThan(STOP_MS_MAX)
  },
  START_MS_MAX,
)

/** Whatever npm left behind. */
function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL')
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' })
  }
}
