// What an override lifts: what stood against the commit when it was written, in both kinds that policy allows.
import { describe, expect, test } from 'vitest'
import type { PolicyInput } from '../../src/core/contract/policy/policy.ts'
import { ada, aScene, bob, cleo, type Scene } from './scene.ts'

const docs = { name: 'docs', check_run: 'docs', required: false }
const tested: PolicyInput = { verification: { checks: ['test', 'lint', docs] } }
const guarded: PolicyInput = { security: { red_team: { enabled: true }, vision: { enabled: true } } }
const may = (override_policy: PolicyInput['override_policy']): PolicyInput => ({ ...tested, override_policy })

const failing = (scene: Scene) => scene.push('a1', { checks: { test: 'failed', lint: 'passed', docs: 'failed' } })

describe('a plain override covers', () => {
  test.each<[string, PolicyInput, (scene: Scene) => void, string[]]>([
    ['required checks that failed', tested, failing, ['CHECK_OVERRIDE check:test']],
    ['a check that timed out', tested, (scene) => scene.push('a1', { checks: { test: 'timed_out', lint: 'passed' } }), ['CHECK_OVERRIDE check:test']],
    ['a check that was missing', tested, (scene) => scene.push('a1', { checks: { test: 'passed', lint: 'missing' } }), ['CHECK_OVERRIDE check:lint']],
    ['a tier 1 that failed', tested, (scene) => scene.push('a1', { tier1: 'failed', checks: { test: 'passed', lint: 'passed' } }), ['CHECK_OVERRIDE tier1']],
    ['a change of nothing', {}, (scene) => scene.push('a1', { files: [] }), ['CHECK_OVERRIDE tier1']],
    ['nothing that is still awaited', tested, (scene) => scene.push('a1', { tier1: 'running', checks: { test: 'failed' } }), ['CHECK_OVERRIDE check:test']],
    ['what did not come in time', tested, (scene) => { scene.push('a1', { tier1: 'running', checks: { test: 'passed' } }); scene.waited() }, ['CHECK_OVERRIDE tier1 unreported check:lint unreported', 'VERIFIER_OVERRIDE verifier unreported']],
    ['what failed, where everything came', tested, (scene) => { failing(scene); scene.judged('PASS'); scene.waited() }, ['CHECK_OVERRIDE check:test']],
    ['nothing of a verifier that passed it in time', tested, (scene) => { scene.push('a1', { checks: { test: 'passed' } }); scene.judged('PASS'); scene.waited() }, ['CHECK_OVERRIDE check:lint unreported']],
    ['an objection of the verifier', tested, (scene) => { failing(scene); scene.judged('SOFT_FAIL') }, ['CHECK_OVERRIDE check:test', 'VERIFIER_OVERRIDE verifier']],
    ['a verifier that refers', {}, (scene) => { scene.push('a1'); scene.judged('REFER') }, ['VERIFIER_OVERRIDE verifier']],
    ['a verifier that is not sure', { verification: { verifier: { min_confidence: 0.95 } } }, (scene) => { scene.push('a1'); scene.judged('PASS') }, ['VERIFIER_OVERRIDE verifier']],
    ['a verifier that could not be asked', {}, (scene) => { scene.push('a1'); scene.outage() }, ['VERIFIER_OVERRIDE verifier']],
    ['nothing of a verifier that is off', { verification: { checks: ['test'], verifier: { enabled: false } } }, (scene) => { scene.push('a1', { checks: { test: 'failed' } }); scene.outage() }, ['CHECK_OVERRIDE check:test']],
    ['gates that block or could not judge', guarded, (scene) => { scene.push('a1'); scene.judged('PASS'); scene.gate('red_team', 'BLOCK'); scene.gate('vision', 'REFER') }, ['VERIFIER_OVERRIDE red_team vision']],
    ['screenshots that did not come in time', { security: { vision: { enabled: true, kind: 'heuristic' } } }, (scene) => { scene.push('a1'); scene.judged('PASS'); scene.waited() }, ['VERIFIER_OVERRIDE vision unreported']],
    ['no gate that passed', guarded, (scene) => { scene.push('a1'); scene.judged('SOFT_FAIL'); scene.gate('red_team', 'PASS_WITH_FINDINGS') }, ['VERIFIER_OVERRIDE verifier']],
    ['no gate that is off', {}, (scene) => { scene.push('a1'); scene.judged('SOFT_FAIL'); scene.gate('red_team', 'BLOCK') }, ['VERIFIER_OVERRIDE verifier']],
    ['that nothing was asked for', { verification: { verifier: { enabled: false } } }, (scene) => scene.push('a1'), ['CHECK_OVERRIDE vacuous for good']],
    ['that only what is optional was asked for', { verification: { checks: [docs], verifier: { enabled: false } } }, (scene) => scene.push('a1'), ['CHECK_OVERRIDE vacuous for good']],
    ['nothing where nothing stands against it', { verification: { checks: ['test'], verifier: { enabled: false } } }, (scene) => scene.push('a1', { checks: { test: 'passed' } }), ['refused: nothing_to_override']],
    ['nothing where only the verifier is asked', {}, (scene) => { scene.push('a1'); scene.judged('PASS') }, ['refused: nothing_to_override']],
  ])('%s', (_title, policy, play, covers) => {
    const scene = aScene(policy)
    play(scene)
    expect(scene.says(ada, '/override because')).toEqual(covers)
  }) // prettier-ignore

  test('what is covered already is not covered twice', () => {
    const scene = aScene({ ...tested, ...guarded })
    scene.push('a1', { tier1: 'failed', checks: { test: 'failed', lint: 'passed' } })
    scene.judged('HARD_FAIL')
    scene.gate('red_team', 'BLOCK')
    const first = ['CHECK_OVERRIDE tier1 check:test', 'VERIFIER_OVERRIDE verifier red_team']
    expect(scene.says(ada, '/override because')).toEqual(first)
    expect(scene.says(ada, '/override again')).toEqual(['refused: nothing_to_override'])
    scene.check('test', 'failed')
    expect(scene.says(ada, '/override again')).toEqual(['CHECK_OVERRIDE check:test'])
  })

  test('a rejection of somebody of less permission, where nothing else stands against it', () => {
    const scene = aScene({ verification: { checks: ['test'], verifier: { enabled: false } } })
    scene.push('a1', { checks: { test: 'passed' } })
    scene.says(bob, '/reject no')
    expect(scene.says(ada, '/override it is right')).toEqual(['CHECK_OVERRIDE rejection for good'])
    expect(scene.shown()).toBe('success success')
  })

  test('not the rejection of an equal', () => {
    const scene = aScene({ verification: { checks: ['test'], verifier: { enabled: false } } })
    scene.push('a1', { checks: { test: 'passed' } })
    scene.says(ada, '/reject no')
    expect(scene.says({ ...ada, login: 'abe' }, '/override it is right')).toEqual(['refused: nothing_to_override'])
    expect(scene.says(cleo, '/override it is right')).toEqual(['CHECK_OVERRIDE rejection for good'])
  })

  test('that the attempts are used up, once', () => {
    const scene = aScene({
      verification: { verifier: { enabled: false }, checks: ['test'], retry: { max_attempts: 1 } },
    })
    scene.push('a1', { checks: { test: 'failed' } })
    scene.push('a2', { checks: { test: 'passed' } })
    expect(scene.shown()).toBe('failed spent')
    expect(scene.says(ada, '/override it is fine now')).toEqual(['CHECK_OVERRIDE spent for good'])
    expect(scene.shown()).toBe('success success')
    expect(scene.says(ada, '/override once more')).toEqual(['refused: nothing_to_override'])
  })
})

