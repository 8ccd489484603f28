// Whom a pull request asks for a review, and when those who were asked need not look any more.
import { describe, expect, test } from 'vitest'
import type { PolicyInput } from '../../src/core/contract/policy/policy.ts'
import { reviewAsked } from '../../src/core/decision/shown/review-asked.ts'
import { rowNames, type Decision } from '../../src/core/decision/decision.ts'
import { ada, agent, aPerson, aScene, bob, cleo, madeBy, type Scene } from '../people/scene.ts'
import { aDecision } from '../words/attempts.ts'

type Stages = NonNullable<NonNullable<PolicyInput['review']>['stages']>
const eve = aPerson('eve', { teams: ['acme/security'] })
const security = { name: 'security', by: ['acme/security'] }
const design = { name: 'design', by: ['ada', 'bob'] }

const staging = (stages: Stages, policy: PolicyInput = {}): Scene =>
  aScene({ verification: { checks: ['test'], verifier: { enabled: false } }, review: { stages }, ...policy })

function staged(stages: Stages, policy: PolicyInput = {}): Scene {
  const scene = staging(stages, policy)
  scene.push('a1', { checks: { test: 'passed' } })
  return scene
}
/** Somebody of the stage has looked at an earlier pull request of the task. */
function answeredElsewhere(): Scene {
  const scene = staging([{ ...design, count: 2 }])
  scene.push('c3', { pull: 8, checks: { test: 'passed' } })
  scene.reviews(ada, 'approved', { pull: 8 })
  scene.push('a1', { checks: { test: 'passed' } })
  return scene
}
const asking = (scene: Scene, decision: Decision | null = scene.decision()) => {
  if (decision === null) throw new Error('nothing is decided')
  return reviewAsked(scene.task(), scene.live(), decision)
}
/** On record: whom we asked. */
function asked(scene: Scene, ...names: string[]): Scene {
  const slot = 'review-request:9'
  scene.tell({ type: 'show_slot', attempt_id: scene.live().id, slot, digest: 'd', ref: names.join() })
  return scene
}
const not = ['agent[bot]']
const nobody = { pull: 9, from: [], admins: false, not: [], round: 0 }

describe('it asks', () => {
  // prettier-ignore
  test.each<[string, () => Scene, object[]]>([
    ['the stage whose turn it is, and no later one', () => staged([design, security]), [{ pull: 9, from: ['ada', 'bob'], admins: false, not, round: 0 }]],
    ['a team by its name', () => staged([security]), [{ pull: 9, from: ['acme/security'], admins: false, not, round: 0 }]],
    ['the administrators where leads are asked whom nobody names', () => staged([{ name: 'l', by: ['ada', 'lead'] }]), [{ pull: 9, from: ['ada'], admins: true, not, round: 0 }]],
    ['the named leads', () => staged([{ name: 'l', by: ['lead'] }], { roles: { lead: ['cleo'] } }), [{ pull: 9, from: ['cleo'], admins: false, not, round: 0 }]],
    ['nobody of a stage that anybody may fill', () => staged([{ name: 'r', by: [] }]), [{ pull: 9, from: [], admins: false, not, round: 0 }]],
    ['nobody in shadow mode', () => staged([design], { mode: 'shadow' }), []],
    ['nobody while checks run', () => { const scene = staged([design]); scene.push('b2'); return scene }, []],
    ['nobody where a stage is still to be read', () => staged([{ name: 'o', by: ['code_owners'] }]), []],
    ['nobody where no stage is named and nothing is missing', () => staged([]), []],
    ['nobody by name where an approval is missing and no stage says whose', () => staged([], { merge_requires: 'completed' }), []],
  ])('%s', (_title, scene, expected) => expect(asking(scene())).toEqual(expected))

  test('whoever filled a part of it no more', () => {
    const scene = staged([{ ...design, count: 2 }])
    scene.reviews(bob, 'approved')
    expect(asking(scene)).toMatchObject([{ from: ['ada', 'bob'], not: [...not, 'bob'] }])
  })

  test('each group of owners that was not heard, and administrators where one of them is leads', () => {
    const scene = staged([{ name: 'o', by: ['code_owners'] }])
    const people = [{ stage: 'o', groups: [['ada'], ['bob', 'role:lead']], trouble: null }]
    scene.tell({ type: 'report_stages', attempt_id: scene.live().id, people })
    expect(asking(scene)).toMatchObject([{ from: ['ada', 'bob'], admins: true }])
    scene.reviews(ada, 'approved')
    expect(asking(scene)).toMatchObject([{ from: ['bob'], admins: true, not: [...not, 'ada'] }])
  })

  test('nobody else while somebody of no stage waits for changes', () => {
    const scene = staged([design])
    scene.reviews(eve, 'changes_requested')
    scene.push('b2', { checks: { test: 'passed' } })
    expect(scene.decision()?.reasons).toMatchObject([{ code: 'changes_requested', subject: 'eve' }])
    expect(asking(scene)).toEqual([])
  })

  test('whoever sent it back for a stage, with the stage', () => {
    const scene = staged([design, security])
    scene.reviews(eve, 'changes_requested')
    scene.push('b2', { checks: { test: 'passed' } })
    expect(scene.decision()?.reasons.map(({ code, subject }) => `${code} ${subject}`)).toEqual([
      'stage_missing security',
      'changes_requested eve',
    ])
    expect(asking(scene)).toMatchObject([{ from: ['acme/security', 'eve'] }])
  })
})

