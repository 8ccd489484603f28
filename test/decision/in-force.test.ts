// Which acts, rejections and approvals are in force for a commit, and which are over.
import { describe, expect, test } from 'vitest'
import type { PolicyInput } from '../../src/core/contract/policy/policy.ts'
import { abe, ada, agent, aPerson, aScene, bob, cleo, madeBy, shaOf, type Pushed } from '../people/scene.ts'

const off = { checks: ['test', 'lint'], verifier: { enabled: false } }
const direct = { override_policy: { direct_approval_allowed: true } }

function pushed(policy: PolicyInput = {}, given: Pushed = {}, made = [madeBy(agent, 'author')]) {
  const scene = aScene({ verification: off, ...policy }, made)
  scene.push('a1', { checks: { test: 'passed', lint: 'passed' }, ...given })
  return scene
}

describe('a rejection is overruled', () => {
  const rejected = (policy: PolicyInput = {}) => {
    const scene = pushed(policy)
    scene.says(bob, '/reject no')
    return scene
  }
  test.each([
    ['by an override of checks', ada, '/override --check test it is right', 'success success'],
    ['by an override of the verifier', ada, '/override --verifier it is right', 'success success'],
    ['by a direct approval', ada, '/approve it is right', 'success approved'],
    ['not by an acknowledgment', cleo, '/ack seen', 'failed rejected'],
    ['not by new attempts', cleo, '/retry once more', 'failed rejected'],
    ['not by an equal', aPerson('eve'), '/override --check test it is right', 'failed rejected'],
  ])('%s', (_title, user, words, shown) => {
    const scene = rejected({ override_policy: { direct_approval_allowed: true, min_permission: 'write' } })
    scene.says(user, words)
    expect(scene.shown()).toBe(shown)
  })

  test('not by what somebody said before it', () => {
    const scene = pushed()
    scene.says(ada, '/override --check test it is right')
    scene.says(bob, '/reject no')
    expect(scene.shown()).toBe('failed rejected')
  })

  test('not by who made it and acts alone', () => {
    const scene = pushed({}, {}, [madeBy(agent, 'author'), madeBy(ada, 'owner')])
    scene.says(bob, '/reject no')
    scene.peopled(0, 1, 3)
    expect(scene.says(ada, '/override --check test it is right')).toEqual(['CHECK_OVERRIDE check:test for good (solo)'])
    expect(scene.shown()).toBe('failed rejected')
  })

  test('only where each is: the one of higher permission stands', () => {
    const scene = rejected()
    scene.says(abe, '/reject no')
    scene.says(ada, '/override --check test it is right')
    expect(scene.decision()?.reasons).toMatchObject([{ code: 'rejected_by', subject: 'abe' }])
    scene.says(cleo, '/override --check test it is right')
    expect(scene.shown()).toBe('success success')
  })
})

describe('what was rejected at another task', () => {
  const carried = {
    stream: 'R1#8',
    id: 'k#REJECTION',
    user: 'bob',
    user_id: null,
    permission: 'write',
    reason: 'no',
  } as const
  const carry = (scene: ReturnType<typeof pushed>, tree: string, standing: 'stands' | 'revoked' = 'stands') =>
    scene.tell({
      type: 'carry_rejection',
      rejection: { ...carried, head_sha: shaOf('c1'), tree_sha: shaOf(tree), standing },
    })

  test('counts for the same tree, and for no other', () => {
    const scene = pushed()
    const elsewhere = { ...carried, id: 'j#REJECTION', head_sha: shaOf('c1'), tree_sha: shaOf('tree-other') }
    scene.tell({ type: 'carry_rejection', rejection: { ...elsewhere, standing: 'stands' } })
    expect(scene.shown()).toBe('success success')
    carry(scene, 'tree-a1')
    expect(scene.shown()).toBe('failed rejected')
  })

  test('goes when it was taken back there, is said once, and does not come back', () => {
    const scene = pushed()
    expect(carry(scene, 'tree-a1', 'revoked')).toEqual([])
    carry(scene, 'tree-a1')
    expect(carry(scene, 'tree-a1')).toEqual([])
    carry(scene, 'tree-a1', 'revoked')
    expect(scene.shown()).toBe('success success')
    expect(carry(scene, 'tree-a1')).toEqual([])
    expect(scene.shown()).toBe('success success')
  })
})

describe('an approval', () => {
  test('from before a rejection is void, also once the rejection was taken back', () => {
    const scene = pushed({ merge_requires: 'completed' })
    scene.reviews(abe, 'approved')
    expect(scene.shown()).toBe('success success')
    scene.says(bob, '/reject no')
    scene.says(bob, '/revoke')
    expect(scene.shown()).toBe('refer review')
    scene.reviews(abe, 'approved')
    expect(scene.shown()).toBe('success success')
  })

  test('a direct one as well', () => {
    const scene = pushed(direct, { tier1: 'failed' })
    scene.says(ada, '/approve seen')
    expect(scene.shown()).toBe('success approved')
    scene.says(bob, '/reject no')
    scene.says(bob, '/revoke')
    expect(scene.shown()).toBe('retry tier1')
    scene.says(ada, '/approve seen again')
    expect(scene.shown()).toBe('success approved')
  })

  test('a direct one waits where nobody knows who made it', () => {
    const scene = pushed(direct, { builder_known: false })
    scene.says(ada, '/approve seen')
    expect(scene.shown()).toBe('refer protected')
    scene.says(cleo, '/ack it was bob')
    expect(scene.shown()).toBe('success approved')
  })
})

