// Checks, verifier, clocks and an unreliable outside, as stories.
import { expect, test } from 'vitest'
import { stories } from './stories.ts'
import { aWorld } from '../world/world.ts'

const policy = { verification: { checks: ['test'] } }

test.each(stories)('$title', async ({ tell }) => {
  expect(await tell()).toMatchSnapshot()
})

test('the same failure twice in a row ends the retries where the policy says so, and a person grants new ones', async () => {
  const world = await aWorld({
    policy: { verification: { ...policy.verification, retry: { stop_on_no_progress: 2 } } },
  })
  world.verifierWillSay('PASS')
  await world.push('a1', { checks: { test: 'failed' } })
  await world.push('a2', { checks: { test: 'failed' } })
  expect(await world.decision()).toMatchObject({ status: 'failed', reasons: [{}, { code: 'POLICY_NO_PROGRESS' }] })
  await world.push('a3', { checks: { test: 'passed' } })
  expect(await world.decision()).toMatchObject({ status: 'failed', row: 'spent' })
  await world.comment('ada', '/retry the task was unclear, I edited it')
  expect(await world.decision()).toMatchObject({ status: 'success', by: 'checks' })
})

test('the same failure twice in a row ends nothing by itself', async () => {
  const world = await aWorld({ policy })
  world.verifierWillSay('PASS')
  await world.push('a1', { checks: { test: 'failed' } })
  await world.push('a2', { checks: { test: 'failed' } })
  expect(await world.decision()).toMatchObject({ status: 'retry', by: 'checks' })
})

test('a check that turns red after green turns the decision, and green again gives the attempt back', async () => {
  const world = await aWorld({ policy })
  world.verifierWillSay('PASS')
  await world.push('a1', { checks: { test: 'passed' } })
  await world.report({ test: 'failed' })
  expect(await world.decision()).toMatchObject({ status: 'retry', row: 'checks' })
  await world.report({ test: 'passed' })
  expect(await world.decision()).toMatchObject({ status: 'success' })
  await world.push('a2', { checks: { test: 'passed' } })
  expect(world.transcript()).toContain('Attempt 1 of 3.')
  expect(world.transcript()).not.toContain('Attempt 2 of 3.')
})

test('a success that no check stands behind is looked at by somebody, whom it does not wait for', async () => {
  const world = await aWorld({ policy: { roles: { lead: ['cleo', 'acme/core'] } } })
  world.verifierWillSay('PASS')
  await world.push('a1')
  expect(await world.decision()).toMatchObject({ status: 'success', by: 'checks' })
  expect(world.transcript()).toContain('review asked of cleo, acme/core')
})

test('an outage is not an opinion: nothing is consumed, and the verifier is asked again on request', async () => {
  const world = await aWorld({ policy })
  world.verifierIsDown()
  world.verifierWillSay('PASS')
  await world.push('a1', { checks: { test: 'passed' } })
  expect(await world.decision()).toMatchObject({ status: 'retry', row: 'unavailable' })
  await world.comment('ada', '/verify')
  expect(await world.decision()).toMatchObject({ status: 'success' })
})

test('an outage with another try is pending, and the try comes with its time', async () => {
  const world = await aWorld({ policy })
  world.verifierIsDown('transient', '2026-01-05T10:00:00.000Z')
  world.verifierWillSay('PASS')
  await world.push('a1', { checks: { test: 'passed' } })
  expect(await world.decision()).toMatchObject({ status: 'pending', row: 'unavailable' })
  await world.passTime(2)
  expect(await world.decision()).toMatchObject({ status: 'success' })
})

test('results that never come end in a referral, and nobody answering that in a cancellation', async () => {
  const world = await aWorld({ policy })
  world.verifierWillSay('PASS')
  await world.push('a1')
  await world.passTime(3)
  expect(await world.decision()).toMatchObject({ status: 'refer', by: 'checks', row: 'pending' })
  await world.passTime(8 * 24)
  expect((await world.state()).attempts.at(0)?.state).toBe('CANCELLED')
  expect([...world.forge.slots.values()].find(({ kind }) => kind === 'check_run')).toMatchObject({
    conclusion: 'cancelled',
  })
  await world.report({ test: 'passed' })
  expect((await world.state()).attempts.at(0)?.state).toBe('SUCCESS')
})

test('an attempt that came back to life has its full time to wait again', async () => {
  const world = await aWorld({ policy })
  world.verifierWillSay('REFER')
  await world.push('a1', { checks: { test: 'passed' } })
  await world.passTime(8 * 24)
  expect((await world.state()).attempts.at(0)?.state).toBe('CANCELLED')
  await world.report({ test: 'passed' })
  await world.sweep()
  expect((await world.state()).attempts.at(0)?.state).toBe('VERIFYING')
})

test('a late result of an older commit leaves what a human decided there', async () => {
  const world = await aWorld({ policy })
  world.verifierWillSay('PASS')
  await world.push('a1', { checks: { test: 'failed' } })
  await world.comment('ada', '/override --check test flaky')
  const [first] = (await world.state()).attempts
  await world.push('a2', { checks: { test: 'passed' } })
  const late = {
    type: 'report_check',
    run: 'late',
    name: 'test',
    state: 'failed',
    result: null,
    output_ref: null,
  } as const
  await world.tell({ ...late, attempt_id: first?.id ?? '' })
  expect((await world.state()).attempts.at(0)).toMatchObject({ state: 'SUCCESS', decision: { by: 'human' } })
})

