// Who may open a directory: one process at a time, whatever the one before it left behind.
import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, test } from 'vitest'
import { openEmbedded } from '../../src/adapters/store/embedded/embedded.ts'
import { StoreLocked, lockDirectory } from '../../src/adapters/store/embedded/lock.ts'
import { temporaryDirectory } from './opened.ts'
import { heldByNamesake, heldElsewhere } from './held-elsewhere.ts'
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

/** What a holder has there: the file that names it, and the socket by which others see that it lives. */
const held = ['lock', expect.stringMatching(/^lock\.[0-9a-f-]{36}\.socket$/)]

test('a lock that was given back can be taken again, and nothing else is left in the directory', async () => {
  const home = newHome()
  const first = await lockDirectory(home)
  first()
  const release = await lockDirectory(home)
  expect(readdirSync(home)).toEqual(held)
  release()
  expect(readdirSync(home)).toEqual([])
})

test('the same directory under another name is the same lock', async () => {
  const home = newHome()
  symlinkSync(home, `${home} again`)
  const release = await lockDirectory(home)
  await expect(lockDirectory(`${home} again`)).rejects.toThrow(StoreLocked)
  release()
})

test.each([
  ['is gone', { pid: gone }],
  ['is gone, and the system never told when it began', { pid: gone, started: null }],
  ['is gone, and another has its number now', { pid: process.pid }],
])('a lock whose process %s is taken over', async (_, left) => {
  const home = newHome()
  leaveLock(home, left)
  const release = await lockDirectory(home)
  expect(JSON.parse(readFileSync(join(home, 'lock'), 'utf8'))).toMatchObject({ pid: process.pid, host: hostname() })
  expect(readdirSync(home)).toEqual(held)
  release()
})

test('a lock of another host is left alone, and the words say what to do', async () => {
  const home = newHome()
  leaveLock(home, { host: 'elsewhere' })
  await expect(lockDirectory(home)).rejects.toThrow(`no longer runs on elsewhere, delete ${join(home, 'lock')}.`)
})

test('a lock that cannot be read is left alone, and the words say what to do', async () => {
  const home = newHome()
  writeFileSync(join(home, 'lock'), '{"pid":')
  await expect(lockDirectory(home)).rejects.toThrow(
    `${join(home, 'lock')} cannot be read. Make sure that no Countersign uses`,
  )
})

test('a process that died while it took a lock over does not stand in the way', async () => {
  const home = newHome()
  const token = randomUUID()
  leaveLock(home, { token })
  const left = { token: randomUUID(), pid: gone, host: hostname(), started: '1', since: '2026-11-20T10:00:00Z' }
  writeFileSync(join(home, `lock.${token}`), JSON.stringify(left))
  const release = await lockDirectory(home)
  expect(readdirSync(home)).toEqual(held)
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
  expect(readdirSync(home)).toEqual(held)
  await Promise.all(children.map((child) => child.end()))
  expect(readdirSync(home)).toEqual([])
})

describe('a lock of another container on this machine', () => {
  test('is respected while its process lives, even when that stands still', async () => {
    const home = join(newHome(), 'deep '.repeat(40))
    mkdirSync(home)
    const { child } = await heldElsewhere(home)
    process.kill(child.pid, 'SIGSTOP')
    await expect(lockDirectory(home)).rejects.toThrow('in use by process 1 on elsewhere since')
    await expect(lockDirectory(home)).rejects.toThrow(/It answers, so it is running: in another container, perhaps\.$/)
    process.kill(child.pid, 'SIGCONT')
    await child.kill()
  })

  test('is taken over when its process has died', async () => {
    const home = newHome()
    const { child } = await heldElsewhere(home)
    await child.kill()
    const release = await lockDirectory(home)
    expect(readdirSync(home)).toEqual(held)
    release()
    expect(readdirSync(home)).toEqual([])
  })

  test('is left alone where nothing tells whether its process lives', async () => {
    const home = newHome()
    const { child, socket } = await heldElsewhere(home)
    await child.kill()
    rmSync(socket)
    await expect(lockDirectory(home)).rejects.toThrow(
      `if it no longer runs on elsewhere, delete ${join(home, 'lock')}.`,
    )
  })
})

/** A container as far as a lock can see: a host name and process numbers of its own. */
const inContainer = (host: string, words: string): readonly string[] =>
  ['--uts', '--pid', '--fork', '--kill-child', '--mount-proc', 'sh', '-c'].concat(`hostname ${host} && ${words}`)
const hasContainers = spawnSync('unshare', inContainer('one', 'true')).status === 0

test.skipIf(!hasContainers)('a container that is killed leaves a lock that the next one takes over', async () => {
  const home = newHome()
  const words = `(echo; sleep 60) | exec ${process.execPath} test/store/locker.ts '${home}'`
  const first = spawn('unshare', inContainer('one', words), { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: first.stdout })[Symbol.asyncIterator]()
  expect((await lines.next()).value).toBe('ready')
  expect((await lines.next()).value).toBe('held')
  const second = (): string =>
    spawnSync('unshare', inContainer('two', words.replace('sleep 60', '')), { encoding: 'utf8' }).stdout
  expect(second()).toBe('ready\nStoreLocked\n')
  await expect(lockDirectory(home)).rejects.toThrow('on one since')
  const ended = once(first, 'close')
  first.kill('SIGKILL')
  await ended
  expect(second()).toBe('ready\nheld\n')
  expect(readdirSync(home)).toEqual([])
})

test('a lock from before this machine restarted is taken over', async () => {
  const home = newHome()
  leaveLock(home, { pid: process.pid, boot: randomUUID(), pids: 'pid:[1]' })
  const release = await lockDirectory(home)
  expect(readdirSync(home)).toEqual(held)
  release()
})

test('a lock of another machine of the same name is respected while its process lives, and the words say so', async () => {
  const home = newHome()
  const child = await heldByNamesake(home)
  await expect(lockDirectory(home)).rejects.toThrow(/It is running, on another machine of the same name\.$/)
  await child.kill()
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
