// A task that was sent back twice waits for a lead; what was merged is confirmed by somebody else than who merged it; a guest's
// work is taken up by whoever lets its workflow run; and its makers say what they took for granted.
import { describe, expect, test } from 'vitest'
import type { PolicyInput } from '../../src/core/contract/policy/policy.ts'
import { ada, agent, aPerson, aScene, bob, cleo, dan, helper, madeBy, shaOf } from './scene.ts'

const verified: PolicyInput = { verification: { checks: ['test'] }, merge_requires: 'verified' }

/** Approved by bob and sent back by ada, so often, each time with another commit. */
function sentBack(times: number, policy: PolicyInput = verified) {
  const scene = aScene(policy, [madeBy(agent, 'author')])
  for (let nth = 1; nth <= times; nth += 1) {
    scene.push(`a${nth}`, { checks: { test: 'passed' } })
    scene.judged('PASS')
    scene.reviews(bob, 'approved')
    expect(scene.says(ada, '/task reject it fails')).toEqual(['REJECTION'])
  }
  scene.push('b1', { checks: { test: 'passed' } })
  scene.judged('PASS')
  scene.reviews(bob, 'approved')
  expect(scene.task().status).toBe('completed')
  return scene
}

describe('a task that was sent back', () => {
  test('once is confirmed as any other, and there is nothing to decide', () => {
    const scene = sentBack(1)
    expect(scene.says(cleo, '/task accept it is as it is')).toEqual(['refused: not_escalated'])
    expect(scene.says(ada, '/task verify tried it')).toEqual(['TaskVerified triple'])
  })

  test('twice is confirmed by nobody before a lead has decided', () => {
    const scene = sentBack(2)
    expect(scene.says(ada, '/task verify tried it')).toEqual(['denied: awaits_lead'])
    expect(scene.task().sent_back).toHaveLength(2)
    expect(scene.says(cleo, '/task accept it is as it is')).toEqual([])
    expect(scene.task().sent_back).toEqual([])
    expect(scene.says(ada, '/task verify tried it')).toEqual(['TaskVerified triple'])
  })

  test.each([
    ['an admin accepts', cleo, '/task accept it is as it is', [], 0],
    ['not without a reason', cleo, '/task accept', ['refused: reason_missing'], 2],
    ['splits it into a list', cleo, '/task split\n\n- one\n- two', [], 0],
    ['but not into nothing', cleo, '/task split', ['refused: parts_missing'], 2],
    [
      'gives it to nobody whom GitHub does not know',
      cleo,
      '/task reassign @nobody',
      ['refused: nobody_named nobody'],
      2,
    ],
    ['not a maintainer', ada, '/task accept it is as it is', ['denied: not_in_role roles.lead'], 2],
    ['not a bot', helper, '/task accept it is as it is', ['denied: not_in_role roles.lead'], 2],
  ])('%s', (_title, who, words, answers, left) => {
    const scene = sentBack(2)
    expect(scene.says(who, words)).toEqual(answers)
    expect(scene.task().sent_back).toHaveLength(left)
  })

  test('its parts are on record', () => {
    const scene = sentBack(2)
    scene.says(cleo, '/task split\n\n- one\n- two')
    expect(scene.task().parts.map(({ title, by }) => `${title} by ${by}`)).toEqual(['one by cleo', 'two by cleo'])
  })
})

describe('what was merged', () => {
  const merged = (by: typeof ada, policy: PolicyInput = verified, approved = true) => {
    const scene = aScene(policy)
    scene.push('a1', { checks: { test: 'passed' } })
    scene.judged('PASS')
    if (approved) scene.reviews(bob, 'approved')
    scene.tell({ type: 'report_merge', attempt_id: scene.live().id, by })
    return scene
  }

  test.each([
    ['by somebody else', aPerson('eve', { id: 3 }), ['TaskVerified triple']],
    ['not by who merged it', { ...ada, id: 1 }, ['denied: merged_it']],
  ])('is confirmed %s', (_title, by, answers) => {
    expect(merged(by).says({ ...ada, id: 1 }, '/task verify tried it')).toEqual(answers)
  })

  test('without any approval, since none was asked for, is confirmed all the same', () => {
    const open: PolicyInput = { verification: { checks: ['test'] } }
    const scene = merged(aPerson('eve', { id: 3 }), open, false)
    expect(scene.task().status).toBe('review')
    expect(scene.says(ada, '/task verify tried it')).toEqual(['TaskVerified triple'])
    const failed = aScene(open)
    failed.push('a1', { checks: { test: 'failed' } })
    failed.tell({ type: 'report_merge', attempt_id: failed.live().id, by: aPerson('eve', { id: 3 }) })
    expect(failed.says(ada, '/task verify tried it')).toEqual(['refused: undeclared_transition review to verified'])
  })
})

