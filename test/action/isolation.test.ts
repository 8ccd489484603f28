// `isolation: user` with the bundled Action as a process: checks run as somebody who can do nothing to it, or not at all.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { git } from './origin.ts'
import { aStage, closeStages, policyWith, runs } from './stage.ts'

vi.setConfig({ testTimeout: 60_000 })
afterAll(closeStages)

const isRoot = process.getuid?.() === 0
const asUser = '  execution: { isolation: user, mode: sequential }\n'

function maySudo(): boolean {
  try {
    execFileSync('sudo', ['-n', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const mayBecome = existsSync('/proc') && (isRoot || maySudo())

describe.skipIf(!mayBecome)('where the runner allows it', () => {
  test('checks do their work as another user, in a copy of the checkout', async () => {
    const policy = policyWith(
      {
        works: runs(
          'id -u; pwd; cat README.md; echo x > built.txt; git log --oneline | wc -l; touch "$HOME/a" "$RUNNER_TEMP/b"',
        ),
        reports: runs(
          'mkdir -p out; echo "<testsuite><testcase name=\\"adds\\" file=\\"README.md\\" line=\\"1\\"><failure message=\\"no\\"/></testcase></testsuite>" > out/r.xml; umask 077; echo image > shot.png; exit 1',
          'report: { junit: out/r.xml }',
        ),
        late: runs('(trap "" TERM; sleep 60) & trap "" TERM; sleep 60', 'timeout: 1'),
      },
      asUser,
    )
    const stage = await aStage({ policy })
    const run = await stage.run({ inputs: { screenshots: 'shot.png' } })
    const [works, reports, late] = run.results().checks
    const [uid, place, text, count] = (works?.output ?? '').split('\n')
    expect([works?.passed, text, count, reports?.exit_code, late?.exit_code]).toEqual([true, '# Shop', '2', 1, 124])
    expect(Number(uid)).not.toBe(process.getuid?.())
    expect(Number(uid)).toBeGreaterThan(0)
    expect(place).not.toBe(stage.workspace)
    expect(existsSync(join(stage.workspace, 'built.txt'))).toBe(false)
    expect(run.log).toContain('::error title=Countersign%3A reports,file=README.md,line=1::adds failed: no')
    expect(run.results().warnings).toEqual([expect.stringMatching(/: built\.txt, shot\.png\.$/)])
    expect([...run.files.keys()]).toContain('screenshots/001-shot.png')
  })

  test('what they try against the Action fails, and nothing of them is left', async () => {
    const secret = 'token-of-the-job'
    const stage = await aStage({ policy: policyWith({ a: runs('true') }) })
    const tries = {
      environ: 'cat /proc/$PPID/environ',
      memory: 'head -c1 /proc/$PPID/mem',
      streams: 'echo "::error::forged" > /proc/$PPID/fd/1',
      signals: 'kill -USR1 $PPID',
      ends: 'kill -9 $PPID',
      checkout: `echo x >> ${stage.workspace}/README.md`,
      becomes: 'sudo -n true || su -c true',
      command_files: `for f in "$STAGE_HOME"/*; do echo "passed=true" >> "$f" && exit 0; done; exit 1`,
      staging: 'mkdir "$STAGE_HOME/countersign-x"',
      docker: 'docker ps',
    }
    const daemon = 'setsid env -i bash -c "while :; do sleep 0.1; done" & echo $!'
    const checks = Object.entries({
      who: 'id -un; pwd',
      ...tries,
      stays: daemon,
      again: 'pgrep -u "$(id -u)" -f "[w]hile :" || echo nobody',
    })
    const all = checks.map(([name, command]) => [name, runs(command, 'required: false')])
    stage.github.push('acme/shop', 'main', {
      files: { '.github/countersign.yml': policyWith(Object.fromEntries(all), asUser) },
      author: 'cleo',
    })
    const action = stage.start({ env: { GITHUB_TOKEN: secret, JAVA_HOME: '/nowhere' } })
    const run = await action.ended
    const ended = Object.fromEntries(run.results().checks.map(({ name, passed }) => [name, passed]))
    const failed = Object.fromEntries(Object.keys(tries).map((name) => [name, false]))
    expect(ended).toEqual({ who: true, ...failed, stays: true, again: true })
    expect(run.results().checks.at(-1)?.output).toBe('nobody\n')
    expect([run.code, run.outputs['passed'], run.forLater]).toEqual([0, 'true', ''])
    expect(git(stage.workspace, ['status', '--porcelain'])).toBe('')
    const [name = '', place = ''] = (run.results().checks.find((check) => check.name === 'who')?.output ?? '').split(
      '\n',
    )
    expect(name).toMatch(/^countersign-[0-9a-f]{10}$/)
    expect(readFileSync('/etc/passwd', 'utf8')).not.toContain(name)
    expect([place.startsWith('/tmp/countersign-guest-'), existsSync(dirname(place))]).toEqual([true, false])
  })
})

test.skipIf(!isRoot)('where it does not, nothing runs, and it is said', async () => {
  const policy = policyWith({ test: runs('touch ran') }, asUser)
  const stage = await aStage({ policy })
  execFileSync('chmod', ['-R', 'a+rwX', stage.workspace])
  const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--no-new-privs'] as const
  const run = await stage.run({ by: nobody })
  expect(run.code).toBe(1)
  expect(run.log).toMatch(
    /::error::The policy says `isolation: user`, and this runner cannot run checks as another user/,
  )
  expect(run.files.size).toBe(0)
  expect(existsSync(join(stage.workspace, 'ran'))).toBe(false)
})
