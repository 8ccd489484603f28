// How checks run side by side, how long they may take, and what comes of what they print.
import { afterAll, expect, test, vi } from 'vitest'
import { aStage, closeStages, policyWith, runs } from './stage.ts'

vi.setConfig({ testTimeout: 60_000 })
afterAll(closeStages)

const exitCodes = (results: { checks: readonly { name: string; exit_code: number }[] }) =>
  Object.fromEntries(results.checks.map(({ name, exit_code }) => [name, exit_code]))

test('what a check leaves behind holds nobody up, not even outside its group', async () => {
  const policy = policyWith({
    left: runs('sleep 60 & echo done'),
    escaped: runs('setsid sleep 20 & echo done'),
  })
  const stage = await aStage({ policy })
  const began = performance.now()
  const run = await stage.run()
  expect(performance.now() - began).toBeLessThan(10_000)
  expect(run.results().checks.map(({ output, passed }) => [output, passed])).toEqual([
    ['done\n', true],
    ['done\n', true],
  ])
})

test('one that ran out of time runs again with more, as often as policy says', async () => {
  const policy = policyWith(
    { slow: runs('sleep 1.5; echo made it', 'timeout: 1') },
    '  timeout_retry: { factor: 3, max: 1 }\n',
  )
  const run = await (await aStage({ policy })).run()
  expect(run.code).toBe(0)
  const [check] = run.results().checks
  expect(check?.output).toContain('it runs again with 3 s')
  expect(check?.output).toContain('made it')
  expect(check?.duration_ms).toBeGreaterThan(2_400)
})

test('output that is no text survives', async () => {
  const run = await (
    await aStage({ policy: policyWith({ bytes: runs(`printf 'a\\xff\\xfe\\x00b\\n'; exit 1`) }) })
  ).run()
  expect(run.results().checks[0]?.output).toBe('a\ufffd\ufffd\u0000b\n')
})

test('both outputs arrive in the order in which they were written', async () => {
  const command = 'for i in 1 2 3 4; do echo out $i; echo err $i >&2; done'
  const run = await (await aStage({ policy: policyWith({ both: runs(command) }) })).run()
  expect(run.results().checks[0]?.output).toBe('out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\nout 4\nerr 4\n')
})

test('side by side, but never more than the most', async () => {
  const command =
    'mkdir -p "$RUNNER_TEMP/now"; touch "$RUNNER_TEMP/now/$$"; sleep 0.4; ls "$RUNNER_TEMP/now" | wc -l; rm "$RUNNER_TEMP/now/$$"'
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const checks = Object.fromEntries(names.map((name) => [name, runs(command)]))
  const parallel = await (await aStage({ policy: policyWith(checks, '  execution: { max_parallel: 3 }\n') })).run()
  const { checks: results } = parallel.results()
  expect(results.map(({ name }) => name)).toEqual(names)
  expect(Math.max(...results.map(({ output }) => Number(output)))).toBe(3)
  const one = await (await aStage({ policy: policyWith(checks, '  execution: { mode: sequential }\n') })).run()
  expect(one.results().checks.map(({ output }) => Number(output))).toEqual([1, 1, 1, 1, 1, 1])
})

test('without fail_fast every check has run after a failure; with it the others are stopped, and say so', async () => {
  const checks = { bad: runs('sleep 0.3; exit 4'), slow: runs('sleep 20'), last: runs('echo never') }
  const patient = { bad: runs('exit 4'), good: runs('true') }
  const all = await (await aStage({ policy: policyWith(patient) })).run()
  expect(exitCodes(all.results())).toEqual({ bad: 4, good: 0 })
  const policy = policyWith(checks, '  execution: { max_parallel: 2, fail_fast: true }\n')
  const fast = await (await aStage({ policy })).run()
  const results = fast.results()
  expect(exitCodes(results)).toEqual({ bad: 4, slow: 143, last: -1 })
  expect(results.checks.map(({ output }) => output.trim())).toEqual([
    '',
    '[stopped: required check `bad` failed]',
    '[not started: required check `bad` failed]',
  ])
  expect(fast.summary).toContain('| ⏹️ | `last` | was not started |')
})
