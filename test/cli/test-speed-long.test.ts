// How fast `countersign test` is, as a process.
import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { slowness } from '../aside/computed.ts'
import { entry } from './cli.ts'

test('five hundred cases take two seconds of computing, the start of the program among them', async () => {
  const one = (index: number): string => `
  - name: case ${index}
    given: { policy: { verification: { checks: [test, lint] } }, author: agent, attempts_used: ${index % 3}, checks: { test: passed, lint: passed }, verdict: PASS }
    expect: { status: success, by: checks, row: success }`
  const cwd = await mkdtemp(join(tmpdir(), 'countersign-'))
  await writeFile(join(cwd, 'a.yml'), `cases:${Array.from({ length: 500 }, (_, index) => one(index)).join('')}\n`)
  // By the clock a busy machine takes as long as it likes.
  const timed = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null'
  const words = ['-c', timed, 'bash', process.execPath, entry, 'test', 'a.yml']
  const { stderr } = await promisify(execFile)('bash', words, {
    cwd,
    env: { ...process.env, INIT_CWD: cwd, LC_ALL: 'C' },
  })
  const [user = Infinity, system = Infinity] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number)
  expect((user + system) / slowness()).toBeLessThan(3)
})
