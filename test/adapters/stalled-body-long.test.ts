// What GitHub answers is here within half a minute, or it has failed: also what is received as a stream, and what stands behind the
// redirect that GitHub answers after a rename.
import { createServer } from 'node:http'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { treeBytes } from '../../src/adapters/github/files/commit-files.ts'
import { githubTraffic, tokenOctokit } from '../../src/adapters/github/traffic/client.ts'

const sha = 'a'.repeat(40)

/** Begins an answer, and goes on with one byte every few seconds. */
async function trickling() {
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    if (path.startsWith('/repos/old/')) {
      response.writeHead(301, { location: `http://${request.headers.host}${path.replace('/old/', '/new/')}` }).end()
      return
    }
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
    response.write('{')
    const timer = setInterval(() => response.write(' '), 3_000)
    response.on('close', () => clearInterval(timer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, end: () => (server.closeAllConnections(), server.close()) }
}

test.each([
  [
    'a plain answer',
    'repos/new/shop',
    (octokit: ReturnType<typeof tokenOctokit>) =>
      octokit.rest.pulls.get({ owner: 'new', repo: 'shop', pull_number: 1 }),
  ],
  [
    'a stream',
    'tree',
    (octokit: ReturnType<typeof tokenOctokit>) => treeBytes(octokit, { owner: 'new', repo: 'shop' }, sha),
  ],
  [
    'what is behind a redirect',
    'rename',
    (octokit: ReturnType<typeof tokenOctokit>) =>
      octokit.rest.pulls.get({ owner: 'old', repo: 'shop', pull_number: 1 }),
  ],
] as const)('%s', { timeout: 120_000, concurrent: true }, async (_name, _what, ask) => {
  const { url, end } = await trickling()
  const octokit = tokenOctokit(githubTraffic(), 'token', url)
  const outcome = ask(octokit).then(
    () => 'answered',
    () => 'failed',
  )
  const first = await Promise.race([outcome, sleep(75_000, 'still waiting after 75 seconds')])
  end()
  await outcome
  expect(first).toBe('failed')
})
