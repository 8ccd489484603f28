// What a state owes the world: which answers are missing, which time has come, and what must be shown.
import { describe, expect, test } from 'vitest'
import type { PolicyInput } from '../../src/core/contract/policy/policy.ts'
import { owed, type Owed } from '../../src/core/decision/shown/owed.ts'
import type { Pushed, Scene } from '../people/scene.ts'
import { ada, aScene, bob, cleo } from '../people/scene.ts'

const tested: PolicyInput = { verification: { checks: ['test'] } }
const gated: PolicyInput = { ...tested, security: { red_team: { enabled: true }, vision: { enabled: true } } }
/** When the scene plays; each wait is counted from here. */
const start = Date.parse('2026-01-05T09:00:00.000Z')
const hours = (count: number, lessMs = 0) => new Date(start + count * 3_600_000 - lessMs).toISOString()

const owing = (scene: Scene, now = hours(0)): readonly Owed[] => owed(scene.task(), now)
const asked = (scene: Scene, now = hours(0)): string[] =>
  owing(scene, now).flatMap((one) => {
    if (one.kind !== 'ask') return []
    return ['gate' in one.question ? `gate ${one.question.gate}` : one.question.kind]
  })
const told = (scene: Scene, now: string): string[] =>
  owing(scene, now).flatMap((one) => (one.kind === 'tell' && one.input.type === 'end_wait' ? [one.input.what] : []))
const shown = (scene: Scene): string[] => owing(scene).flatMap((one) => (one.kind === 'show' ? [one.shown.kind] : []))

function pushed(policy: PolicyInput = tested, given: Pushed = {}) {
  const scene = aScene(policy)
  scene.push('a1', given)
  return scene
}
function passed(policy: PolicyInput = tested, given: Pushed = {}) {
  const scene = pushed(policy, { checks: { test: 'passed' }, ...given })
  scene.judged('PASS')
  return scene
}

describe('it asks for', () => {
  const policyFile = ['.github/countersign.yml']
  // prettier-ignore
  test.each<[string, () => Scene, string[]]>([
    ['the files first', () => pushed(tested, { files: null, tier1: 'running' }), ['files']],
    ['the copy of the policy that the change brings', () => pushed(tested, { files: policyFile }), ['policy_copy']],
    ['results of tier 1', () => pushed({}, { tier1: 'running' }), ['results']],
    ['results of checks', () => pushed(), ['results']],
    ['the verdict, once the results are there', () => pushed(tested, { checks: { test: 'passed' } }), ['verdict']],
    ['the verdict, though a check failed', () => pushed(tested, { checks: { test: 'failed' } }), ['verdict']],
    ['nothing, once everything is known', () => passed(), []],
    ['each gate in its turn', () => passed(gated), ['gate red_team']],
    ['the next gate', () => { const scene = passed(gated); scene.gate('red_team', 'PASS'); return scene }, ['gate vision']],
    ['no gate after one that blocks', () => { const scene = passed(gated); scene.gate('red_team', 'BLOCK'); return scene }, []],
    ['nothing of a closed pull request', () => { const scene = pushed(); scene.ended('closed'); return scene }, []],
    ['nothing where somebody rejected it', () => { const scene = pushed(); scene.says(bob, '/reject no'); return scene }, []],
  ])('%s', (_title, scene, questions) => expect(asked(scene())).toEqual(questions))

  test('the files while it waits for them, and refers nobody to anything', () => {
    const scene = pushed(tested, { files: null, tier1: 'running' })
    expect(scene.shown()).toBe('pending pending')
    expect(scene.decision()?.reasons[0]).toMatchObject({ code: 'awaiting_files' })
  })

  test('no copy of a policy that the change removes, or that was read', () => {
    const scene = pushed(tested, { files: null })
    const files = [{ path: '.github/countersign.yml', previous_path: null, status: 'removed' }] as const
    scene.tell({ type: 'report_files', attempt_id: scene.live().id, files, complete: true })
    expect(asked(scene)).toEqual([])
    const changing = pushed(tested, { files: policyFile })
    changing.tell({ type: 'report_policy_copy', attempt_id: changing.live().id, problems: [] })
    expect(asked(changing)).toEqual([])
  })

  test('a verdict that could not be had, when its time has come', () => {
    const scene = pushed(tested, { checks: { test: 'passed' } })
    scene.outage('transient', hours(1))
    expect(asked(scene, hours(1, 1))).toEqual([])
    expect(asked(scene, hours(1))).toEqual(['verdict'])
    const never = pushed(tested, { checks: { test: 'passed' } })
    never.outage('no_key')
    expect(asked(never, hours(100))).toEqual([])
  })
})

