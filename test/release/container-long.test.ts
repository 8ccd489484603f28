// What the container starts, started here without Docker: the packed package, installed as the Dockerfile installs it, by the
// command, the user and the environment that the Dockerfile names, where nothing but its volume can be written.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { freePort, until } from '../app/lab/running.ts'
import { bare, packed } from '../cli/packed.ts'
import { textOf } from '../house/repository.ts'
import { readDockerfile } from './dockerfile.ts'

const { last } = readDockerfile(textOf('.github/deploy/Dockerfile'))
/** A user without rights, where we may become one. */
const guest = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

let home = ''
let data = ''
let inPlace = (text: string): string => text

beforeAll(() => {
  const made = packed()
  home = made.home
  data = join(home, 'data')
  mkdirSync(data)
  chmodSync(home, 0o755)
  if (guest.uid !== undefined) chownSync(data, guest.uid, guest.gid)
  inPlace = (text) => text.replaceAll('/app/', `${made.folder}/`).replaceAll('/data', data)
}, 300_000)
afterAll(() => rmSync(home, { recursive: true, force: true }), 60_000)

const wordsOf = (instruction: string): readonly string[] =>
  z.array(z.string()).parse(JSON.parse(inPlace(instruction.replace(/^.*?CMD /, ''))))

function environment(more: Readonly<Record<string, string>>): Record<string, string> {
  const set = inPlace(last('ENV'))
    .split(' ')
    .map((one) => one.split('='))
  return { ...bare(data), ...Object.fromEntries(set.map(([name = '', value = '']) => [name, value])), ...more }
}

test('it starts, says that it lives, writes to its volume alone, and ends when it is told to', async () => {
  const port = String(await freePort())
  const env = environment({ PORT: port })
  const cwd = inPlace(last('WORKDIR'))
  const [program = '', ...args] = wordsOf(last('CMD'))
  const before = readdirSync(home).toSorted()
  const app = spawn(program, args, { cwd, env, ...guest, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [app.stdout, app.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  const ended = once(app, 'exit')
  const [asking = '', ...words] = wordsOf(last('HEALTHCHECK'))
  const health = async (): Promise<unknown> => (await once(spawn(asking, words, { env, ...guest }), 'exit'))[0]
  try {
    await until(async () => {
      if (app.exitCode !== null) throw new Error(said)
      return (await health()) === 0
    }, 60_000)
    const answer = await fetch(`http://127.0.0.1:${port}/health`)
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ status: expect.any(String) })])
    expect(said).toMatch(/Open http:\/\/127\.0\.0\.1:\d+\/\?token=/)
  } finally {
    app.kill('SIGTERM')
  }
  expect(await ended).toEqual([0, null])
  expect(await health()).toBe(1)
  expect(readdirSync(home).toSorted()).toEqual(before)
  expect(existsSync(join(home, 'empty/node_modules/countersign/dist/node_modules'))).toBe(guest.uid === undefined)
}, 120_000)
