// `countersign tier1` in clones of every kind.
import { rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { countersign } from './cli.ts'
import { branchOf, git, policyPath } from './clones.ts'

const policy = (tier1 = '{}'): string => `verification:\n  checks: []\n  tier1: ${tier1}\n`

const againstMain = ['tier1', '--base', 'main']

test.each<[string, (cwd: string) => unknown, number]>([
  ['other ends of lines', (cwd) => writeFile(join(cwd, 'a.json'), '{}\r\n'), 0],
  ['another form, by an attribute', (cwd) => writeFile(join(cwd, 'a.bin'), 'the file itself\n'), 0],
  ['a part of the files, on purpose', (cwd) => git(cwd, 'sparse-checkout', 'set', '--no-cone', '/*.json'), 0],
  ['a link in place of a file', (cwd) => rm(join(cwd, 'a.json')).then(() => symlink('a.bin', join(cwd, 'a.json'))), 2],
  ['no file any more', (cwd) => rm(join(cwd, 'a.json')), 2],
])('a work tree that has %s', async (_name, prepare, expected) => {
  const change = { 'a.json': '{}\n', 'a.bin': 'a pointer\n', '.gitattributes': '*.bin filter=elsewhere\n' }
  const cwd = await branchOf({ [policyPath]: policy() }, change)
  await prepare(cwd)
  const { code, err } = await countersign(againstMain, { cwd })
  expect(err).toMatch(expected === 0 ? /^$/ : /not everything is committed: a\.json\./)
  expect(code).toBe(expected)
})

test('a clone that left objects for later is not asked to fetch them', async () => {
  const cwd = await branchOf({ [policyPath]: policy(), 'a.json': '{}\n' }, { 'a.json': '{ }\n' })
  const id = git(cwd, 'rev-parse', 'main:a.json')
  await rm(join(cwd, '.git', 'objects', id.slice(0, 2), id.slice(2)), { force: true })
  const { code, err } = await countersign(againstMain, { cwd })
  expect(err).toMatch(/this clone lacks something of its commits \(.*\)\. Fetch them whole/)
  expect(code).toBe(2)
})