test('green is not shown on a head that has moved', async () => {
  const world = await aWorld({ policy })
  world.verifierWillSay('PASS')
  await world.push('a1')
  world.forge.pull.head = 'b'.repeat(40)
  const attempt = (await world.state()).attempts.at(0)
  if (attempt === undefined) throw new Error('no attempt')
  await world.tell({
    type: 'report_check',
    attempt_id: attempt.id,
    run: 'late',
    name: 'test',
    state: 'passed',
    result: null,
    output_ref: null,
  })
  const check = [...world.forge.slots.values()].find(({ kind }) => kind === 'check_run')
  expect(check).toMatchObject({ status: 'in_progress' })
})

test('what GitHub refused to show is shown by the next sweep', async () => {
  const world = await aWorld({ policy })
  world.verifierWillSay('PASS')
  world.forge.pull.outage = '502 from GitHub'
  await expect(world.push('a1', { checks: { test: 'passed' } })).rejects.toThrow('502 from GitHub')
  expect(world.forge.slots.size).toBe(0)
  world.forge.pull.outage = null
  expect(await world.sweep()).toMatchObject({ settled: 1, failed: [] })
  expect([...world.forge.slots.values()].find(({ kind }) => kind === 'check_run')).toMatchObject({
    conclusion: 'success',
  })
})

test('closing and opening again is the same attempt', async () => {
  const world = await aWorld({ policy })
  world.verifierWillSay('PASS')
  await world.push('a1', { checks: { test: 'failed' } })
  await world.comment('cleo', '/reject not now')
  await world.close('closed')
  await world.push('a1')
  const { attempts } = await world.state()
  expect(attempts).toHaveLength(1)
  expect(attempts.at(0)?.decision).toMatchObject({ status: 'failed', row: 'rejected' })
})

test('another base is another contract: the verdict is void and nothing is green at once', async () => {
  const world = await aWorld({ policy })
  world.verifierWillSay('PASS')
  await world.push('a1', { checks: { test: 'passed' } })
  await world.push('a1', { base: 'release', checks: {} })
  const { attempts } = await world.state()
  expect(attempts.map(({ base_ref, live }) => `${base_ref} ${live}`)).toEqual(['main false', 'release true'])
})

test('the timeline says who did what, in words', async () => {
  const world = await aWorld({ policy })
  world.verifierWillSay('PASS')
  await world.push('a1', { checks: { test: 'failed' } })
  await world.comment('ada', '/override the runner lost its network')
  expect(await world.timeline()).toMatchInlineSnapshot(`
    "2026-01-05 09:01:00  agent[bot]     opened the task “Fix the shop”
    2026-01-05 09:01:00  agent[bot]     assigned the task to agent[bot] (implied by the pull request)
    2026-01-05 09:01:00  agent[bot]     started work (implied by the pull request)
    2026-01-05 09:01:00  agent[bot]     submitted the work (implied by the pull request)
    2026-01-05 09:01:00  agent[bot]     began attempt 1 at a100000 for main
    2026-01-05 09:01:00  countersign    decided: Waiting: the list of changed files has not been read yet
    2026-01-05 09:01:00  countersign    found every changed file within the scope: 1
    2026-01-05 09:01:00  countersign    decided: Waiting: the built-in checks have not reported yet
    2026-01-05 09:01:00  countersign    tier 1 passed
    2026-01-05 09:01:00  countersign    decided: Waiting: required check \`test\` has not reported yet
    2026-01-05 09:01:00  countersign    check \`test\` failed with exit code 1
    2026-01-05 09:01:00  countersign    decided: Waiting: the AI review has not answered yet
    2026-01-05 09:01:00  countersign    asked for an AI review
    2026-01-05 09:01:00  countersign    the AI review said PASS
    2026-01-05 09:01:00  countersign    decided: Changes needed: required check \`test\` failed with exit code 1
    2026-01-05 09:01:00  countersign    sent the task back to work: checks
    2026-01-05 09:02:00  ada            overrode check \`test\` (maintain): the runner lost its network
    2026-01-05 09:02:00  countersign    decided: Passed: ada takes responsibility: the runner lost its network
    2026-01-05 09:02:00  agent[bot]     submitted the work (implied by the pull request)"
  `)
})

test.each(['merge_conflict', 'run_cancelled'] as const)(
  '%s is said at once, before what is awaited, and no longer than it is there',
  async (obstacle) => {
    const world = await aWorld({ policy })
    world.verifierWillSay('PASS')
    await world.push('a1')
    const attempt_id = (await world.state()).attempts.at(-1)?.id ?? ''
    const awaited = [{ code: 'awaiting_check' }, { code: 'awaiting_verifier' }]
    await world.tell({ type: 'report_obstacle', attempt_id, obstacle })
    const code = obstacle === 'merge_conflict' ? 'GIT_MERGE_CONFLICT' : obstacle
    expect(await world.decision()).toMatchObject({ status: 'pending', reasons: [{ code }, ...awaited] })
    await world.tell({ type: 'report_obstacle', attempt_id, obstacle: null })
    expect(await world.decision()).toMatchObject({ status: 'pending', reasons: awaited })
  },
)
