// A lock that a living process holds, as it reads from where that process cannot be looked up.
import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Child, startChild } from './processes.ts'

/** What a process in another container on this directory reads of a lock: a host and process numbers that are not its own. */
export async function heldElsewhere(
  home: string,
  where: object = { host: 'elsewhere', pids: 'pid:[1]', pid: 1 },
): Promise<{ child: Child; socket: string }> {
  const child = startChild('locker.ts', home)
  expect(await child.line()).toBe('ready')
  child.say('go')
  expect(await child.line()).toBe('held')
  const lock: { socket: string } = JSON.parse(readFileSync(join(home, 'lock'), 'utf8'))
  writeFileSync(join(home, 'lock'), JSON.stringify({ ...lock, ...where }))
  return { child, socket: join(home, lock.socket) }
}

/** On another machine of the same name, where its socket does not answer. */
export async function heldByNamesake(home: string): Promise<Child> {
  const { child, socket } = await heldElsewhere(home, { host: hostname(), boot: randomUUID(), pids: 'pid:[1]' })
  rmSync(socket)
  return child
}
