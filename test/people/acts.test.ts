// Who may act on a commit, in whose name, and on which commit their words are.
import { describe, expect, test } from 'vitest'
import type { PolicyInput } from '../../src/core/contract/policy/policy.ts'
import type { Person } from '../../src/core/people/people.ts'
import { unheard } from '../../src/core/decision/unheard.ts'
import { ada, agent, aPerson, aScene, bob, cleo, dan, helper, madeBy, shaOf, type Scene } from './scene.ts'

const tested: PolicyInput = { verification: { checks: ['test'] } }
const verified: PolicyInput = { override_policy: { direct_approval_allowed: true }, verification: { checks: ['test'] } }
const ann = aPerson('ann', { permission: 'maintain' })

function aFailure(policy: PolicyInput = tested, ...made: Parameters<typeof madeBy>[0][]) {
  const scene = aScene(policy, [madeBy(agent, 'author'), ...made.map((one) => madeBy(one, 'owner'))])
  scene.push('a1', { checks: { test: 'failed' } })
  return scene
}

describe('who may', () => {
  test.each<[string, Person, string, string]>([
    ['a maintainer', ada, '/override flaky', 'CHECK_OVERRIDE check:test'],
    ['an admin', cleo, '/override flaky', 'CHECK_OVERRIDE check:test'],
    ['somebody of too little permission', bob, '/override flaky', 'denied: permission maintain'],
    ['a bot of any permission', helper, '/override flaky', 'denied: bot'],
    ['somebody who made it', ann, '/override flaky', 'denied: builder'],
    ['a maintainer without a reason', ada, '/override', 'refused: reason_missing'],
    ['whoever may write rejects', bob, '/reject no', 'REJECTION'],
    ['also who made it', ann, '/reject no', 'REJECTION'],
    ['also without a reason', bob, '/reject', 'REJECTION'],
    ['who may not write does not reject', dan, '/reject no', 'denied: permission write'],
    ['a maintainer grants new attempts', ada, '/retry flaky', 'RETRY_RESET spent for good'],
    ['not for nothing', ada, '/retry', 'refused: reason_missing'],
    ['who made it grants none', ann, '/retry flaky', 'denied: builder'],
    ['nobody where there is nothing to acknowledge', ada, '/ack seen', 'refused: nothing_to_acknowledge'],
    ['nobody where policy does not allow it', ada, '/approve fine', 'denied: forbidden_by_policy override_policy.direct_approval_allowed'],
  ])('%s', (_title, user, words, answer) => {
    expect(aFailure(tested, ann).says(user, words)).toEqual([answer])
  }) // prettier-ignore

  test('a direct approval takes the permission and a reason', () => {
    expect(aFailure(verified).says(bob, '/approve fine')).toEqual(['denied: permission maintain'])
    expect(aFailure(verified).says(ada, '/approve')).toEqual(['refused: reason_missing'])
    expect(aFailure(verified).says(ada, '/approve fine')).toEqual(['DIRECT_APPROVAL'])
  })

  test('policy may ask for less, or for more', () => {
    const least = (min_permission: 'write' | 'admin') => aFailure({ ...tested, override_policy: { min_permission } })
    expect(least('write').says(bob, '/override flaky')).toEqual(['CHECK_OVERRIDE check:test'])
    expect(least('admin').says(ada, '/override flaky')).toEqual(['denied: permission admin'])
  })

  test('a policy that cannot be read leaves it to admins', () => {
    const scene = aScene(tested)
    scene.push('a1', { invalid: [{ code: 'policy_invalid', subject: null, detail: null }], checks: { test: 'failed' } })
    expect(scene.says(ada, '/override flaky')).toEqual(['denied: permission admin'])
    expect(scene.says(cleo, '/override flaky')).toEqual(['CHECK_OVERRIDE check:test'])
  })

  test('who may instead is said', () => {
    expect(aFailure().whoMay(bob, '/ack r')).toEqual(['somebody with maintain permission who is not a builder'])
    expect(aFailure().whoMay(dan, '/reject r')).toEqual(['somebody with write permission'])
    expect(aFailure().whoMay(ada, '/override --check tset r')).toEqual(['tier1', 'test'])
  })
})