describe('what its makers took for granted', () => {
  const scene = () => {
    const one = aScene(verified, [madeBy(agent, 'author')])
    one.push('a1', { checks: { test: 'passed' } })
    return one
  }
  const assumed = (one: ReturnType<typeof scene>) => one.live().assumed?.map(({ by, text }) => `${by}: ${text}`)

  test.each([
    ['in a line', '/assume prices are cents', ['agent[bot]: prices are cents']],
    ['in a list', '/assume\n\n- prices are cents\n- nobody pays less than nothing', ['agent[bot]: prices are cents', 'agent[bot]: nobody pays less than nothing']],
    ['in both', '/assume cents\n\n- and whole ones', ['agent[bot]: cents', 'agent[bot]: and whole ones']],
    ['the beginning of what is long', `/assume\n\n- ${'x'.repeat(300)}`, [`agent[bot]: ${'x'.repeat(200)}`]],
    ['at most ten of it', `/assume\n\n${Array.from({ length: 12 }, (_, at) => `- ${at} of it`).join('\n')}`, Array.from({ length: 10 }, (_, at) => `agent[bot]: ${at} of it`)],
  ])('%s', (_title, words, told) => {
    const one = scene()
    expect(one.says(agent, words)).toEqual([])
    expect(assumed(one)).toEqual(told)
  }) // prettier-ignore

  test('is said by nobody else, in nobody else’s name, and says something', () => {
    const one = scene()
    expect(one.says(cleo, '/assume cents')).toEqual(['refused: not_builder'])
    expect(one.whoMay(cleo, '/assume cents')).toEqual(['agent[bot]'])
    expect(one.says(agent, '/assume cents', { through: 'app' })).toEqual(['refused: not_builder'])
    expect(one.says(agent, '/assume')).toEqual(['refused: assumption_missing'])
    expect(assumed(one)).toBeUndefined()
  })

  test('decides nothing', () => {
    const one = scene()
    one.judged('PASS')
    const before = one.shown()
    one.says(agent, '/assume cents')
    expect(one.shown()).toBe(before)
  })
})

describe('a guest’s workflow that somebody lets run', () => {
  const stranger = aPerson('eve', { permission: 'read' })
  const guest = () => {
    const scene = aScene({ verification: { checks: ['test'] } }, [madeBy(stranger, 'author')])
    scene.push('a1', { guest: true, checks: { test: 'passed' } })
    scene.judged('PASS')
    return scene
  }
  const lets = (scene: ReturnType<typeof guest>, user: typeof ada, sha = shaOf('a1')): string[] => {
    const census = { admin: 1, maintain: 2, write: 3, complete: true }
    const saying = { key: 'run', user, sha, source: 'run', census, text: '', at: '', through: null } as const
    scene.tell({ type: 'approve_run', pull: 9, saying })
    return scene.live().acts.map(({ type, user: by }) => `${type} by ${by}`)
  }

  test.each([
    ['is taken up by a maintainer', ada, shaOf('a1'), ['ACKNOWLEDGMENT by ada']],
    ['not by who may not write', dan, shaOf('a1'), []],
    ['not by who made it', { ...stranger, permission: 'maintain' as const }, shaOf('a1'), []],
    ['not for another commit', ada, shaOf('b2'), []],
  ])('%s', (_title, who, sha, acts) => {
    expect(lets(guest(), who, sha)).toEqual(acts)
  })

  test('is nothing where it was taken up before, or was no guest’s', () => {
    const scene = guest()
    scene.says(ada, '/ack welcome')
    expect(lets(scene, cleo)).toEqual(['ACKNOWLEDGMENT by ada'])
    const own = aScene({ verification: { checks: ['test'] } })
    own.push('a1', { checks: { test: 'passed' } })
    expect(lets(own, ada)).toEqual([])
  })
})
