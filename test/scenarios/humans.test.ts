// What people say, what it covers, and when it ends, as the pull request page would show it.
import { expect, test } from 'vitest'
import { aWorld } from '../world/world.ts'

const policy = { verification: { checks: ['test'] } }

test('a maintainer overrules the verifier', async () => {
  const world = await aWorld({ policy })
  world.verifierWillSay('SOFT_FAIL', 'the fix skips the test')
  await world.push('a1', { checks: { test: 'passed' } })
  await world.comment('ada', '/override skip is intended, see #12')
  expect(world.transcript()).toMatchInlineSnapshot(`
    "agent[bot] pushes a1
        labels: countersign:pending
        check run countersign [in_progress] Waiting: the AI review has not answered yet
        comment | ### 🔁 Changes needed: the fix skips the test (AI review)
        comment | Attempt 1 of 3.
        comment | **What to do next**
        comment | - The builder: push a fix
        labels: countersign:retry
        check run countersign [failure] Changes needed: the fix skips the test (AI review)
    ada writes: /override skip is intended, see #12
        reaction: 👍 VERIFIER_OVERRIDE
        check run countersign [success] Passed: ada takes responsibility: skip is intended, see \`#12\`
        comment | ### ✅ Passed: ada takes responsibility: skip is intended, see \`#12\`
        comment | Attempt 1 of 3.
        labels: countersign:success"
  `)
})

test('a push lies between the words and their reading', async () => {
  const world = await aWorld({ policy })
  world.verifierWillSay('PASS')
  await world.push('a1', { checks: { test: 'failed' } })
  await world.push('a2', { checks: { test: 'failed' } })
  await world.comment('ada', '/override flaky', 'a1')
  expect(world.transcript().split('\n').slice(-2).join('\n')).toMatchInlineSnapshot(`
    "ada writes: /override flaky
        reply: Refused: the head or its base has moved since you wrote: add \`--sha a20000000000\` if you mean this commit."
  `)
  await world.comment('ada', '/override --sha a20000000000 flaky', 'a1')
  expect(await world.decision()).toMatchObject({ status: 'success', by: 'human' })
})

test('an override dies with its commit and stays dead when the commit comes back', async () => {
  const world = await aWorld({ policy })
  world.verifierWillSay('PASS')
  await world.push('a1', { checks: { test: 'failed' } })
  await world.comment('ada', '/override flaky')
  expect(await world.decision()).toMatchObject({ status: 'success' })
  await world.push('a2', { checks: { test: 'passed' } })
  expect(await world.decision()).toMatchObject({ status: 'success', by: 'checks' })
  await world.push('a1')
  expect(await world.decision()).toMatchObject({ row: 'checks' })
  expect((await world.state()).attempts.map(({ head_sha }) => head_sha.slice(0, 2))).toEqual(['a1', 'a2'])
})

test('an approval of an older commit counts only for the same tree', async () => {
  const world = await aWorld({ policy: { ...policy, merge_requires: 'completed' } })
  world.verifierWillSay('PASS')
  await world.push('a1', { checks: { test: 'passed' }, tree: 'tree-one' })
  await world.review('bob', 'approved')
  expect(await world.decision()).toMatchObject({ status: 'success' })
  await world.push('a2', { checks: { test: 'passed' }, tree: 'tree-one' })
  expect(await world.decision()).toMatchObject({ status: 'success' })
  await world.push('a3', { checks: { test: 'passed' }, tree: 'tree-two' })
  expect(await world.decision()).toMatchObject({ status: 'refer', row: 'review' })
})

test('requested changes stand on later commits until their author looks again', async () => {
  const world = await aWorld({ policy })
  world.verifierWillSay('PASS')
  await world.push('a1', { checks: { test: 'passed' } })
  await world.review('bob', 'changes_requested', 'not like this')
  expect(await world.decision()).toMatchObject({ status: 'failed', row: 'rejected' })
  await world.push('a2', { checks: { test: 'passed' } })
  expect(await world.decision()).toMatchObject({
    status: 'refer',
    row: 'review',
    reasons: [{ code: 'changes_requested', subject: 'bob' }],
  })
  await world.review('bob', 'approved')
  expect(await world.decision()).toMatchObject({ status: 'success' })
})