describe('alone', () => {
  test('the only one who may, may also where they directed it, and it says so', () => {
    const scene = aFailure(tested, ann)
    scene.judged('PASS')
    scene.peopled(0, 1, 3)
    expect(scene.says(ann, '/override flaky')).toEqual(['CHECK_OVERRIDE check:test (solo)'])
    expect(scene.shown()).toBe('success success')
  })

  test('who did not make it is not solo, however alone', () => {
    const scene = aFailure(tested, ann)
    scene.peopled(0, 1, 3)
    expect(scene.says(ada, '/override flaky')).toEqual(['CHECK_OVERRIDE check:test'])
  })
})

describe('in whose name', () => {
  test('what an app writes with the token of a person is not their word', () => {
    for (const words of ['/override flaky', '/reject no', '/ack seen', '/revoke', '/verify']) {
      expect(aFailure().says(ada, words, { through: 'some-app' })).toEqual(['denied: through_app some-app'])
    }
  })

  test('unless policy names the app', () => {
    const scene = aFailure({ ...tested, identities: { apps: ['Some-App'] } })
    expect(scene.says(ada, '/override flaky', { through: 'some-app' })).toEqual(['CHECK_OVERRIDE check:test'])
    expect(scene.says(ada, '/override flaky', { through: 'another-app' })).toEqual(['denied: through_app another-app'])
  })
})

describe('on which commit', () => {
  const head = shaOf('a1')
  test.each<[string, string, string, string]>([
    ['the head that was read', head, '/override flaky', 'CHECK_OVERRIDE check:test'],
    ['an older head', shaOf('b2'), '/override flaky', `denied: head_moved ${head}`],
    ['an older head, and the new one named', shaOf('b2'), '/override --sha a100000 flaky', 'CHECK_OVERRIDE check:test'],
    ['the head, and another one named', head, '/override --sha b200000 flaky', `denied: head_moved ${head}`],
    ['an older head, rejected', shaOf('b2'), '/reject no', `denied: head_moved ${head}`],
    ['new attempts are granted to the task, whatever was read', shaOf('b2'), '/retry flaky', 'RETRY_RESET spent for good'],
  ])('%s', (_title, sha, words, answer) => {
    expect(aFailure().says(ada, words, { sha })).toEqual([answer])
  }) // prettier-ignore

  test('what is said twice under one key is heard once', () => {
    const scene = aFailure()
    expect(scene.says(bob, '/override flaky', { key: 'c1' })).toEqual(['denied: permission maintain'])
    expect(scene.says(ada, '/override flaky', { key: 'c1' })).toEqual([])
  })

  test('a draft or a closed pull request hears what restricts and no other act, and words are taken back there', () => {
    const scene = aFailure()
    scene.says(ada, '/reject no')
    scene.ended('draft')
    expect(scene.says(ada, '/override flaky')).toEqual(['refused: no_attempt'])
    expect(scene.labels(ada, 'override')).toEqual(['refused: no_attempt'])
    expect(scene.labels(ada, 'reject')).toContain('REJECTION')
    expect(scene.says(ada, '/reject again')).toEqual(['REJECTION'])
    expect(scene.says(ada, '/revoke')).toEqual(['revoked REJECTION'])
  })

  describe('at a closed pull request whose first commit came back', () => {
    const cameBack = (deed: (scene: Scene) => unknown): Scene => {
      const scene = aScene()
      scene.push('a1')
      scene.push('b2')
      scene.push('a1')
      deed(scene)
      scene.ended('closed')
      return scene
    }

    test('a word is taken back where it was said', () => {
      const scene = cameBack((on) => on.says(ada, '/reject no'))
      expect(scene.says(ada, '/revoke')).toEqual(['revoked REJECTION'])
    })

    test('a label too', () => {
      const scene = cameBack((on) => on.labels(ada, 'reject'))
      expect(scene.labels(ada, 'reject', false)).toContain('revoked REJECTION')
    })

    test('what could not be taken in stays with whatever comes next', () => {
      const fault = { type: 'note_fault', doing: unheard('said', 'g1'), what: 'it threw' } as const
      const scene = cameBack((on) => on.tell({ ...fault, attempt_id: on.live().id }))
      scene.push('c3')
      expect(scene.live().faults).toEqual({ [unheard('said', 'g1')]: 'it threw' })
    })
  })

  test('a pull request of which nothing is known hears nothing', () => {
    expect(aFailure().says(ada, '/revoke', { pull: 10 })).toEqual(['refused: no_attempt'])
    expect(aFailure().reviews(ada, 'approved', { pull: 10 })).toEqual(['refused: no_attempt'])
  })
})