describe('one that names what it lifts', () => {
  test.each<[string, string[]]>([
    ['/override --check test because', ['CHECK_OVERRIDE check:test for good']],
    ['/override --check tier1 because', ['CHECK_OVERRIDE tier1 for good']],
    ['/override --check test --check lint because', ['CHECK_OVERRIDE check:test for good check:lint for good']],
    ['/override --verifier because', ['VERIFIER_OVERRIDE verifier for good red_team for good vision for good']],
    ['/override --check test --verifier because', ['CHECK_OVERRIDE check:test for good', 'VERIFIER_OVERRIDE verifier for good red_team for good vision for good']],
    ['/override --check tset because', ['refused: unknown_check tset']],
    ['/override --check tset --check test --check lnit because', ['refused: unknown_check tset, lnit']],
  ])('%s', (words, covers) => {
    const scene = aScene(tested)
    failing(scene)
    expect(scene.says(ada, words)).toEqual(covers)
  }) // prettier-ignore
})

describe('what policy forbids', () => {
  const noChecks = may({ check_override_allowed: false })
  const noVerifier = may({ verifier_override_allowed: false })
  const byChecks = 'denied: forbidden_by_policy override_policy.check_override_allowed'
  const byVerifier = 'denied: forbidden_by_policy override_policy.verifier_override_allowed'
  test.each<[string, PolicyInput, string, string[]]>([
    ['of a plain override the other part counts', noChecks, '/override because', [byChecks, 'VERIFIER_OVERRIDE verifier']],
    ['of a plain override the other part counts', noVerifier, '/override because', ['CHECK_OVERRIDE check:test', byVerifier]],
    ['what is named is refused', noChecks, '/override --check test because', [byChecks]],
    ['what is named is refused', noVerifier, '/override --verifier because', [byVerifier]],
    ['a reason may be left out for checks only', may({ check_override_requires_reason: false }), '/override', ['CHECK_OVERRIDE check:test', 'refused: reason_missing']],
  ])('%s: %j %s', (_title, policy, words, answers) => {
    const scene = aScene(policy)
    failing(scene)
    scene.judged('SOFT_FAIL')
    expect(scene.says(ada, words)).toEqual(answers)
  }) // prettier-ignore

  test('where no check may be overridden, a rejection is overruled by the other kind', () => {
    const override_policy = { check_override_allowed: false }
    const scene = aScene({ override_policy, verification: { checks: ['test'], verifier: { enabled: false } } })
    scene.push('a1', { checks: { test: 'passed' } })
    scene.says(bob, '/reject no')
    expect(scene.says(ada, '/override it is right')).toEqual(['VERIFIER_OVERRIDE rejection for good'])
  })
})