test('words in quotes and code grant nothing', async () => {
  const world = await aWorld({ policy })
  world.verifierWillSay('PASS')
  await world.push('a1', { checks: { test: 'failed' } })
  for (const words of [
    '> /override flaky',
    '`/override flaky`',
    '```\n/override flaky\n```',
    '<!-- /override flaky -->',
    'please /override it',
  ]) {
    await world.comment('ada', words)
  }
  expect((await world.state()).attempts.at(0)?.acts).toEqual([])
})

test('who may not is told who may', async () => {
  const world = await aWorld({ policy })
  world.verifierWillSay('PASS')
  await world.push('a1', { checks: { test: 'failed' } })
  await world.comment('bob', '/override flaky')
  await world.comment('helper[bot]', '/override flaky')
  await world.comment('ada', '/override')
  await world.comment('ada', '/override --check tset flaky')
  await world.comment('ada', '/approve I know better')
  await world.comment('ada', '/revoke')
  expect(
    world
      .transcript()
      .split('\n')
      .filter((line) => /writes|reply/.test(line))
      .join('\n'),
  ).toMatchInlineSnapshot(`
    "bob writes: /override flaky
        reply: Refused: this takes maintain permission. Who may: somebody with maintain permission who is not a builder.
    helper[bot] writes: /override flaky
        reply: Refused: a machine account cannot do this. Who may: somebody with maintain permission who is not a builder.
    ada writes: /override
        reply: Refused: a reason is missing: write it behind the command.
    ada writes: /override --check tset flaky
        reply: Refused: there is no check named \`tset\`. There are tier1, test.
    ada writes: /approve I know better
        reply: Refused: the policy does not allow it (\`override_policy.direct_approval_allowed\`).
    ada writes: /revoke
        reply: Refused: you have done nothing to this commit that still stands."
  `)
})

test('a task that was approved and confirmed by three different people', async () => {
  const world = await aWorld({ policy: { ...policy, merge_requires: 'verified' } })
  world.verifierWillSay('PASS')
  await world.push('a1', { checks: { test: 'passed' } })
  expect((await world.state()).status).toBe('review')
  await world.review('bob', 'approved')
  expect((await world.state()).status).toBe('completed')
  await world.comment('bob', '/task verify looks right')
  expect((await world.state()).status).toBe('completed')
  await world.comment('ada', '/task verify tried it on staging')
  expect((await world.state()).status).toBe('verified')
  expect(await world.decision()).toMatchObject({ status: 'success' })
  await world.push('a2', { checks: { test: 'passed' } })
  expect((await world.state()).status).toBe('review')
  expect(await world.decision()).toMatchObject({ status: 'refer', row: 'review' })
})

test('the record says of an attempt before new ones were granted that it uses up none of them', async () => {
  const world = await aWorld({ policy: { verification: { checks: ['test'] } } })
  world.verifierWillSay('PASS')
  await world.push('a1', { checks: { test: 'failed' } })
  await world.comment('ada', '/retry the runner was broken')
  await world.report({ test: 'passed' })
  await world.report({ test: 'failed' })
  const ended = (await world.events()).flatMap((event) => (event.type === 'AttemptCompleted' ? [event.data] : []))
  expect(ended.map(({ outcome, consumed }) => [outcome, consumed])).toEqual([
    ['retry by checks', true],
    ['success by success', false],
    ['retry by checks', false],
  ])
})

