// The files of a commit: from its archive where that can be had, one by one where it cannot, and never those of another commit.
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { archiveLimits, type ArchiveLimits } from '../../src/adapters/github/snapshot/archive.ts'
import { snapshotOf } from '../../src/adapters/github/snapshot/snapshot.ts'
import type { Snapshot } from '../../src/verifier/context/look.ts'
import type { FileChange } from '../../src/verifier/change/change.ts'
import { tarOf } from '../github/git/tar.ts'
import { aFile } from '../verifier/lab.ts'
import { scripted, type Reply } from './scripted.ts'

const head_sha = 'c'.repeat(40)
const users = 'function remove(user) {\n  check()\n  drop(user)\n}\n'
const files: Readonly<Record<string, string>> = {
  'src/users.ts': users,
  'src/purge.ts': 'export const purge = () => {\n  remove(1)\n}\n',
  'docs/long.txt': 'x'.repeat(2_000_000),
}
const change: FileChange = {
  ...aFile('src/users.ts', [' function remove(user) {', '+  check()', '   drop(user)', ' }']),
  size: users.length,
}
const blobOf = (text: string): string => createHash('sha1').update(text).digest('hex')

let opened: Snapshot | null = null
afterEach(async () => {
  await opened?.close()
  opened = null
})

/** `archive`: what it holds, or what is answered in its place. */
async function looked(
  archive: Readonly<Record<string, string>> | Reply,
  { limits, asked = [] }: { limits?: Partial<ArchiveLimits>; asked?: readonly string[] } = {},
) {
  const isReply = (one: typeof archive): one is Reply => 'status' in one
  const tar = (held: Readonly<Record<string, string>>): Buffer =>
    tarOf(
      Object.entries(held).map(([path, text]) => ({ path: `top/${path}`, content: Buffer.from(text) })),
      head_sha,
    )
  const tree = Object.entries(files).map(([path, text]) => {
    return { path, mode: '100644', type: 'blob', sha: blobOf(text), size: text.length }
  })
  const { access, asked: requests } = scripted(({ line }) => {
    if (line.includes('/tarball/'))
      return isReply(archive) ? archive : { bytes: new Uint8Array(gzipSync(tar(archive))) }
    if (line.includes('/git/trees/')) return { json: { sha: head_sha, tree, truncated: false } }
    const text = Object.values(files).find((one) => line.endsWith(blobOf(one)))
    return text === undefined ? null : { json: { content: Buffer.from(text).toString('base64'), encoding: 'base64' } }
  })
  opened = await snapshotOf(access, { head_sha }, [change], { ...archiveLimits, ...limits })
  const question = { files: [change], tokens: 16_000, asked, before: [], known: new Map() }
  const answer = await opened.look(question)
  return {
    shown: answer?.sight.shown.map(({ path, why }) => `${path} ${why}`),
    notes: answer?.sight.notes,
    requests: requests.map(({ line }) =>
      line
        .replace(/[0-9a-f]{40}/, 'SHA')
        .replace('/repos/acme/shop', '')
        .replace(/\?.*/, ''),
    ),
  }
}

test('one request brings the archive, and all is found in it', async () => {
  expect(await looked(files)).toEqual({
    shown: ['src/purge.ts caller', 'src/users.ts file'],
    notes: [],
    requests: ['GET /tarball/SHA'],
  })
})

const forbidden: Reply = { status: 403, json: { message: 'Resource not accessible by integration' } }

test('where the archive is refused, the changed files are fetched, and it is said that nothing was searched', async () => {
  expect(await looked(forbidden)).toEqual({
    shown: ['src/users.ts file'],
    notes: [
      expect.stringMatching(/^the repository was not read whole: Resource not accessible/),
      'the other files of the repository could not be searched',
    ],
    requests: ['GET /tarball/SHA', 'GET /git/trees/SHA', 'GET /git/blobs/SHA'],
  })
})

test('where no file can be written on this machine, the changed files are fetched, and that is said', async () => {
  vi.stubEnv('TMPDIR', '/dev/null')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { shown, notes } = await looked(files)
  expect(shown).toEqual(['src/users.ts file'])
  expect(notes?.[0]).toMatch(/^the repository was not read whole: no file can be written on this machine: ENOTDIR/)
})

test('a repository that is too large is given up where it is, and read as far as needed', async () => {
  const { shown, notes } = await looked(files, { limits: { unpackedBytesMax: 1_000_000 } })
  expect(shown).toEqual(['src/users.ts file'])
  expect(notes?.[0]).toBe('the repository was not read whole: the repository is larger than 1 MB')
})

test('without an archive a file that is asked for by its path is fetched, and one that is not there is not', async () => {
  const { shown } = await looked(forbidden, { asked: ['src/purge.ts:2', '../../etc/passwd', 'docs/long.txt'] })
  expect(shown).toEqual(['src/purge.ts asked'])
})

test('nobody hides a changed file from the archive, or shows another one there', async () => {
  const { 'src/users.ts': _hidden, ...rest } = files
  expect((await looked(rest)).shown).toContain('src/users.ts file')
  const { requests } = await looked({ ...files, 'src/users.ts': 'export const nothing = 1\n' })
  expect(requests).toEqual(['GET /tarball/SHA', 'GET /git/trees/SHA', 'GET /git/blobs/SHA'])
})
