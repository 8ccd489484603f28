// What checks try against the machine of the Action, beyond what they are most likely to try.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
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

test('a process that the checks did not start is left alone', async () => {
  const child = execFileSync('bash', ['-c', 'setsid sleep 30 >/dev/null 2>&1 & echo $!']).toString().trim()
  const run = await (await aStage({ policy: policyWith({ test: runs('true') }) })).run()
  expect([run.code, isOver(Number(child))]).toEqual([0, false])
  process.kill(Number(child), 'SIGKILL')
})

test('what another run on this machine started is left alone, also where it went astray', async () => {
  const pids = scratch('pids')
  const stage = await aStage({
    policy: policyWith({ waits: runs(`touch ${pids}/began; until [ -s ${pids}/pid ]; do sleep 0.05; done`) }),
  })
  const action = stage.start()
  const check = `ulimit -q 700123; (setsid sleep 30 & echo $! > ${pids}/pid); sleep 20`
  const wait = `until [ -e ${pids}/began ]; do sleep 0.05; done`
  const other = spawn('bash', ['-c', `${wait}; bash -c '${check}'; true`], { stdio: 'ignore', detached: true })
  const run = await action.ended
  const astray = Number(readFileSync(join(pids, 'pid'), 'utf8'))
  expect([run.code, isOver(astray)]).toEqual([0, false])
  process.kill(astray, 'SIGKILL')
  process.kill(-(other.pid ?? 0), 'SIGKILL')
})

test('no check opens a debugger in the Action', async () => {
  const policy = policyWith({ knocks: runs('for i in 1 2 3; do kill -USR1 $PPID; sleep 0.2; done') })
  const run = await (await aStage({ policy })).run()
  expect(run.code).toBe(0)
  expect(run.log).not.toContain('Debugger listening')
})

test('what lies in the place of a report or a screenshot is not followed, and nobody waits for it', async () => {
  const outside = scratch('outside')
  writeFileSync(join(outside, 'secret.png'), 'a secret image')
  writeFileSync(join(outside, 'report.xml'), '<testsuite/>')
  const report = (path: string): string => `report: { junit: ${path} }`
  const policy = policyWith({
    pipe: runs('mkfifo pipe.xml', report('pipe.xml')),
    device: runs('ln -s /dev/zero device.xml', report('device.xml')),
    outside: runs(`ln -s ${outside} out`, report('out/report.xml')),
    large: runs('truncate -s 17M large.xml', report('large.xml')),
    folder: runs('mkdir folder.xml', report('folder.xml')),
    shots: runs(
      `rm -r shots; ln -s ${outside} shots; mkdir more; ln -s ${outside} more/out; mkfifo more/p.png; echo i > more/i.png`,
    ),
  })
  const stage = await aStage({ policy, change: { 'shots/a.png': 'an image', 'src/a.ts': 'a\n' } })
  const run = await stage.run({ inputs: { screenshots: 'shots\nmore' } })
  expect(run.code).toBe(0)
  const said = run.results().warnings.filter((text) => text.startsWith('The report '))
  expect(said.map((text) => text.replace(/^.*could not be read: /, ''))).toEqual([
    'it is no file',
    'it is not in the checkout',
    'it is not in the checkout',
    'it is larger than 16384 KiB',
    'it is no file',
  ])
  expect([...run.files.keys()].filter((name) => name.startsWith('screenshots/'))).toEqual(['screenshots/001-i.png'])
  expect([...run.files.values()].map(String).join('')).not.toContain('a secret image')
})
