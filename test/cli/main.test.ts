// The command line itself: which version it is, and what it says to a command that it does not have.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { VERSION } from '../../src/entry/version.ts'
import { workflowFile } from '../../src/entry/beginning/proposal.ts'
import { textOf } from '../house/repository.ts'
import { shareOf } from '../depth.ts'
import { countersign, entry } from './cli.ts'
import { bareCopyOf } from './example.ts'

test('it knows its version', async () => {
  const { code, out } = await countersign(['--version'])
  expect([code, out]).toEqual([0, `${VERSION}\n`])
  expect(z.object({ version: z.string() }).parse(JSON.parse(textOf('package.json'))).version).toBe(VERSION)
})

test.each([
  ['vaildate', ' Did you mean `validate`?'],
  ['\u001b[31mdeploy', ''],
])('the command %j is none, and what is near is named', async (name, hint) => {
  const { code, out, err } = await countersign([name])
  expect([code, out]).toEqual([2, ''])
  expect(err.split('\n')[0]).toBe(`countersign: there is no command \`${name.replace('\u001b', '\u{fffd}')}\`.${hint}`)
  expect(err).toContain('countersign --version which one this is')
})

test.each(shareOf(3, ['validate', 'test', 'tier1', 'inbox', 'audit', 'eval', 'doctor', 'status']))(
  'what keeps %s from running is JSON where JSON was asked for',
  async (name) => {
    const { code, out, err } = await countersign([name, '--jso', '--json'])
    expect([code, err]).toEqual([2, ''])
    expect(JSON.parse(out)).toEqual({
      error: `countersign ${name}: there is no option \`--jso\` (did you mean \`--json\`?). \`countersign ${name} --help\` says what there is.`,
      problems: [],
    })
  },
)

test('whoever reads only the first line keeps nothing from being done', async () => {
  const cwd = bareCopyOf('go')
  const child = spawn(process.execPath, [entry, 'init', cwd, '--yes'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.once('data', () => child.stdout.destroy())
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect([code, said]).toEqual([0, ''])
  expect(existsSync(join(cwd, workflowFile))).toBe(true)
})

test.each([
  ['20.20.2', 2],
  ['24.11.9', 2],
  ['24.12.0', 0],
  ['26.0.0', 0],
])('on Node %s', (version, code) => {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  const begin = resolve(entry, '../begin.js')
  const ran = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, begin, '--version'],
    { encoding: 'utf8' },
  )
  expect(ran.status).toBe(code)
  if (code === 2) expect(ran.stderr).toContain(`this is Node ${version}, and it takes Node 24.12 or later`)
})
