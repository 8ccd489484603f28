// The bundled Action as a process, with checks that work against it: that stay behind, that write where only the Action
// should, and that put something else in the place of what it is about to read.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
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

test.each(['sequential', 'parallel'] as const)('nothing that a check started outlives it, %s', async (mode) => {
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
})

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

test.each<[string, (place: string) => void]>([
  ['is written, and written back', (place) => rewritten(place, () => writeFileSync(place, readFileSync(place)))],
  [
    'makes room for another',
    (place) => rewritten(place, () => (copyFileSync(place, `${place}.x`), renameSync(`${place}.x`, place))),
  ],
])('results are taken back when a file of them %s while they are handed over', async (_name, change) => {
  const stage = await aStage()
  const action = stage.start()
  stage.artifacts.whenAsked(() => {
    const folder = readdirSync(action.temp).find((name) => name.startsWith('countersign-'))
    change(join(action.temp, folder ?? '', 'results.json'))
  })
  const run = await action.ended
  expect([run.code, run.outputs['passed']]).toEqual([1, 'false'])
  expect(run.log).toContain('::error::Countersign: something changed the results while they were handed over')
  expect(stage.artifacts.present()).toEqual([])
})

function rewritten(place: string, write: () => void): void {
  const { mode } = statSync(place)
  chmodSync(place, 0o600)
  write()
  chmodSync(place, mode)
}