describe('it asks anew', () => {
  const round = (scene: Scene) => asking(scene).map((one) => one.round)

  test('whoever has answered, as often as they did, by whichever of their names', () => {
    const scene = staged([{ ...security, count: 3 }])
    scene.reviews(eve, 'approved')
    scene.push('b2', { checks: { test: 'passed' } })
    expect(round(scene)).toEqual([1])
    scene.reviews(aPerson('amy', { teams: ['Acme/Security'] }), 'approved')
    expect(round(scene)).toEqual([2])
    scene.reviews(ada, 'approved')
    expect(round(scene)).toEqual([2])
  })

  test('whoever is named, and whose answer somebody dismissed once more', () => {
    const scene = staged([{ name: 'd', by: ['ADA'] }])
    scene.reviews(ada, 'approved')
    scene.dismisses(cleo)
    expect(scene.task().reviews.map(({ standing }) => standing)).toEqual(['dismissed'])
    expect(round(scene)).toEqual([2])
  })

  test('not for what was said at another pull request', () => {
    const scene = answeredElsewhere()
    expect(scene.task().reviews).toMatchObject([{ pull: 8, by: 'ada' }])
    expect(round(scene)).toEqual([0])
  })
})

describe('whoever was asked need not look any more', () => {
  const late = ['success', 'confirmation', 'block', 'parallel']
  test.each(rowNames)('where %s decides and the review is done, otherwise they may have to again', (row) => {
    const scene = asked(staged([design]), 'ada', 'bob')
    const found = row === 'review' ? [nobody] : asking(scene, aDecision(row, { by: 'checks' }))
    expect(found).toEqual(late.includes(row) || row === 'review' ? [nobody] : [])
  })

  const done = aDecision('success', { status: 'success', by: 'checks' })
  // prettier-ignore
  test.each<[string, () => Scene, object[]]>([
    ['one of them has not answered', () => { const scene = asked(staged([design]), 'ada', 'bob'); scene.reviews(bob, 'approved'); return scene }, [nobody]],
    ['all of them have, whatever the case of a name', () => { const scene = asked(staged([design]), 'ADA'); scene.reviews(ada, 'approved'); return scene }, []],
    ['somebody answered for the team', () => { const scene = asked(staged([security]), 'acme/security'); scene.reviews(eve, 'approved'); return scene }, []],
    ['they answered at another pull request', () => asked(answeredElsewhere(), 'ada'), [nobody]],
    ['nobody was asked', () => staged([design]), []],
    ['no stage asks anybody by now', () => asked(staged([]), 'ada'), []],
  ])('where %s', (_title, scene, expected) => expect(asking(scene(), done)).toEqual(expected))
})

test('where nothing stands behind a success somebody looks, but for whoever made it', () => {
  const scene = aScene({ roles: { lead: ['cleo'] } }, [madeBy(agent, 'author'), madeBy(bob, 'pusher')])
  scene.push('a1')
  scene.judged('PASS')
  expect(asking(scene)).toEqual([{ pull: 9, from: ['cleo'], admins: false, not: ['agent[bot]', 'bob'], round: 0 }])
  const decision = aDecision('success', { ...scene.decision(), by: 'human' })
  expect(asking(scene, decision)).toEqual([])
})
