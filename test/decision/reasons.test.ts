// What a decision says for itself: the reasons in order, with the facts that a sentence needs, and what it rests on.
import { describe, expect, test } from 'vitest'
import type { PolicyInput } from '../../src/core/contract/policy/policy.ts'
import type { CheckState } from '../../src/core/decision/model.ts'
import { ada, aScene, bob, cleo, type Pushed, type Scene } from '../people/scene.ts'

const tested: PolicyInput = { verification: { checks: ['test', 'lint'] } }
const gated: PolicyInput = { security: { red_team: { enabled: true }, vision: { enabled: true } } }

function pushed(policy: PolicyInput = {}, given: Pushed = {}) {
  const scene = aScene(policy)
  scene.push('a1', given)
  return scene
}
function judged(...verdict: Parameters<Scene['judged']>) {
  const scene = pushed()
  scene.judged(...verdict)
  return scene
}
/** The row and the authority, then each reason. */
function told(scene: Scene): string[] {
  const { row, by, reasons } = scene.live().decision ?? { row: null, by: null, reasons: [] }
  return [
    `${row} by ${by}`,
    ...reasons.map(({ code, subject, detail }) => [code, subject, detail].filter(Boolean).join(' ')),
  ]
}
function saidBy(words: string, scene: Scene, user = ada): Scene {
  scene.says(user, words)
  return scene
}

describe('a person', () => {
  test('who rejects is named, with the reason where one was given', () => {
    expect(told(saidBy('/reject it is unsafe', pushed(), bob))).toEqual([
      'rejected by human',
      'rejected_by bob it is unsafe',
    ])
    expect(pushed().says(bob, '/reject')).toEqual(['REJECTION'])
    expect(saidBy('/reject', pushed(), bob).decision()?.reasons).toEqual([
      { code: 'rejected_by', subject: 'bob', detail: null },
    ])
  })

  test('who overrides both kinds in one word takes one responsibility, and everybody who does takes it', () => {
    const scene = pushed(tested, { checks: { test: 'failed', lint: 'failed' } })
    scene.judged('SOFT_FAIL')
    scene.says(ada, '/override flaky')
    expect(told(scene)).toEqual(['success by human', 'overridden_by ada flaky'])
    scene.says(cleo, '/override --check lint so it is')
    expect(told(scene)).toEqual(['success by human', 'overridden_by ada flaky', 'overridden_by cleo so it is'])
  })

  test('whose override lifts nothing any more is not named', () => {
    const scene = pushed(tested, { checks: { test: 'failed', lint: 'passed' } })
    scene.judged('PASS')
    scene.says(ada, '/override flaky')
    expect(told(scene)).toEqual(['success by human', 'overridden_by ada flaky'])
    scene.check('test', 'passed')
    expect(told(scene)).toEqual(['success by checks'])
  })

  test('whose review lifts a referral is named, unless somebody overrode it', () => {
    const scene = judged('REFER')
    scene.seen()
    scene.reviews(ada, 'approved')
    expect(told(scene)).toEqual(['success by checks', 'referral_lifted_by ada'])
    expect(told(saidBy('/override --verifier it is right', scene, cleo))).toEqual(['success by checks'])
  })
})

describe('the verifier', () => {
  // prettier-ignore
  test.each<[string, Parameters<Scene['judged']>, string[]]>([
    ['objects with what it feeds back', ['SOFT_FAIL', { feedback: 'mend it' }], ['soft by verifier', 'VERIFICATION_AGENT_REJECTED SOFT_FAIL mend it']],
    ['stops with what it feeds back', ['HARD_FAIL', { feedback: 'no way' }], ['hard by verifier', 'VERIFICATION_AGENT_REJECTED HARD_FAIL no way']],
    ['objects with its reasoning, where it feeds nothing back', ['SOFT_FAIL', { feedback: null, reasoning: 'it is wrong' }], ['soft by verifier', 'VERIFICATION_AGENT_REJECTED SOFT_FAIL it is wrong']],
    ['objects without a word', ['SOFT_FAIL', { feedback: null, reasoning: '' }], ['soft by verifier', 'VERIFICATION_AGENT_REJECTED SOFT_FAIL']],
    ['refers, and says why', ['REFER', { reason_code: 'cannot_tell', feedback: 'look' }], ['refer by verifier', 'cannot_tell verifier look']],
    ['refers', ['REFER', { feedback: null, reasoning: '' }], ['refer by verifier', 'referred verifier']],
  ])('%s', (_title, verdict, expected) => expect(told(judged(...verdict))).toEqual(expected))

  test('is kept from the builder where policy says so', () => {
    const scene = pushed({ verification: { retry: { include_verifier_feedback: false } } })
    scene.judged('SOFT_FAIL')
    expect(told(scene)).toEqual(['soft by verifier', 'VERIFICATION_AGENT_REJECTED SOFT_FAIL'])
  })

  test('without a word of why gives null, and no empty word', () => {
    expect(judged('SOFT_FAIL', { feedback: null, reasoning: '' }).decision()?.reasons[0]?.detail).toBeNull()
  })

  test('that could not be asked says why, and when it is asked again', () => {
    const scene = pushed()
    scene.outage('money', '2026-01-05T10:00:00.000Z')
    expect(told(scene)).toEqual(['unavailable by verifier', 'VERIFICATION_CRASH money 2026-01-05T10:00:00.000Z'])
    expect(scene.shown()).toBe('pending unavailable')
  })

  test('that could not be asked refers where policy says so, and never passes', () => {
    const shown = (policy: PolicyInput) => {
      const scene = pushed(policy)
      scene.outage()
      return scene.shown()
    }
    expect(shown({})).toBe('retry unavailable')
    expect(shown({ verification: { verifier: { on_error: 'refer' } } })).toBe('refer unavailable')
  })

  test('objects beside a check that failed, and is not heard there once it was overridden', () => {
    const scene = pushed(tested, { checks: { test: 'failed', lint: 'passed' } })
    scene.judged('SOFT_FAIL', { feedback: 'mend it' })
    const failed = ['checks by checks', 'VERIFICATION_CHECK_FAILED test']
    expect(told(scene)).toEqual([...failed, 'VERIFICATION_AGENT_REJECTED SOFT_FAIL mend it'])
    expect(told(saidBy('/override --verifier it is right', scene))).toEqual(failed)
  })
})

