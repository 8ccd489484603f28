// The moves of a task that people ask for: who may, from where, and what is bound to the commit that was read.
import { describe, expect, test } from 'vitest'
import type { PolicyInput } from '../../src/core/contract/policy/policy.ts'
import { judgeTask } from '../../src/core/people/judge-task.ts'
import type { Person } from '../../src/core/people/people.ts'
import { anAttempt, aTask, policyOf } from '../words/attempts.ts'
import { ada, agent, answer, aPerson, aScene, bob, cleo, dan, helper, madeBy, shaOf, type Scene } from './scene.ts'

const ann = aPerson('ann')
const verified: PolicyInput = { verification: { checks: ['test'] }, merge_requires: 'verified' }
const direct = { override_policy: { direct_approval_allowed: true } }

function reviewed(policy: PolicyInput = verified, made = [madeBy(agent, 'author'), madeBy(ann, 'owner')]) {
  const scene = aScene(policy, made)
  scene.push('a1', { checks: { test: 'passed' } })
  scene.judged('PASS')
  return scene
}
/** Approved by bob, and waiting for somebody to confirm it. */
function done(policy: PolicyInput = verified, made?: Parameters<typeof reviewed>[1]) {
  const scene = reviewed(policy, made)
  scene.reviews(bob, 'approved')
  expect(scene.task().status).toBe('completed')
  return scene
}
/** Back with its builder, after it had been sent back. */
function sentBack(policy: PolicyInput = verified) {
  const scene = done(policy)
  scene.says(ada, '/task reject it fails on staging')
  expect(scene.task().status).toBe('in_progress')
  return scene
}
/** A task that no pull request was opened for: whoever works on it comes before that. */
function early(status: 'pending' | 'assigned', policy: PolicyInput = {}) {
  const attempt = anAttempt({}, policyOf(policy))
  const task = { ...aTask(attempt), status, assignee: status === 'assigned' ? { id: bob.id, login: 'Bob' } : null }
  return (user: Person, verb: 'assign' | 'start', text = '', through: string | null = null): string[] => {
    const { head_sha: sha, census } = attempt
    const named = text === '' ? null : bob
    const saying = { key: 'k', user, sha, source: 'comment', census, text, at: '', through, named } as const
    return judgeTask({ task, attempt, saying }, verb, text).flatMap(answer)
  }
}
function confirmed(policy: PolicyInput = verified) {
  const scene = done(policy)
  scene.says(ada, '/task verify tried it')
  expect(scene.task().status).toBe('verified')
  return scene
}

describe('a move from elsewhere is refused', () => {
  test.each<[string, () => Scene, string, string]>([
    ['confirmed before it was approved', reviewed, '/task verify tried it', 'review to verified'],
    ['handed in twice', reviewed, '/task submit again', 'review to review'],
    ['assigned while it is worked on', reviewed, '/task assign @bob', 'review to assigned'],
    ['started while it is worked on', reviewed, '/task start', 'review to in_progress'],
    ['opened again before it was confirmed', done, '/task reopen it is back', 'completed to in_progress'],
    ['confirmed twice', confirmed, '/task verify tried it', 'verified to verified'],
  ])('%s', (_title, scene, words, move) => {
    expect(scene().says(cleo, words)).toEqual([`refused: undeclared_transition ${move}`])
  })
})

test.each<[string, () => Scene, number]>([
  ['before it was approved', reviewed, 0],
  ['when it was approved', done, 1],
  ['when it was confirmed', confirmed, 1],
])('a no to what is open is one, %s', (_title, played, times) => {
  const scene = played()
  expect(scene.says(cleo, '/task reject no')).toEqual(['REJECTION'])
  expect(scene.shown()).toBe('failed rejected')
  expect(scene.task().sent_back).toHaveLength(times)
})

