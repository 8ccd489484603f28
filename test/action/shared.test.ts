// What `isolation: shared`, the default, leaves to a check, as SECURITY.md says: nothing less, so that nobody relies on more, and
// where the Action notices that something is left of a check, nothing counts.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { scratch } from './origin.ts'
import { aStage, closeStages, policyWith, runs } from './stage.ts'

vi.setConfig({ testTimeout: 60_000 })
afterAll(closeStages)

test('a check is the user of the job, reads its tokens, writes into its log and leaves things behind', async () => {
  const place = scratch('left')
  const policy = policyWith(
    {
      who: runs('id -u'),
      reads: runs(`tr '\\0' '\\n' < /proc/$PPID/environ | grep -q "^ACTIONS_RUNTIME_TOKEN="`),
      writes: runs('echo "a line of its own" > /proc/$PPID/fd/1'),
      leaves: runs(`echo here > ${place}/tool; echo changed >> README.md`),
      finds: runs(`cat ${place}/tool; tail -n 1 README.md`),
    },
    '  execution: { mode: sequential }\n',
  )
  // The log of a job is a pipe.
  const run = await (await aStage({ policy })).run({ by: ['bash', '-c', 'set -o pipefail; "$0" "$@" | cat'] })
  const [who, reads, writes, , finds] = run.results().checks
  expect(who?.output).toBe(`${process.getuid?.()}\n`)
  expect([reads?.passed, writes?.passed, finds?.output]).toEqual([true, true, 'here\nchanged\n'])
  expect(run.log).toContain('a line of its own')
})

const isRoot = process.getuid?.() === 0

/**
 * Another run on this machine, such as those of other tests, may come across what is left behind and end it before. Of what loses its
 * parents in a namespace of its own it knows nothing, and all of that ends with the namespace.
 */
const apart = ['unshare', '--pid', '--fork', '--mount-proc'] as const
const isApart = isRoot && spawnSync(apart[0], [...apart.slice(1), 'true']).status === 0
const ownWorld = [...apart, 'bash', '-c', '"$0" "$@"; exit $?'] as const
const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] as const

test.skipIf(!isRoot)(
  'what is found and cannot be ended is no result of anybody',
  { retry: isApart ? 0 : 3 },
  async () => {
    const place = scratch('root')
    const become = join(place, 'become')
    copyFileSync(execFileSync('which', ['setpriv']).toString().trim(), become)
    chmodSync(become, 0o4755)
    chmodSync(place, 0o755)
    const pids = join(place, 'pids')
    writeFileSync(pids, '')
    chmodSync(pids, 0o666)
    const stays = `bash -c 'echo $$ > ${pids}; exec sleep 60' >/dev/null 2>&1`
    const command = `setsid ${become} --reuid=0 --regid=0 --clear-groups ${stays} & until [ -s ${pids} ]; do sleep 0.02; done`
    const stage = await aStage({ policy: policyWith({ test: runs(command) }) })
    execFileSync('chmod', ['-R', 'a+rwX', stage.workspace])
    try {
      const run = await stage.run({ by: isApart ? [...ownWorld, ...nobody] : nobody })
      expect(run.code).toBe(1)
      expect(run.log).toMatch(/::error::.*could not be ended/)
      expect([run.outputs['passed'], run.files.size]).toEqual(['false', 0])
    } finally {
      const pid = Number(readFileSync(pids, 'utf8'))
      if (!isApart && pid > 1) process.kill(pid, 'SIGKILL')
    }
  },
)