describe('who turns out to have made it', () => {
  const found = (scene: ReturnType<typeof pushed>, person: typeof ada) =>
    scene.tell({
      type: 'add_builder',
      attempt_id: scene.live().id,
      builder: madeBy(person, 'pusher'),
      sha: shaOf('a1'),
    })

  test('has allowed nothing', () => {
    const scene = pushed({}, { checks: { test: 'failed', lint: 'passed' } })
    scene.says(ada, '/override flaky')
    expect(scene.shown()).toBe('success success')
    found(scene, ada)
    expect(scene.shown()).toBe('retry checks')
    scene.says(abe, '/override flaky')
    expect(scene.shown()).toBe('success success')
  })

  test('has approved nothing, but what they rejected stands', () => {
    const scene = pushed({ merge_requires: 'completed' })
    scene.reviews(bob, 'approved')
    found(scene, bob)
    expect(scene.shown()).toBe('refer review')
    scene.says(bob, '/reject no')
    expect(scene.shown()).toBe('failed rejected')
  })
})

describe('what an override does not lift', () => {
  test('an acknowledgment is none: the attempts stay used up', () => {
    const scene = aScene({ verification: { ...off, retry: { max_attempts: 1 } } })
    scene.push('a1', { checks: { test: 'failed', lint: 'passed' } })
    scene.push('a2', { files: ['.github/workflows/ci.yml'], checks: { test: 'passed', lint: 'passed' } })
    scene.says(ada, '/ack seen')
    expect(scene.shown()).toBe('failed spent')
  })

  test('one for a check that never reported does not cover it once it runs', () => {
    const scene = pushed({}, { checks: { lint: 'passed' } })
    scene.waited()
    expect(scene.says(ada, '/override the runner is gone')).toEqual(['CHECK_OVERRIDE check:test unreported'])
    expect(scene.shown()).toBe('success success')
    scene.tell({ type: 'start_check', attempt_id: scene.live().id, run: '9', name: 'test' })
    expect(scene.shown()).toBe('pending pending')
    scene.check('test', 'failed', '9')
    expect(scene.shown()).toBe('retry checks')
  })
})

describe('what is protected', () => {
  const codes = (given: Pushed) =>
    pushed({}, given)
      .decision()
      ?.reasons.map(({ code, subject }) => [code, subject])
  // prettier-ignore
  test.each<[string, Pushed, [string, string | null][]]>([
    ['a workflow', { files: ['src/a.ts', '.github/workflows/ci.yml'] }, [['protected_path', '.github/workflows/ci.yml']]],
    ['what GitHub did not list', { complete: false }, [['too_large', null]]],
    ['a maker who is not known', { builder_known: false }, [['builder_unknown', null]]],
    ['all of it at once', { complete: false, builder_known: false }, [['too_large', null], ['builder_unknown', null]]],
  ])('%s', (_title, given, reasons) => {
    expect(pushed({}, given).shown()).toBe('refer protected')
    expect(codes(given)).toEqual(reasons)
  })

  test('paths that could not be held against the patterns in time', () => {
    const scene = pushed({}, { files: null })
    const files = [{ path: 'src/a.ts', previous_path: null, status: 'modified' }] as const
    const paths = { violations: [], guarded: [], applying: ['test', 'lint'], known: false }
    scene.tell({ type: 'report_files', attempt_id: scene.live().id, files, complete: true, paths })
    expect(scene.decision()?.reasons).toMatchObject([{ code: 'paths_unknown' }])
  })
})

describe('the built-in verifier confirms', () => {
  const verified: PolicyInput = { verification: { checks: ['test', 'lint'] }, merge_requires: 'verified' }
  const alone = (given: Pushed = {}) => {
    const scene = aScene(verified, [madeBy(agent, 'author')])
    scene.peopled(1, 0, 0)
    scene.push('a1', { checks: { test: 'passed', lint: 'passed' }, ...given })
    return scene
  }
  test('where one person is everything, and every check passed', () => {
    const scene = alone()
    scene.judged('PASS')
    scene.reviews(cleo, 'approved')
    expect(scene.shown()).toBe('success success')
    expect(scene.task().status).toBe('verified')
  })

  test('not where a check was overridden', () => {
    const scene = alone({ checks: { test: 'passed', lint: 'failed' } })
    scene.judged('PASS')
    scene.reviews(cleo, 'approved')
    scene.says(cleo, '/override --check lint flaky')
    expect(scene.shown()).toBe('refer confirmation')
  })

  test('not where it objected, and not where there are others', () => {
    const objected = alone()
    objected.judged('SOFT_FAIL')
    objected.reviews(cleo, 'approved')
    objected.says(cleo, '/override --verifier it is right')
    expect(objected.shown()).toBe('refer confirmation')
    const several = aScene(verified)
    several.push('a1', { checks: { test: 'passed', lint: 'passed' } })
    several.judged('PASS')
    several.reviews(bob, 'approved')
    expect(several.shown()).toBe('refer confirmation')
  })
})
