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

type Octokit = ReturnType<typeof tokenOctokit>
const pullOf = (owner: string) => (octokit: Octokit) => octokit.rest.pulls.get({ owner, repo: 'shop', pull_number: 1 })

test.each<[string, (octokit: Octokit) => Promise<unknown>]>([
  ['a plain answer', pullOf('new')],
  ['a stream', (octokit) => treeBytes(octokit, { owner: 'new', repo: 'shop' }, sha)],
  ['what is behind a redirect', pullOf('old')],
])('%s', { timeout: 120_000, concurrent: true }, async (_name, ask) => {
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