describe('an acknowledgment covers', () => {
  const narrow: PolicyInput = { scope: { write: ['src/**', '.github/**'] } }
  const invalid = [{ code: 'contract_unreadable', subject: null, detail: null }] as const
  test.each<[string, Parameters<Scene['push']>[1], typeof ada, string[]]>([
    ['what lies outside of the scope', { files: ['docs/x.md'] }, ada, ['ACKNOWLEDGMENT scope for good']],
    ['what is protected', { files: ['.github/workflows/ci.yml'] }, ada, ['ACKNOWLEDGMENT protected for good']],
    ['a maker who is not known', { builder_known: false }, ada, ['ACKNOWLEDGMENT protected for good']],
    ['a list of files that is not whole', { complete: false }, ada, ['ACKNOWLEDGMENT protected for good']],
    ['both', { files: ['docs/x.md', '.github/workflows/ci.yml'] }, ada, ['ACKNOWLEDGMENT scope for good protected for good']],
    ['a contract that cannot be read, by an admin', { invalid }, cleo, ['ACKNOWLEDGMENT invalid for good']],
    ['not by a maintainer', { invalid }, ada, ['denied: permission admin']],
    ['of several things what the speaker may', { invalid, files: ['docs/x.md'] }, ada, ['ACKNOWLEDGMENT scope for good']],
    ['nothing where nothing asks for it', {}, ada, ['refused: nothing_to_acknowledge']],
  ])('%s', (_title, pushed, user, covers) => {
    const scene = aScene(narrow)
    scene.push('a1', pushed)
    expect(scene.says(user, '/ack seen')).toEqual(covers)
  }) // prettier-ignore

  test('nothing twice, and nothing without a reason', () => {
    const scene = aScene(narrow)
    scene.push('a1', { files: ['docs/x.md'] })
    expect(scene.says(ada, '/ack')).toEqual(['refused: reason_missing'])
    expect(scene.says(ada, '/ack seen')).toEqual(['ACKNOWLEDGMENT scope for good'])
    expect(scene.says(ada, '/ack seen')).toEqual(['refused: nothing_to_acknowledge'])
  })
})
