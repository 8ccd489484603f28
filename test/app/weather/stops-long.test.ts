// The App closes without losing anything, however it is asked to.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { GitHub } from '../../github/github.ts'
import { aPullRequest, aQuietGitHub, environmentOf } from '../lab/quiet.ts'
import { until } from '../lab/running.ts'
import { aHome, post, signatureOf, spawnApp, type Spawned } from '../lab/spawned.ts'

describe('a stop', () => {
  let github: GitHub
  let start: () => Promise<Spawned>
  beforeAll(async () => {
    github = await aQuietGitHub()
    const cwd = aHome()
    start = () => spawnApp({ ...environmentOf(github), LOG_LEVEL: 'debug' }, cwd)
  })
  afterAll(() => github.close())

  /** Brings a pull request and gives its commit as soon as the App is at work on it. */
  const deliver = async ({ url, output }: Spawned, branch: string): Promise<string> => {
    const { sha, body } = aPullRequest(github, branch)
    expect(await post(url, body, github.app.webhookSecret)).toEqual({ status: 202, text: 'stored\n' })
    await until(async () => output().includes('"msg":"handling"'))
    return sha
  }

  test('in the middle of a delivery finishes it first', async () => {
    const running = await start()
    github.setDelay(100)
    const sha = await deliver(running, 'calm')
    expect(await running.end('SIGTERM')).toBe(0)
    github.setDelay(0)
    expect(await checksOn(github, sha)).toContain('countersign')
  }, 90_000)

  test('that is asked for twice ends at once, and the delivery is taken up again at the next start', async () => {
    const running = await start()
    github.setDelay(5_000)
    const sha = await deliver(running, 'hasty')
    const ended = running.end('SIGTERM')
    await until(async () => running.output().includes('"msg":"stopping"'))
    void running.end('SIGTERM')
    expect(await ended).toBe(1)
    github.setDelay(0)
    expect(await checksOn(github, sha)).toEqual([])
    const next = await start()
    await until(async () => (await checksOn(github, sha)).includes('countersign'))
    expect(await next.end('SIGTERM')).toBe(0)
  }, 90_000)

  test('does not wait for a caller who never finishes', async () => {
    const { url, end } = await start()
    const endless = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(8)) })
    const signature = signatureOf('what is never sent', 'a guess')
    const headers = { 'x-github-event': 'push', 'x-github-delivery': '1', 'x-hub-signature-256': signature }
    const options = { method: 'POST', body: endless, headers, duplex: 'half' } as const
    const caller = fetch(`${url}/api/github/webhooks`, options).then(
      ({ status }) => status,
      () => 'cut off',
    )
    await fetch(`${url}/health`)
    expect(await end('SIGTERM')).toBe(0)
    expect(await caller).toBe('cut off')
  }, 90_000)
})

async function checksOn(github: GitHub, sha: string): Promise<readonly string[]> {
  const headers = { authorization: `token ${github.tokenOf('agent')}` }
  const answer = await fetch(`${github.url}/repos/acme/shop/commits/${sha}/check-runs`, { headers })
  const runs = z.object({ check_runs: z.array(z.object({ name: z.string() })) }).parse(await answer.json())
  return runs.check_runs.map(({ name }) => name)
}