describe('before there is a pull request', () => {
  const led = { roles: { lead: ['ada'] } }
  test.each<[string, Person, PolicyInput, string]>([
    ['an admin assigns', cleo, {}, 'TaskAssigned bob'],
    ['not a maintainer', ada, {}, 'denied: not_in_role roles.lead'],
    ['a lead, where policy names some', ada, led, 'TaskAssigned bob'],
    ['not an admin, where policy names leads', cleo, led, 'denied: not_in_role roles.lead'],
    ['not a bot', helper, {}, 'denied: not_in_role roles.lead'],
  ])('%s', (_title, user, policy, answer) => {
    expect(early('pending', policy)(user, 'assign', '@bob ')).toEqual([answer])
  })

  test('who was assigned starts, in their own words', () => {
    expect(early('assigned')(bob, 'start')).toEqual(['TaskStarted'])
    expect(early('assigned')(ada, 'start')).toEqual(['denied: not_in_role assignee'])
    expect(early('assigned')(bob, 'start', '', 'app')).toEqual(['denied: not_in_role assignee'])
  })

  test('neither assigned twice nor started unassigned', () => {
    expect(early('assigned')(cleo, 'assign', '@bob')).toEqual(['refused: undeclared_transition assigned to assigned'])
    expect(early('pending')(bob, 'start')).toEqual(['refused: undeclared_transition pending to in_progress'])
  })
})

describe('confirming', () => {
  test.each([
    ['somebody who may write', ada, 'TaskVerified triple'],
    ['not who may not write', dan, 'denied: permission write'],
    ['not a bot', helper, 'denied: bot'],
    ['not who made it', ann, 'denied: builder'],
    ['not who approved it', bob, 'denied: approver'],
  ])('%s', (_title, user, answer) => {
    expect(done().says(user, '/task verify tried it')).toEqual([answer])
  })

  test('what was confirmed may merge', () => expect(confirmed().shown()).toBe('success success'))

  test('is of the commit that was read, in their own words', () => {
    const moved = `denied: head_moved ${shaOf('a1')}`
    expect(done().says(ada, '/task verify tried it', { sha: shaOf('b2') })).toEqual([moved])
    expect(done().says(ada, '/task verify tried it', { through: 'app' })).toEqual(['denied: through_app app'])
  })

  test.each([
    ['who is named', ada, ['TaskVerified triple']],
    ['a bot that is named', helper, ['TaskVerified triple']],
    ['a lead', cleo, ['TaskVerified triple']],
    ['nobody else', aPerson('eve'), ['denied: not_in_role roles.verifier']],
    ['no other bot', aPerson('other[bot]', { kind: 'bot' }), ['denied: bot']],
    ['also who is named needs the permission', { ...ada, permission: 'triage' as const }, ['denied: permission write']],
  ])('where policy names the verifiers: %s', (_title, user, answers) => {
    const roles = { verifier: ['ada', 'helper[bot]'], lead: ['cleo'] }
    expect(done({ ...verified, roles }).says(user, '/task verify tried it')).toEqual(answers)
  }) // prettier-ignore

  test('where two people are enough, who approved may confirm', () => {
    const scene = done()
    scene.peopled(0, 0, 2)
    expect(scene.says(bob, '/task verify tried it')).toEqual(['TaskVerified double'])
  })

  test('who approved directly does not confirm either, also after having taken it back', () => {
    const scene = reviewed({ ...verified, ...direct })
    scene.reviews(bob, 'approved')
    scene.says(ada, '/approve I know it')
    scene.says(ada, '/revoke')
    expect(scene.says(ada, '/task verify tried it')).toEqual(['denied: approver'])
  })

  test('who approved does not, whoever else approved', () => {
    const scene = done()
    scene.reviews(aPerson('eve'), 'approved')
    expect(scene.says(bob, '/task verify tried it')).toEqual(['denied: approver'])
  })

  test('who may instead is said', () => {
    expect(done().whoMay(dan, '/task verify r')).toEqual(['somebody with write permission who is not a builder'])
    const roles = { verifier: ['ada'], lead: ['cleo'] }
    expect(done({ ...verified, roles }).whoMay(dan, '/task verify r')).toEqual(['ada'])
    expect(confirmed().whoMay(dan, '/task reopen r')).toEqual(['somebody with admin permission'])
    expect(confirmed({ ...verified, roles: { lead: ['cleo'] } }).whoMay(dan, '/task reopen r')).toEqual(['cleo'])
    expect(sentBack().whoMay(dan, '/task submit r')).toEqual(['agent[bot]', 'ann'])
  })

  test('who requested changes, or acknowledged, has not approved', () => {
    const scene = reviewed()
    scene.reviews(ada, 'changes_requested')
    scene.says(ada, '/ack seen')
    scene.dismisses(ada)
    scene.reviews(bob, 'approved')
    expect(scene.says(ada, '/task verify tried it')).toEqual(['TaskVerified triple'])
  })

  test('whose approval did not count may confirm', () => {
    const scene = reviewed({ ...verified, roles: { reviewer: ['bob'] } })
    scene.reviews(ada, 'approved')
    scene.reviews(bob, 'approved')
    expect(scene.says(ada, '/task verify tried it')).toEqual(['TaskVerified triple'])
  })

  test.each([
    ['what their agent made', madeBy(bob, 'owner'), true],
    ['not what they committed', madeBy(bob, 'owner', 'committer'), false],
    ['not what they wrote', madeBy(bob, 'author'), false],
  ])('where there is nobody else, they confirm %s', (_title, maker, may) => {
    const scene = aScene(verified, [madeBy(agent, 'pusher'), maker])
    scene.push('a1', { checks: { test: 'passed' } })
    scene.judged('PASS')
    scene.peopled(0, 0, 1)
    scene.reviews(bob, 'approved')
    expect(scene.says(bob, '/task verify tried it')).toEqual([may ? 'TaskVerified solo' : 'denied: builder'])
  })

  test('but not where somebody else could', () => {
    const scene = done(verified, [madeBy(agent, 'author'), madeBy(ada, 'owner')])
    scene.peopled(0, 1, 1)
    expect(scene.says(ada, '/task verify tried it')).toEqual(['denied: builder'])
  })
})

