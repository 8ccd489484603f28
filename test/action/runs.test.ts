// The bundled Action as a process: what checks do, how they end, and what is kept of them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, expect, test, vi } from 'vitest'
import { attemptSchema } from '../../src/core/words/documents/attempt-schema.ts'
import { aStage, closeStages, policyWith, runs } from './stage.ts'

vi.setConfig({ testTimeout: 60_000 })
afterAll(closeStages)

/** Gone, or dead and waiting for a parent that never asks, as orphans do where nothing takes care of them. */
function isOver(pid: number): boolean {
  const path = `/proc/${pid}/stat`
  return !existsSync(path) || / Z /.test(readFileSync(path, 'utf8'))
}

const exitCodes = (results: { checks: readonly { name: string; exit_code: number }[] }) =>
  Object.fromEntries(results.checks.map(({ name, exit_code }) => [name, exit_code]))

test('every exit code is what the shell would say, and one that fails fails the job', async () => {
  const stage = await aStage({
    policy: policyWith({
      zero: runs('true'),
      one: runs('false'),
      two: runs('exit 2'),
      missing: runs('no-such-program-here'),
      killed: runs('kill -9 $$'),
      late: runs('sleep 30', 'timeout: 1'),
      piped: runs('false | true'),
      nowhere: runs('true', 'working_dir: no/such/folder'),
      outside: runs('true', 'working_dir: ../..'),
    }),
  })
  const run = await stage.run()
  expect(run.code).toBe(1)
  const results = run.results()
  expect(exitCodes(results)).toEqual({
    zero: 0,
    one: 1,
    two: 2,
    missing: 127,
    killed: 137,
    late: 124,
    piped: 1,
    nowhere: 127,
    outside: 127,
  })
  const codes = Object.fromEntries(results.checks.map(({ name, error_code }) => [name, error_code]))
  expect(codes).toMatchObject({ zero: null, one: 'VERIFICATION_CHECK_FAILED', late: 'VERIFICATION_TIMEOUT' })
  expect(results.checks.map(({ passed }) => passed)).toEqual([true, ...Array.from({ length: 8 }, () => false)])
  expect(run.outputs['passed']).toBe('false')
  // What a later step gets is what the artifact holds, byte by byte.
  expect(run.files.get('attempt.json')?.toString()).toBe(run.outputs['attempt'])
  const document = attemptSchema.parse(JSON.parse(run.outputs['attempt'] ?? ''))
  expect(document).toMatchObject({ source: 'action', status: null, people: null, may_push: { allowed: null } })
  expect(document.failed).toContain('check:late')
  expect(document.checks.find(({ name }) => name === 'late')).toMatchObject({ state: 'timed_out', exit_code: 124 })
  expect(run.log).toContain('::error::Countersign: `one` failed with exit code 1; `two` failed with exit code 2')
})

test('all green: the job passes, and what only informs does not stop it', async () => {
  const stage = await aStage({ policy: policyWith({ test: runs('true'), docs: runs('exit 7', 'required: false') }) })
  const run = await stage.run()
  expect(run.code).toBe(0)
  expect(run.outputs['passed']).toBe('true')
  expect(run.outputs['retry_context']).toBe('')
  expect(run.summary).toContain('| ⚠️ | `docs` (informs only) | failed with exit code 7 |')
})

test('a timeout takes the grandchildren along, even one that ignores the signal and holds the pipe', async () => {
  const deaf = `trap '' TERM; echo pid:$BASHPID`
  const forever = 'while true; do sleep 0.2; done'
  const policy = policyWith({
    hangs: runs(`(${deaf}; ${forever}) & wait`, 'timeout: 1'),
    silent: runs(`(${deaf}; exec >/dev/null 2>&1; ${forever}) & wait`, 'timeout: 1'),
    stubborn: runs(`${deaf}; ${forever}`, 'timeout: 1'),
  })
  const stage = await aStage({ policy })
  const began = performance.now()
  const run = await stage.run()
  expect(performance.now() - began).toBeLessThan(30_000)
  const { checks } = run.results()
  expect(checks).toHaveLength(3)
  for (const { name, exit_code, error_code, output } of checks) {
    expect([name, exit_code, error_code]).toEqual([name, 124, 'VERIFICATION_TIMEOUT'])
    expect(output).toContain('[timed out after 1 s, and was ended with everything that it had started]')
    const pid = Number(/pid:(\d+)/.exec(output)?.[1])
    expect(pid).toBeGreaterThan(1)
    expect([name, isOver(pid)]).toEqual([name, true])
  }
})

