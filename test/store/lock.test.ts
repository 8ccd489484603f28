// Who may open a directory: one process at a time, whatever the one before it left behind.
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openEmbedded } from '../../src/adapters/store/embedded.ts'
import { StoreLocked, lockDirectory } from '../../src/adapters/store/lock.ts'
import { temporaryDirectory } from './opened.ts'
import { startChild } from './processes.ts'

const { directory, remove } = temporaryDirectory()
afterAll(remove)

let homes = 0
function newHome(): string {
  const home = join(directory, `home ${(homes += 1)}`)
  mkdirSync(home)
  return home
}

const gone = spawnSync(process.execPath, ['--version']).pid
function leaveLock(home: string, change: object): void {
  const left = { token: randomUUID(), pid: gone, host: hostname(), started: '1', since: '2026-11-20T10:00:00Z' }
  writeFileSync(join(home, 'lock'), JSON.stringify({ ...left, ...change }))
}

test('a lock that was given back can be taken again, and nothing else is left in the directory', () => {
  const home = newHome()
  lockDirectory(home)()
  const release = lockDirectory(home)
  expect(readdirSync(home)).toEqual(['lock'])
  release()
  expect(readdirSync(home)).toEqual([])
})

test('the same directory under another name is the same lock', () => {
  const home = newHome()
  symlinkSync(home, `${home} again`)
  const release = lockDirectory(home)
  expect(() => lockDirectory(`${home} again`)).toThrow(StoreLocked)
  release()
})

test.each([
  ['is gone', { pid: gone }],
  ['is gone, and the system never told when it began', { pid: gone, started: null }],
  ['is gone, and another has its number now', { pid: process.pid }],
])('a lock whose process %s is taken over', (_, left) => {
  const home = newHome()
  leaveLock(home, left)
  const release = lockDirectory(home)
  expect(JSON.parse(readFileSync(join(home, 'lock'), 'utf8'))).toMatchObject({ pid: process.pid, host: hostname() })
  expect(readdirSync(home)).toEqual(['lock'])
  release()
})

test('a lock of another host is left alone, and the words say what to do', () => {
  const home = newHome()
  leaveLock(home, { host: 'elsewhere' })
  expect(() => lockDirectory(home)).toThrow(`no longer runs on elsewhere, delete ${join(home, 'lock')}.`)
})

test('a lock that cannot be read is left alone, and the words say what to do', () => {
  const home = newHome()
  writeFileSync(join(home, 'lock'), '{"pid":')
  expect(() => lockDirectory(home)).toThrow(`${join(home, 'lock')} cannot be read. Make sure that no Countersign uses`)
})

test('a process that died while it took a lock over does not stand in the way', () => {
  const home = newHome()
  const token = randomUUID()
  leaveLock(home, { token })
  const left = { token: randomUUID(), pid: gone, host: hostname(), started: '1', since: '2026-11-20T10:00:00Z' }
  writeFileSync(join(home, `lock.${token}`), JSON.stringify(left))
  const release = lockDirectory(home)
  expect(readdirSync(home)).toEqual(['lock'])
  release()
})

test('of many processes that find a stale lock at once exactly one gets it, and its end gives it back', async () => {
  const home = newHome()
  leaveLock(home, {})
  const children = Array.from({ length: 6 }, () => startChild('locker.ts', home))
  for (const child of children) expect(await child.line()).toBe('ready')
  for (const child of children) child.say('go')
  const ends = await Promise.all(children.map((child) => child.line()))
  expect(ends.filter((end) => end === 'held')).toHaveLength(1)
  expect(ends.filter((end) => end === 'StoreLocked')).toHaveLength(5)
  expect(readdirSync(home)).toEqual(['lock'])
  await Promise.all(children.map((child) => child.end()))
  expect(readdirSync(home)).toEqual([])
})

test('a file is no directory, and the words say so', async () => {
  const file = join(directory, 'file')
  writeFileSync(file, '')
  await expect(openEmbedded(file)).rejects.toThrow(`The store cannot use ${file} as its directory (EEXIST`)
  await expect(openEmbedded(join(file, 'below'))).rejects.toThrow('(ENOTDIR')
})

test.skipIf(process.getuid?.() === 0)(
  'a directory that may not be written in is refused, and the words say so',
  async () => {
    const home = newHome()
    chmodSync(home, 0o500)
    await expect(openEmbedded(home)).rejects.toThrow(`The store cannot use ${home} as its directory (EACCES`)
  },
)