describe('checks', () => {
  const report = (name: string, state: Exclude<CheckState, 'running' | 'left_out'>, exit_code: number) => {
    const scene = pushed({ verification: { checks: ['test'], verifier: { enabled: false } } })
    const result = { name, passed: state === 'passed', exit_code, output: '', duration_ms: 1, required: true }
    const of = { attempt_id: scene.live().id, run: '7', name, output_ref: null }
    scene.tell({ type: 'report_check', ...of, state, result: state === 'missing' ? null : result })
    return scene
  }
  test.each([
    ['failed', 3, 'VERIFICATION_CHECK_FAILED test 3'],
    ['timed_out', 124, 'VERIFICATION_TIMEOUT test 124'],
    ['missing', 0, 'VERIFICATION_CHECK_MISSING test'],
  ] as const)('that %s say how', (state, code, reason) => {
    expect(told(report('test', state, code))).toEqual(['checks by checks', reason])
  })

  test('and tier 1 are what a decision rests on, and a verdict', () => {
    expect(report('test', 'failed', 1).decision()?.evidence).toEqual([expect.stringMatching(/^tier1@/), 'check:test@7'])
    expect(judged('PASS').decision()?.evidence).toHaveLength(2)
    expect(pushed({}, { tier1: 'running' }).decision()?.evidence).toEqual([])
  })

  test('that never come are named when the wait is over', () => {
    const scene = pushed({ verification: { checks: ['test'], verifier: { enabled: false } } }, { tier1: 'running' })
    expect(told(scene)).toEqual(['pending by null', 'awaiting_tier1 tier1', 'awaiting_check test'])
    scene.waited()
    const missing = ['VERIFICATION_CHECK_MISSING tier1', 'VERIFICATION_CHECK_MISSING test']
    expect(told(scene)).toEqual(['pending by checks', ...missing])
    expect(scene.shown()).toBe('refer pending')
  })

  test.each([
    ['merge_conflict', 'GIT_MERGE_CONFLICT'],
    ['missing_workflow', 'missing_workflow'],
  ] as const)('what keeps them from coming is said first: %s', (obstacle, code) => {
    const scene = pushed({ verification: { checks: ['test'], verifier: { enabled: false } } })
    scene.tell({ type: 'report_obstacle', attempt_id: scene.live().id, obstacle })
    expect(told(scene)).toEqual(['pending by null', code, 'awaiting_check test'])
  })
})

describe('tier 1', () => {
  const tier1 = (
    passed: boolean,
    checks: { name: string; passed: boolean; detail: string | null }[],
    feedback: string | null,
  ) => {
    const scene = pushed({}, { tier1: 'running' })
    scene.tell({ type: 'report_tier1', attempt_id: scene.live().id, run: '1', passed, checks, findings: [], feedback })
    return told(scene)
  }
  test('names what failed in it', () => {
    const checks = [
      { name: 'syntax', passed: false, detail: 'line 3' },
      { name: 'size', passed: true, detail: 'fine' },
    ]
    expect(tier1(false, checks, 'mend it')).toEqual(['tier1 by tier1', 'VERIFICATION_TIER1_FAILED syntax line 3'])
  })
  test('says what it can where nothing is named', () => {
    expect(tier1(false, [], 'mend it')).toEqual(['tier1 by tier1', 'VERIFICATION_TIER1_FAILED mend it'])
  })
  test('that failed nothing says nothing', () =>
    expect(tier1(true, [], 'x')).toEqual(['pending by null', 'awaiting_verifier verifier']))
})

describe('a gate', () => {
  const after = (...answers: Parameters<Scene['gate']>[]) => {
    const scene = pushed(gated)
    scene.judged('PASS')
    for (const answer of answers) scene.gate(...answer)
    return scene
  }
  // prettier-ignore
  test.each<[string, Parameters<Scene['gate']>[], string, string[]]>([
    ['is awaited', [], 'pending block', ['block by red_team', 'awaiting_gate red_team']],
    ['that passes leaves the next', [['red_team', 'PASS']], 'pending block', ['block by vision', 'awaiting_gate vision']],
    ['that blocks asks for a retry', [['red_team', 'BLOCK']], 'retry block', ['block by red_team', 'gate_blocked red_team s']],
    ['that could not judge refers', [['red_team', 'PASS'], ['vision', 'REFER']], 'refer block', ['block by vision', 'gate_could_not_judge vision s']],
    ['may be skipped, and may have findings', [['red_team', 'PASS_WITH_FINDINGS'], ['vision', 'SKIP']], 'success success', ['success by checks']],
  ])('%s', (_title, answers, shown, expected) => {
    const scene = after(...answers)
    expect(scene.shown()).toBe(shown)
    expect(told(scene)).toEqual(expected)
  })

  test('that is overridden is not awaited', () => {
    expect(told(saidBy('/override --verifier we looked', after()))).toEqual([
      'success by human',
      'overridden_by ada we looked',
    ])
  })
})