test('a check sees where it is and what its policy gives it, and no token of the runner', async () => {
  const policy = policyWith({
    env: runs('env | sort; pwd', 'env: { COLOUR: blue }, working_dir: src'),
  })
  const stage = await aStage({ policy })
  const run = await stage.run({
    env: {
      GITHUB_TOKEN: 'token-of-the-job',
      MY_API_KEY: 'a-key-of-somebody',
      JAVA_HOME: '/opt/java',
      NODE_OPTIONS: '',
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'oidc-token',
    },
  })
  const output = run.results().checks[0]?.output ?? ''
  const names = new Set(output.split('\n').map((line) => line.split('=')[0]))
  for (const name of [
    'PATH',
    'HOME',
    'CI',
    'GITHUB_SHA',
    'GITHUB_REPOSITORY',
    'GITHUB_WORKSPACE',
    'RUNNER_TEMP',
    'JAVA_HOME',
    'COLOUR',
  ]) {
    expect(names).toContain(name)
  }
  expect(output).toContain(`${stage.workspace}/src\n`)
  const forbidden =
    /^(ACTIONS_.*|INPUT_.*|STATE_.*|GITHUB_(TOKEN|ENV|PATH|OUTPUT|STATE|STEP_SUMMARY)|.*API_KEY|NODE_OPTIONS)$/
  expect([...names].filter((name) => forbidden.test(name ?? ''))).toEqual([])
})

test('a secret does not leave the check, in one piece or in two', async () => {
  const pat = `ghp_${'a1B2'.repeat(9)}`
  const halves = `printf '${pat.slice(0, 20)}'; sleep 0.3; printf '${pat.slice(20)}\\n'`
  const policy = policyWith({ leaks: runs(`${halves}; echo https://ada:hunter22@example.com/x; cat .git/key; exit 1`) })
  const stage = await aStage({ policy, change: { 'src/a.ts': `a ${pat}\n` } })
  writeFileSync(`${stage.workspace}/.git/key`, `${stage.token} and value-of-a-secret\n`)
  const run = await stage.run({ env: { DEPLOY_SECRET: 'value-of-a-secret' } })
  const artifact = [...run.files.values()].map(String).join('\n')
  const shown = [
    run.log.replace(`::add-mask::${stage.token}`, ''),
    run.summary,
    artifact,
    ...Object.values(run.outputs),
  ]
  // The policy itself is no secret, and it spells the first half and the second.
  const texts = shown.map((text) => text.replaceAll(/"command":"(?:[^"\\]|\\.)*"/g, ''))
  for (const secret of [pat, stage.token, 'value-of-a-secret', 'hunter22']) {
    expect(texts.filter((text) => text.includes(secret))).toEqual([])
  }
  expect(run.outputs['retry_context']).toContain('+++ b/src/a.ts\n@@ -0,0 +1 @@\n+a ***\n')
  expect(run.results().checks[0]?.output).toBe('***\nhttps://***@example.com/x\n*** and ***\n')
})

test('what a program prints is no command to the runner', async () => {
  const run = await (
    await aStage({ policy: policyWith({ sly: runs('echo "::set-output name=passed::true"; exit 1') }) })
  ).run()
  const [, inside = ''] = /::stop-commands::[\w-]+\n([\s\S]*?)\n::[\w-]+::\n/.exec(run.log) ?? []
  expect(inside).toContain('::set-output name=passed::true')
  expect(run.outputs['passed']).toBe('false')
})

test('files that a check changed are named', async () => {
  const policy = policyWith({ writes: runs('echo more >> README.md; echo x > built.txt') })
  const run = await (await aStage({ policy })).run()
  expect(run.results().warnings).toEqual([expect.stringContaining('README.md, built.txt')])
})

test('a job that is cancelled ends what it started', async () => {
  const stage = await aStage({
    policy: policyWith({ long: runs('echo pid:$$; sleep 60') }, '  execution: { mode: sequential }\n'),
  })
  const action = stage.start()
  while (!/pid:\d+/.test(action.log())) await new Promise((done) => setTimeout(done, 20))
  action.child.kill('SIGINT')
  const run = await action.ended
  expect(run.code).toBe(1)
  const pid = Number(/pid:(\d+)/.exec(run.log)?.[1])
  expect(isOver(pid)).toBe(true)
  expect(run.results().checks[0]?.output).toContain('[stopped: the run was cancelled]')
})
