// The results go to GitHub by the requests that GitHub's own client makes, and never by way of a file.
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { putArtifact, destinationOf, takesArtifacts } from '../../action/handing-over/upload.ts'
import { zipOf } from '../../action/handing-over/zip.ts'
import { artifactServer, digestOf, type ArtifactServer } from './artifact-server.ts'
import { unzip } from './unzip.ts'

let server: ArtifactServer
let said: string[]
beforeEach(async () => {
  server = await artifactServer()
  said = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said.push(String(text))
    return true
  })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await server.close()
})

/** Names that differ with each upload, as the n-th that was met. */
const withoutChance = (lines: readonly string[]): string[] => {
  const met: string[] = []
  return lines.map((line) =>
    line.replaceAll(/(?<!sha256:)[A-Za-z0-9+/]{64}/g, (block) => {
      if (!met.includes(block)) met.push(block)
      return `BLOCK-${met.indexOf(block) + 1}`
    }),
  )
}

test('an archive of two blocks', async () => {
  const zip = zipOf(new Map([['big.bin', randomBytes(9 * 1024 * 1024)]]))
  await putArtifact(destinationOf(server.env), 'results', zip)
  expect(withoutChance(server.asked)).toEqual([
    'CreateArtifact {"workflow_run_backend_id":"a-run","workflow_job_run_backend_id":"a-job","name":"results","version":7,"mime_type":"application/zip"}',
    'PUT /blobs/results?sig=a-signature&comp=block&blockid=BLOCK-1 application/octet-stream 8388608 bytes',
    `PUT /blobs/results?sig=a-signature&comp=block&blockid=BLOCK-2 application/octet-stream ${zip.length - 8_388_608} bytes`,
    'PUT /blobs/results?sig=a-signature&comp=blocklist application/xml application/zip <?xml version="1.0" encoding="UTF-8" standalone="yes"?><BlockList><Latest>BLOCK-1</Latest><Latest>BLOCK-2</Latest></BlockList>',
    `FinalizeArtifact {"workflow_run_backend_id":"a-run","workflow_job_run_backend_id":"a-job","name":"results","size":"${zip.length}","hash":"${digestOf(zip)}"}`,
  ])
  const [upload, ...more] = server.uploads
  expect([upload?.zip.equals(zip), upload?.hash, more]).toEqual([true, digestOf(zip), []])
  expect(said.filter((line) => line.includes('a-signature'))).toEqual([
    '::add-mask::a-signature\n',
    '::add-mask::a-signature\n',
  ])
})

test('what another job put there under our name makes room, and nothing else does', async () => {
  for (const name of ['results', 'results-of-mine']) server.occupy(name)
  const zip = zipOf(new Map([['a', Buffer.from('b')]]))
  await putArtifact(destinationOf(server.env), 'results', zip)
  expect(server.asked.map((line) => line.split(' ')[0])).toEqual([
    'CreateArtifact', 'ListArtifacts', 'DeleteArtifact', 'CreateArtifact', 'PUT', 'PUT', 'FinalizeArtifact',
  ]) // prettier-ignore
  expect(server.asked[2]).toContain('"workflow_job_run_backend_id":"a-job-before","name":"results"')
})

test('a refusal has the words of GitHub, and is not asked for twice', async () => {
  server.refuse('the quota is used up')
  const upload = putArtifact(destinationOf(server.env), 'results', zipOf(new Map()))
  await expect(upload).rejects.toThrow('GitHub would not make room for the archive (403): the quota is used up')
  expect(server.asked).toHaveLength(1)
})

test.each([
  ['no address', { ACTIONS_RESULTS_URL: '' }, 'did not say where artifacts go'],
  ['no token', { ACTIONS_RUNTIME_TOKEN: '' }, 'did not say where artifacts go'],
  ['a token that says nothing', { ACTIONS_RUNTIME_TOKEN: 'abc' }, 'does not say which run'],
  ['a token for something else', { ACTIONS_RUNTIME_TOKEN: tokenFor('Actions.Cache:a:b') }, 'does not say which run'],
  [
    'a token with half of the names',
    { ACTIONS_RUNTIME_TOKEN: tokenFor('Actions.Results:a') },
    'does not say which run',
  ],
])('a runner that gives %s', (_name, env, why) => {
  expect(() => destinationOf({ ...server.env, ...env })).toThrow(why)
})

test('a token with other rights beside ours', () => {
  const env = { ...server.env, ACTIONS_RUNTIME_TOKEN: tokenFor('Actions.Cache:x:y Actions.Results:the-run:the-job') }
  expect(destinationOf(env).ids).toEqual({
    workflow_run_backend_id: 'the-run',
    workflow_job_run_backend_id: 'the-job',
  })
})

function tokenFor(scp: string): string {
  return `e30.${Buffer.from(JSON.stringify({ scp })).toString('base64url')}.signature`
}

test('which GitHub takes artifacts', () => {
  const urls = ['https://github.com', 'https://acme.ghe.com', 'https://github.example.com', 'https://notghe.com']
  expect(urls.map(takesArtifacts)).toEqual([true, true, false, false])
})

test('an archive holds what was put into it, under any name', () => {
  const files = new Map([
    ['results.json', Buffer.from('{}')],
    ['logs/ünï.log', Buffer.from('line\n'.repeat(10_000))],
    ['empty', Buffer.alloc(0)],
  ])
  const zip = zipOf(files)
  expect(unzip(zip)).toEqual(files)
  expect(zip.length).toBeLessThan(1_000)
  expect(zipOf(files)).toEqual(zip)
})
