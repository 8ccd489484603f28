// The archive of a commit: read whatever pieces it comes in, within bounds, and never taken for what it is not.
import { gzipSync } from 'node:zlib'
import { execFileSync } from 'node:child_process'
import { readSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { archiveLimits, archiveOf, type Archive } from '../../src/adapters/github/snapshot/archive.ts'
import { tarReader } from '../../src/adapters/github/snapshot/tar.ts'
import { tarOf, type TarMember } from '../github/git/tar.ts'
import { scripted, type Reply } from './scripted.ts'

const sha = 'c'.repeat(40)
const file = (path: string, text = 'text\n', more: Partial<TarMember> = {}): TarMember => ({
  path: `top/${path}`,
  content: Buffer.from(text),
  ...more,
})

function readIn(archive: Uint8Array, pieceBytes: number): string[] {
  const reader = tarReader()
  const found: string[] = []
  for (let at = 0; at < archive.length; at += pieceBytes)
    for (const piece of reader.push(archive.subarray(at, at + pieceBytes))) {
      if (piece.kind === 'file') found.push(`${piece.path}=`)
      if (piece.kind === 'bytes') found.push((found.pop() ?? '') + Buffer.from(piece.bytes).toString())
    }
  reader.end()
  return found
}

describe('an archive', () => {
  const long = `${'a-long-folder/'.repeat(20)}ü.ts`
  const archive = tarOf([file('a.ts', 'one'), file(long, 'two'), file('empty', ''), file('b.ts', 'x'.repeat(600))], sha)

  test.each([1, 7, 511, 512, 513, 100_000])('is read in pieces of %d bytes', (bytes) => {
    expect(readIn(archive, bytes)).toEqual(['a.ts=one', `${long}=two`, 'empty=', `b.ts=${'x'.repeat(600)}`])
  })

  test.each([
    ['a link', file('l', '', { type: '2', link: '/etc/passwd' })],
    ['a hard link', file('l', '', { type: '1', link: 'top/a.ts' })],
    ['a device', file('l', '', { type: '3' })],
    ['a way out', { path: 'top/../../etc/passwd', content: Buffer.from('x') }],
    ['a way around', { path: 'top/./a', content: Buffer.from('x') }],
    ['no folder', { path: 'a', content: Buffer.from('x') }],
    ['an absolute name', { path: '/etc/passwd', content: Buffer.from('x') }],
    ['a name that is too long', file('d/'.repeat(600))],
  ])('passes over %s', (_title, member) => {
    expect(readIn(tarOf([file('a.ts', 'one'), member, file('b.ts', 'two')]), 512)).toEqual(['a.ts=one', 'b.ts=two'])
  })

  test.each([
    ['that is cut', archive.subarray(0, 1_600)],
    ['whose file is longer than the archive', tarOf([file('a', 'one', { size: 9_999 })]).subarray(0, 1_024)],
    ['whose header was changed', Buffer.from(archive).fill(0x41, 512 * 2, 512 * 2 + 9)],
    ['with a name of megabytes', tarOf([{ path: 'x', content: Buffer.alloc(70_000), type: 'x' }])],
    ['with a record that counts nothing', tarOf([{ path: 'x', content: Buffer.from('0 path=a\n'), type: 'x' }])],
    ['with a record without a number', tarOf([{ path: 'x', content: Buffer.from('path=a\n'), type: 'x' }])],
    ['with a record longer than itself', tarOf([{ path: 'x', content: Buffer.from('99 path=a\n'), type: 'x' }])],
    ['with a size of no number', tarOf([{ path: 'x', content: Buffer.from('11 size=ab\n'), type: 'x' }, file('a')])],
    ['of noise', Buffer.alloc(2_048, 0x55)],
  ])('%s is refused', (_title, bytes) => {
    expect(() => readIn(bytes, 512)).toThrow(/archive/)
  })
})

test('what git itself writes is read to the last file', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-git-'))
  const git = (...args: readonly string[]): Buffer =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: directory })
  const long = `${'a-long-folder/'.repeat(20)}ü.ts`
  try {
    git('init', '--quiet')
    await mkdir(join(directory, dirname(long)), { recursive: true })
    await writeFile(join(directory, long), 'long')
    await writeFile(join(directory, 'run.sh'), 'run', { mode: 0o755 })
    await symlink('/etc/passwd', join(directory, 'link'))
    git('add', '--all')
    git('commit', '--quiet', '--message', 'one')
    const archive = git('archive', '--format=tar', '--prefix=acme-shop-1/', 'HEAD')
    expect(readIn(archive, 1_000).toSorted()).toEqual([`${long}=long`, 'run.sh=run'])
    const told = [...tarReader().push(archive)].find(({ kind }) => kind === 'comment')
    expect(told).toEqual({ kind: 'comment', text: git('rev-parse', 'HEAD').toString().trim() })
    // And git reads what the GitHub of the tests writes.
    const ours = tarOf([file('a.ts', 'one')], sha)
    expect(execFileSync('git', ['get-tar-commit-id'], { input: ours }).toString().trim()).toBe(sha)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
})

describe('of a commit', () => {
  const limits = { ...archiveLimits, msMax: 2_000 }
  async function fetched(reply: Reply, given: Partial<typeof limits> = {}): Promise<Archive> {
    const { access } = scripted(() => reply)
    return archiveOf(access, sha, { ...limits, ...given })
  }
  const tarball = (members: readonly TarMember[], comment: string | null = sha): Reply => ({
    bytes: new Uint8Array(gzipSync(tarOf(members, comment))),
  })

  test('is kept in one file without a name, and a long file by its name only', async () => {
    const archive = await fetched(tarball([file('a.ts', 'one'), file('big', 'x'.repeat(50)), file('b.ts', 'two')]), {
      fileBytesMax: 40,
    })
    if (archive.kind !== 'archive') throw new Error(archive.why)
    expect(archive.files).toEqual([
      { path: 'a.ts', offset: 0, size: 3 },
      { path: 'b.ts', offset: 3, size: 3 },
    ])
    expect(archive.others).toEqual(['big'])
    const bytes = Buffer.alloc(6)
    readSync(archive.pack.fd, bytes, 0, 6, 0)
    expect(bytes.toString()).toBe('onetwo')
    await archive.pack.close()
  })

  test.each<[string, Reply, Partial<typeof limits>, RegExp]>([
    ['of another commit', tarball([file('a')], 'd'.repeat(40)), {}, /of another commit/],
    ['with too many files', tarball([file('a'), file('b'), file('c')]), { filesMax: 2 }, /more than 2 files/],
    ['that unpacks to too much', tarball([file('a', 'x'.repeat(3_000_000))]), { unpackedBytesMax: 2_000_000 }, /larger than 2 MB/],
    ['that is no archive', { bytes: new Uint8Array(Buffer.from('<html>')) }, {}, /header/],
    ['that is cut', { bytes: new Uint8Array(gzipSync(tarOf([file('a', 'x'.repeat(9_000))], sha)).subarray(0, 60)) }, {}, /./],
    ['that is forbidden', { status: 403, json: { message: 'Resource not accessible by integration' } }, {}, /not accessible/],
    ['of a repository that is gone', { status: 404, json: { message: 'Not Found' } }, {}, /Not Found/],
  ])('one %s is refused, in words', async (_title, reply, given, why) => {
    expect(await fetched(reply, given)).toEqual({ kind: 'refused', why: expect.stringMatching(why) })
  }) // prettier-ignore
})