describe('a wait is over', () => {
  const short: PolicyInput = { verification: { checks: ['test'], wait: '2h' }, park_wait: '5h' }

  test('where results did not come in time, to the millisecond', () => {
    const scene = pushed(short)
    expect(told(scene, hours(2, 1))).toEqual([])
    expect(told(scene, hours(2))).toEqual(['verification.wait'])
    scene.waited()
    expect(told(scene, hours(2))).toEqual([])
  })

  test('where nobody answered a referral in time, once', () => {
    const scene = pushed(short, { checks: { test: 'passed' } })
    scene.judged('REFER')
    expect(told(scene, hours(5, 1))).toEqual([])
    expect(told(scene, hours(5))).toEqual(['park_wait'])
    scene.tell({ type: 'end_wait', attempt_id: scene.live().id, what: 'park_wait' })
    expect(scene.live().state).toBe('CANCELLED')
    expect(told(scene, hours(100))).toEqual([])
  })

  test('not where there is nothing to wait for, or the pull request is closed', () => {
    expect(told(passed(short), hours(100))).toEqual([])
    expect(told(pushed(short, { checks: { test: 'failed' }, tier1: 'failed' }), hours(100))).toEqual([])
    const scene = pushed(short)
    scene.ended('closed')
    expect(told(scene, hours(100))).toEqual([])
  })
})

describe('it shows', () => {
  test('the check run and the labels of an open pull request, and the comment where policy says so', () => {
    expect(shown(pushed())).toEqual(['check_run', 'labels'])
    expect(shown(pushed({ ...tested, comment: 'always' }))).toEqual(['check_run', 'sticky', 'labels'])
  })

  test.each<[string, () => Scene, boolean]>([
    ['results are awaited', () => pushed(), false],
    ['all is well', () => passed(), false],
    ['a check failed', () => pushed({ verification: { checks: ['test'], verifier: { enabled: false } } }, { checks: { test: 'failed' } }), true],
    ['a check failed, and nobody is to be told', () => pushed({ comment: 'never', verification: { checks: ['test'], verifier: { enabled: false } } }, { checks: { test: 'failed' } }), false],
    ['somebody said no', () => { const scene = pushed(); scene.says(bob, '/reject no'); return scene }, true],
    ['nothing judges it', () => pushed({ verification: { verifier: { enabled: false } } }), true],
  ])('the comment where there is more to say: %s', (_title, scene, isWanted) => {
    expect(shown(scene()).includes('sticky')).toBe(isWanted)
  }) // prettier-ignore

  test('the check run alone once it is closed', () => {
    const scene = pushed()
    scene.ended('closed')
    expect(shown(scene)).toEqual(['check_run'])
  })

  test('nothing again that is shown already, and what has changed in the same place', () => {
    const scene = pushed({ ...tested, comment: 'always' })
    for (const one of owing(scene)) {
      if (one.kind !== 'show') continue
      const { slot, digest } = one
      scene.tell({ type: 'show_slot', attempt_id: scene.live().id, slot, digest, ref: `ref of ${one.shown.kind}` })
    }
    expect(shown(scene)).toEqual([])
    scene.check('test', 'failed')
    const refs = owing(scene).flatMap((one) => (one.kind === 'show' ? [one.ref] : []))
    expect(refs).toEqual(['ref of check_run', 'ref of sticky'])
  })

  test('that somebody should look, where no check stands behind a success', () => {
    const request = (scene: Scene) =>
      owing(scene).flatMap((one) => (one.kind === 'show' && one.shown.kind === 'review_request' ? [one.shown] : []))
    const from = (lead: string[]) => passed({ roles: { lead } })
    expect(request(from([]))).toMatchObject([{ pull: 9, from: [], admins: true, not: ['agent[bot]'] }])
    expect(request(from(['cleo']))).toMatchObject([{ from: ['cleo'] }])
    expect(request(passed())).toEqual([])
    const byHand = aScene({})
    byHand.push('a1')
    byHand.judged('SOFT_FAIL')
    expect(request(byHand)).toEqual([])
    byHand.says(ada, '/override it is fine')
    expect(byHand.shown()).toBe('success success')
    expect(request(byHand)).toEqual([])
  })

  test('a note to the leads where a task failed for good, once', () => {
    const scene = pushed({ ...tested, roles: { lead: ['cleo'] } }, { checks: { test: 'passed' } })
    scene.judged('HARD_FAIL')
    expect(shown(scene)).toContain('note')
    scene.says(cleo, '/override --verifier it is right')
    expect(shown(scene)).not.toContain('note')
  })
})