test('a plain override covers what had failed when it was written, and nothing later', async () => {
  const world = await aWorld({ policy: { verification: { checks: ['test', 'lint'] } } })
  world.verifierWillSay('PASS')
  await world.push('a1', { checks: { test: 'failed', lint: 'passed' } })
  await world.comment('ada', '/override flaky')
  expect(await world.decision()).toMatchObject({ status: 'success', by: 'human' })
  await world.report({ lint: 'failed' })
  expect(await world.decision()).toMatchObject({ status: 'retry', row: 'checks', reasons: [{ subject: 'lint' }] })
  await world.report({ lint: 'passed' })
  await world.report({ test: 'timed_out' })
  expect(await world.decision()).toMatchObject({ status: 'retry', row: 'checks', reasons: [{ subject: 'test' }] })
})

test('one that names its check covers whatever that check answers, and no other', async () => {
  const world = await aWorld({ policy: { verification: { checks: ['test', 'lint'] } } })
  world.verifierWillSay('PASS')
  await world.push('a1', { checks: { test: 'failed', lint: 'passed' } })
  await world.comment('ada', '/override --check test flaky')
  await world.report({ test: 'timed_out' })
  expect(await world.decision()).toMatchObject({ status: 'success', by: 'human' })
  await world.report({ lint: 'failed' })
  expect(await world.decision()).toMatchObject({ status: 'retry', row: 'checks', reasons: [{ subject: 'lint' }] })
})

test('one given while the verifier is silent does not cover its objection', async () => {
  const world = await aWorld({ policy })
  world.verifierIsDown('transient', '2026-01-05T10:00:00.000Z')
  world.verifierWillSay('SOFT_FAIL', 'the fix skips the test')
  await world.push('a1', { checks: { test: 'failed' } })
  await world.comment('ada', '/override --check test flaky')
  expect(await world.decision()).toMatchObject({ status: 'pending' })
  await world.passTime(2)
  expect(await world.decision()).toMatchObject({ status: 'retry', row: 'soft' })
})

test.each([
  ['to the leads, once', { lead: ['cleo', 'acme/leads'] }, ['@cleo @acme/leads: this task needs a person. ']],
  ['in its comment where nobody is named', {}, []],
])('a task that is stopped with proof is told %s', async (_who, roles, words) => {
  const world = await aWorld({ policy: { ...policy, roles } })
  world.verifierWillSay('HARD_FAIL', 'it deletes the customers')
  await world.push('a1', { checks: { test: 'passed' } })
  expect(await world.decision()).toMatchObject({ status: 'failed', row: 'hard' })
  await world.sweep()
  expect(
    world
      .transcript()
      .split('\n')
      .filter((line) => line.includes('needs a person')),
  ).toEqual(words.map((said) => expect.stringContaining(said)))
  expect((await world.events()).find(({ type }) => type === 'EscalationRaised')?.data).toMatchObject({
    why: 'hard_fail',
    to: 'lead' in roles ? roles.lead : ['admins'],
  })
})

test('a label asks, and a reason of the same person completes', async () => {
  const world = await aWorld({ policy })
  world.verifierWillSay('PASS')
  await world.push('a1', { checks: { test: 'failed' } })
  await world.label('ada', 'override')
  expect(await world.decision()).toMatchObject({ status: 'retry' })
  await world.comment('bob', '/reason the runner is broken')
  expect(await world.decision()).toMatchObject({ status: 'retry' })
  await world.comment('ada', '/reason the runner is broken')
  expect(await world.decision()).toMatchObject({ status: 'success', by: 'human' })
})

test('a label that rejects does so at once, until it is taken away', async () => {
  const world = await aWorld({ policy })
  world.verifierWillSay('PASS')
  await world.push('a1', { checks: { test: 'passed' } })
  await world.label('bob', 'reject')
  expect(await world.decision()).toMatchObject({ status: 'failed', row: 'rejected' })
  await world.label('bob', 'reject', false)
  expect(await world.decision()).toMatchObject({ status: 'success', by: 'checks' })
})

test('a label completes itself only where no reason is asked for', async () => {
  const free = await aWorld({ policy: { ...policy, override_policy: { check_override_requires_reason: false } } })
  free.verifierWillSay('PASS')
  await free.push('a1', { checks: { test: 'failed' } })
  await free.label('ada', 'override')
  expect(await free.decision()).toMatchObject({ status: 'success', by: 'human' })
})
