// The bundled Action as a process, on a checkout in which everything is planted that git would run.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { plant } from '../checks/checkout/planted.ts'
import { git, scratch } from './origin.ts'
import { aStage, closeStages, policyWith, runs } from './stage.ts'

vi.setConfig({ testTimeout: 60_000 })
afterAll(closeStages)

const change = {
  'a.json': '{}\n',
  'tool.py': 'import os\n',
  'a.test.ts': `${['test', 'only'].join('.')}('adds', () => {})\n`,
  '.gitattributes': '*.json filter=evil diff=evil\n*.ts -diff\n',
  '.gitignore': 'node_modules\n*.log\n!kept.log\n/only-here\n',
}
const clock =
  'touch a.log kept.log; mkdir -p sub/node_modules sub/only-here; touch sub/node_modules/x sub/only-here/y only-here'

test.each(['head', 'shallow merge'] as const)('nothing in it is run on a %s checkout', async (checkout) => {
  const stage = await aStage({ change, checkout, policy: policyWith({ test: runs(clock) }) })
  const { workspace } = stage
  const { fired, bin } = plant(workspace)
  const path = ['.', 'node_modules/.bin', bin, process.env['PATH']].join(delimiter)
  const run = await stage.run({ env: { PATH: path, GIT_EXTERNAL_DIFF: join(bin, 'git'), GIT_DIR: '/nowhere' } })
  // The check is bash, and it is started by a name like the rest.
  expect(fired()).toEqual([])
  expect(run.code).toBe(0)
  expect(run.results().tier1?.findings.map(({ path }) => path)).toEqual(['a.test.ts'])
  expect(run.results().tier1?.checks).toContainEqual({ name: 'syntax_tool.py', passed: true, detail: null })
  // What the clone calls its origin was not asked: the runner says where this repository is.
  const asked = stage.origin.server.asked.length
  expect(checkout === 'head' ? asked === 0 : asked > 0).toBe(true)
  const warning = run.results().warnings.find((text) => text.includes('changed files of the checkout'))
  expect(warning).toMatch(/: kept\.log, sub\/only-here\/y\.$/)
})

test('what is judged is what is committed, whatever lies on the disk', async () => {
  const stage = await aStage({ change: { 'a.json': '{\n', 'b.json': '{}\n' } })
  writeFileSync(join(stage.workspace, 'a.json'), '{}\n')
  writeFileSync(join(stage.workspace, 'b.json'), '{\n')
  const run = await stage.run()
  const failed = (run.results().tier1?.checks ?? []).filter(({ passed }) => !passed)
  expect(failed.map(({ name }) => name)).toEqual(['syntax_a.json'])
})

test('what a checkout left for later comes from where the runner says, not from where the clone says', async () => {
  const stage = await aStage({ change: { 'README.md': '# Another shop\n', 'a.json': '{}\n' } })
  const { workspace } = stage
  const packs = join(workspace, '.git', 'objects', 'pack')
  for (const name of readdirSync(packs).filter((one) => one.endsWith('.pack'))) {
    renameSync(join(packs, name), join(workspace, name))
    execFileSync('git', ['unpack-objects', '-q'], { cwd: workspace, input: readFileSync(join(workspace, name)) })
    rmSync(join(workspace, name))
  }
  const id = git(workspace, ['rev-parse', `${stage.baseSha}:README.md`])
  rmSync(join(workspace, '.git', 'objects', id.slice(0, 2), id.slice(2)))
  const run = await stage.run()
  expect([run.code, run.results().warnings]).toEqual([0, []])
  expect(stage.origin.server.asked).not.toEqual([])
})

test('objects that are replaced, or told by another index, are not taken for the commit', async () => {
  const stage = await aStage({ change: { 'a.json': '{\n' } })
  const blob = git(stage.workspace, ['hash-object', '-w', '--stdin'], '{}\n')
  git(stage.workspace, ['replace', git(stage.workspace, ['rev-parse', 'HEAD:a.json']), blob])
  expect(git(stage.workspace, ['cat-file', 'blob', 'HEAD:a.json'])).toBe('{}')
  const run = await stage.run()
  expect(run.results().tier1?.passed).toBe(false)
})

test('what a check puts in the place of a program is not run after it', async () => {
  const home = scratch('home')
  mkdirSync(join(home, 'bin'))
  const trap = `printf '#!/bin/sh\\n: > %s/ran-%s\\n' "$HOME" $p > "$HOME/bin/$p"; chmod +x "$HOME/bin/$p"`
  const names = 'git python3 node ps kill rm sh bash'
  const checks = { plants: runs(`for p in ${names}; do ${trap}; done`), fails: runs('exit 3') }
  const stage = await aStage({ policy: policyWith(checks, '  execution: { mode: sequential }\n') })
  const run = await stage.run({ env: { HOME: home, PATH: [join(home, 'bin'), process.env['PATH']].join(delimiter) } })
  expect(run.results().checks.map(({ exit_code }) => exit_code)).toEqual([0, 3])
  expect(run.results().warnings).toEqual([])
  expect(readdirSync(join(home, 'bin'))).toHaveLength(8)
  expect(readdirSync(home)).toEqual(['bin'])
})