describe('sending back', () => {
  test.each([
    ['somebody who may write, with a reason', ada, '/task reject it fails', 'REJECTION'],
    ['not without a reason', ada, '/task reject', 'refused: reason_missing'],
    ['not who may not write', dan, '/task reject it fails', 'denied: permission write'],
    ['not who made it', ann, '/task reject it fails', 'denied: builder'],
    ['not a bot', helper, '/task reject it fails', 'denied: bot'],
  ])('%s', (_title, user, words, answer) => expect(done().says(user, words)).toEqual([answer]))

  test('is of the commit that was read, which is rejected', () => {
    const moved = [`denied: head_moved ${shaOf('a1')}`]
    expect(done().says(ada, '/task reject it fails', { sha: shaOf('b2') })).toEqual(moved)
    expect(sentBack().shown()).toBe('failed rejected')
  })
})

describe('handing in', () => {
  test.each([
    ['who made it', ann, 'TaskSubmitted'],
    ['nobody else', cleo, 'denied: not_in_role builder'],
  ])('%s', (_title, user, answer) => expect(sentBack().says(user, '/task submit mended')).toEqual([answer]))

  test('is of the commit that was read', () => {
    const moved = [`denied: head_moved ${shaOf('a1')}`]
    expect(sentBack().says(ann, '/task submit mended', { sha: shaOf('b2') })).toEqual(moved)
  })
})

describe('opening again', () => {
  const led = { ...verified, roles: { lead: ['ada', 'helper[bot]'] } }
  test.each<[string, PolicyInput, Parameters<Scene['says']>, string]>([
    ['an admin', verified, [cleo, '/task reopen it is back'], 'TaskReopened'],
    ['not without a reason', verified, [cleo, '/task reopen'], 'refused: reason_missing'],
    ['not a maintainer', verified, [ada, '/task reopen it is back'], 'denied: not_in_role roles.lead'],
    ['not a bot', verified, [helper, '/task reopen it is back'], 'denied: not_in_role roles.lead'],
    ['a lead, where policy names some', led, [ada, '/task reopen it is back'], 'TaskReopened'],
    ['not an admin, where policy names leads', led, [cleo, '/task reopen it is back'], 'denied: not_in_role roles.lead'],
    ['not a bot, though it is named', led, [helper, '/task reopen it is back'], 'denied: not_in_role roles.lead'],
    ['not an app in the name of an admin', verified, [cleo, '/task reopen it is back', { through: 'app' }], 'denied: not_in_role roles.lead'],
    ['whatever was read', verified, [cleo, '/task reopen it is back', { sha: shaOf('b2') }], 'TaskReopened'],
  ])('%s', (_title, policy, words, answer) => {
    const scene = confirmed(policy)
    expect(scene.says(...words)).toEqual([answer])
    expect(scene.task().status).toBe(answer === 'TaskReopened' ? 'review' : 'verified')
  }) // prettier-ignore
})
