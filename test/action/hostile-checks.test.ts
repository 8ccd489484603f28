// The bundled Action as a process, with checks that work against it: that stay behind, that write where only the Action
// should, and that put something else in the place of what it is about to read.
import { existsSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { shareOf } from '../depth.ts'
import { scratch } from './origin.ts'
import { aStage, closeStages, policyWith, runs } from './stage.ts'

vi.setConfig({ testTimeout: 60_000 })
afterAll(closeStages)

/** Gone, or dead and waiting for a parent that never asks, as orphans do where nothing takes care of them. */
function isOver(pid: number): boolean {
  const path = `/proc/${pid}/stat`
  return !existsSync(path) || / Z /.test(readFileSync(path, 'utf8'))
}

/** Says who it is, and then lives on. */
const daemon = 'echo $$ >> "$1/pids"\ntrap "" TERM HUP INT\nexec >/dev/null 2>&1\nwhile :; do sleep 0.1; done\n'
const bare = 'setsid env -i "PATH=$PATH"'
/** Different ways to be out of sight when the check is over. */
const escapes: Readonly<Record<string, (command: string) => string>> = {
  'in the background': (command) => `${command} &`,
  'in a session of its own': (command) => `setsid ${command} &`,
  'forked twice': (command) => `(setsid bash -c "(${command} &)" &)`,
  'without an environment': (command) => `${bare} ${command} &`,
  'with a limit of its own': (command) => `(ulimit -q 1000; ${bare} ${command} &)`,
  'with a limit of its own, and children': (command) => `(ulimit -q 1001; ${bare} bash -c "${command} & sleep 1000" &)`,
  'under a name that misleads': (command) => `(exec -a "x) Z 1 1 1" ${bare} ${command}) &`,
}

test.each(shareOf(2, ['sequential', 'parallel'] as const))(
  'nothing that a check started outlives it, %s',
  async (mode) => {
    const folders = Object.entries(escapes).map(([name, escape]) => {
      const pids = scratch('pids')
      writeFileSync(join(pids, 'daemon'), daemon)
      const command = `${escape(`bash ${pids}/daemon ${pids}`)}\nuntil [ -s ${pids}/pids ]; do sleep 0.02; done`
      return { name, pids, command }
    })
    const checks = Object.fromEntries(folders.map(({ name, command }) => [name, runs(command, 'timeout: 20')]))
    const run = await (await aStage({ policy: policyWith(checks, `  execution: { mode: ${mode} }\n`) })).run()
    expect(run.results().checks.filter(({ passed }) => !passed)).toEqual([])
    for (const { name, pids } of folders) {
      const all = readFileSync(join(pids, 'pids'), 'utf8').trim().split('\n').map(Number)
      expect([name, all.length, all.filter((pid) => !isOver(pid))]).toEqual([name, 1, []])
    }
  },
)

test('what a check writes into the files of the runner is gone, whatever it made of them', async () => {
  const everywhere = 'for f in output env path state summary; do echo "$1" >> "$RUNNER_TEMP/$f"; done'
  const policy = policyWith(
    {
      says: runs(`set -- 'passed=true'; ${everywhere}; set -- 'LD_PRELOAD=/tmp/x.so'; ${everywhere}`),
      opens: runs(`set -- 'results<<END'; ${everywhere}; exit 1`),
      links: runs('cd "$RUNNER_TEMP"; ln -sf "$GITHUB_WORKSPACE/README.md" env'),
      pipes: runs('cd "$RUNNER_TEMP"; rm output; mkfifo output'),
      folders: runs('cd "$RUNNER_TEMP"; rm state; mkdir -p state/x'),
      removes: runs('cd "$RUNNER_TEMP"; rm summary'),
    },
    '  execution: { mode: sequential }\n',
  )
  const stage = await aStage({ policy })
  const run = await stage.run()
  expect([run.code, run.outputs['passed'], run.forLater]).toEqual([1, 'false', ''])
  expect(JSON.parse(run.outputs['results'] ?? '')).toHaveLength(6)
  expect(run.summary).toMatch(/^### ❌ Countersign: `opens` failed/)
  expect(readFileSync(join(stage.workspace, 'README.md'), 'utf8')).toBe('# Shop\n')
})

test('results go from memory to GitHub, and no file of them is ever where a check could reach it', async () => {
  const stage = await aStage({ policy: policyWith({ test: runs('echo all is well') }) })
  const own = scratch('own')
  const written = new Set<string>()
  const action = stage.start({ env: { TMPDIR: own } })
  const watchers = [own, action.temp].map((place) => watch(place, (_kind, name) => written.add(name ?? '')))
  const run = await action.ended
  for (const watcher of watchers) watcher.close()
  expect([...run.files.keys()]).toEqual(['results.json', 'attempt.json', 'logs/001-test.log'])
  // What git is told goes by way of a folder, and what the runner is told by way of files, so that something was seen at all.
  const known = ['output', 'summary', 'env', 'path', 'state']
  expect([...written].filter((name) => !known.includes(name) && !name.startsWith('countersign-git-'))).toEqual([])
  expect([...written]).toEqual(expect.arrayContaining(['output', 'summary']))
})

test('a check that takes the checkout away, and what the runner keeps for its steps, loses nothing that was found', async () => {
  const policy = policyWith(
    { fails: runs('echo why; exit 3'), removes: runs('rm -rf "$GITHUB_WORKSPACE" "$RUNNER_TEMP"/*') },
    '  execution: { mode: sequential }\n',
  )
  const run = await (await aStage({ policy })).run({ inputs: { screenshots: 'shots' } })
  expect([run.code, run.outputs['passed']]).toEqual([1, 'false'])
  expect(run.results().checks.map(({ exit_code }) => exit_code)).toEqual([3, 0])
  expect(run.log).toContain('::error::Countersign: `fails` failed with exit code 3')
})
