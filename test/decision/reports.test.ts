// What machines report, and what of it is news: each thing is recorded once, and what comes too late says nothing.
import { describe, expect, test } from 'vitest'
import type { PolicyInput } from '../../src/core/contract/policy/policy.ts'
import type { GateReport } from '../../src/core/decision/gate-report.ts'
import type { NewEvent } from '../../src/core/decision/record/events.ts'
import type { Input } from '../../src/core/decision/rules/inputs.ts'
import type { Identity } from '../../src/core/decision/verdict.ts'
import { ada, aScene, madeBy, shaOf, type Pushed, type Scene } from '../people/scene.ts'

const off: PolicyInput = { verification: { checks: ['test'], verifier: { enabled: false } } }
type Report = Extract<Input, { attempt_id: string }>
type Given = { [T in Report['type']]: Omit<Extract<Report, { type: T }>, 'attempt_id'> }[Report['type']]

function opened(policy: PolicyInput = {}, given: Pushed = {}) {
  const scene = aScene(policy)
  scene.push('a1', given)
  return scene
}
const told = (scene: Scene, given: Given): readonly NewEvent[] =>
  scene.tell(Object.assign({ attempt_id: scene.live().id }, given))
/** The first event, which says what was reported; what follows from it is not asked here. */
const news = (scene: Scene, given: Given): string | null => told(scene, given)[0]?.type ?? null

describe('said twice is said once, and what is new is new', () => {
  const files = [{ path: 'src/a.ts', previous_path: null, status: 'modified' }] as const
  const check = {
    type: 'report_check',
    run: '1',
    name: 'test',
    state: 'failed',
    result: null,
    output_ref: null,
  } as const
  const tier1 = { type: 'report_tier1', run: '1', passed: true, checks: [], findings: [], feedback: null } as const
  const away = { type: 'report_unavailable', session_id: 's', reason: 'transient', retry_at: null } as const
  const gate = { type: 'report_gate', gate: 'red_team', run: '1', verdict: 'PASS', summary: '', elapsed_ms: 1 } as const
  const refused = { type: 'refuse_result', source: 'run 1', why: 'it is of another run', policy_hash: null } as const
  const slot = { type: 'show_slot', slot: 'sticky:9', digest: 'd', ref: null } as const
  const fault = { type: 'note_fault', doing: 'reading', what: 'it broke' } as const
  const copy = { type: 'report_policy_copy', problems: [] } as const
  // prettier-ignore
  test.each<[string, Given, Given | null, string]>([
    ['files, whatever is listed later', { type: 'report_files', files, complete: true }, null, 'FilesListed'],
    ['the copy of the policy, whatever is read later', copy, null, 'PolicyCopyRead'],
    ['an obstacle', { type: 'report_obstacle', obstacle: 'merge_conflict' }, { type: 'report_obstacle', obstacle: null }, 'RunObstructed'],
    ['tier 1 of a run', tier1, { ...tier1, run: '2' }, 'TierCompleted'],
    ['results that were refused', refused, { ...refused, why: 'it is of another commit' }, 'ResultRefused'],
    ['a check that does not apply', { type: 'leave_out_check', run: '1', name: 'test' }, { type: 'leave_out_check', run: '2', name: 'test' }, 'CheckLeftOut'],
    ['a check that began', { type: 'start_check', run: '1', name: 'test' }, { type: 'start_check', run: '2', name: 'test' }, 'CheckStarted'],
    ['a check that ended', check, { ...check, run: '2' }, 'CheckCompleted'],
    ['a check of one run that ended otherwise', check, { ...check, state: 'passed' }, 'CheckCompleted'],
    ['an outage', away, { ...away, session_id: 't' }, 'VerificationUnavailable'],
    ['a gate', gate, { ...gate, run: '2' }, 'RedTeamGateCompleted'],
    ['another gate', { ...gate, gate: 'vision' }, { ...gate, gate: 'vision', run: '2' }, 'VisionGateCompleted'],
    ['the wait that is over', { type: 'end_wait', what: 'verification.wait' }, null, 'WaitEnded'],
    ['what is shown', slot, { ...slot, digest: 'e' }, 'SlotShown'],
    ['what went wrong', fault, { ...fault, what: 'it broke again' }, 'FaultNoted'],
    ['what went wrong, and goes well again', fault, { ...fault, what: null }, 'FaultNoted'],
  ])('%s', (_title, first, another, type) => {
    const scene = opened({}, { files: null, tier1: 'running' })
    expect(news(scene, first)).toBe(type)
    expect(news(scene, first)).toBeNull()
    if (another !== null) expect(news(scene, another)).toBe(type)
  })

  test('what goes well is no news where nothing went wrong', () => {
    const scene = opened()
    expect(news(scene, { ...fault, what: null })).toBeNull()
    told(scene, fault)
    expect(news(scene, { ...fault, doing: 'showing', what: null })).toBeNull()
    expect(scene.shown()).toBe('refer invalid')
    told(scene, { ...fault, what: null })
    expect(scene.shown()).toBe('pending pending')
  })

  test('what is reported of an attempt that nobody opened is no news', () => {
    expect(opened().tell({ ...check, attempt_id: 'another' })).toEqual([])
  })
})

describe('a check that ended', () => {
  const ended = (state: 'passed' | 'failed' | 'timed_out' | 'missing', name = 'test') => {
    const scene = opened({ verification: { checks: ['test', { name: 'style', command: 'x', required: false }] } })
    const [event] = told(scene, { type: 'report_check', run: '1', name, state, result: null, output_ref: null })
    if (event?.type !== 'CheckCompleted') throw new Error('nothing was recorded')
    const { passed, exit_code, error_code, required, duration_ms } = event.data
    return [passed, exit_code, error_code, required, duration_ms]
  }
  test('is recorded with what is known of it', () => {
    expect(ended('passed')).toEqual([true, 0, null, true, 0])
    expect(ended('failed')).toEqual([false, 1, 'VERIFICATION_CHECK_FAILED', true, 0])
    expect(ended('timed_out')).toEqual([false, 1, 'VERIFICATION_TIMEOUT', true, 0])
    expect(ended('missing', 'style')).toEqual([false, 1, 'VERIFICATION_CHECK_MISSING', false, 0])
    expect(ended('passed', 'unknown')).toEqual([true, 0, null, false, 0])
  })
})

describe('the verifier', () => {
  const session = {
    type: 'start_verification',
    session_id: 's',
    tier: 2,
    prompt_hash: null,
    handoff_hash: null,
  } as const
  const away = { type: 'report_unavailable', session_id: 's', reason: 'transient', retry_at: null } as const

  test('begins where nobody asked it yet, or where it could not be asked', () => {
    const scene = opened()
    expect(news(scene, session)).toBe('VerificationStarted')
    expect(news(scene, session)).toBeNull()
    told(scene, away)
    expect(news(scene, session)).toBe('VerificationStarted')
    scene.judged('PASS')
    expect(news(scene, session)).toBeNull()
  })

  test('has answered once it has: neither another verdict nor an outage is news', () => {
    const scene = opened()
    expect(scene.judged('SOFT_FAIL')[0]?.type).toBe('VerificationCompleted')
    expect(scene.judged('PASS')).toEqual([])
    expect(news(scene, { ...away, session_id: 'another' })).toBeNull()
    expect(scene.shown()).toBe('retry soft')
  })

  test('that is not sure enough is referred, and it is recorded from what and by which threshold', () => {
    const judged = (confidence: number | null, outcome: 'PASS' | 'REFER' = 'PASS') =>
      opened({ verification: { verifier: { min_confidence: 0.8 } } })
        .judged(outcome, { confidence })
        .flatMap(({ type, data }) => (type === 'VerdictOverriddenToRefer' ? [data] : []))
    expect(judged(0.79)).toEqual([{ from: 'PASS', confidence: 0.79, threshold: 0.8 }])
    expect(judged(null)).toEqual([{ from: 'PASS', confidence: null, threshold: 0.8 }])
    expect(judged(0.8)).toEqual([])
    expect(judged(0.1, 'REFER')).toEqual([])
  })
})

describe('a merge', () => {
  const merge = { type: 'report_merge', by: { id: null, login: 'ada' } } as const
  test('of what was no success is noted once', () => {
    const scene = opened(off, { checks: { test: 'failed' } })
    expect(told(scene, merge)[1]).toMatchObject({ data: { by: 'ada', sha: shaOf('a1'), decision: 'checks' } })
    expect(news(scene, merge)).toBeNull()
    expect(scene.live().merged_by).toBe('ada')
  })
  test('of a success is on record, and nobody is told', () => {
    const scene = opened(off, { checks: { test: 'passed' } })
    expect(told(scene, merge).map(({ type }) => type)).toEqual(['AttemptMerged'])
    expect(news(scene, merge)).toBeNull()
    expect(scene.live().merged).toEqual({ by: { id: null, login: 'ada' } })
  })
})

describe('a referral is parked', () => {
  const park = { type: 'end_wait', what: 'park_wait' } as const
  test('once, while its pull request is open', () => {
    const scene = opened({}, { files: ['.github/workflows/ci.yml'] })
    expect(told(scene, park).map(({ type }) => type)).toContain('WaitEnded')
    expect(scene.live().state).toBe('CANCELLED')
    expect(news(scene, park)).toBeNull()
    const closed = opened({}, { files: ['.github/workflows/ci.yml'] })
    closed.ended('closed')
    expect(news(closed, park)).toBeNull()
  })
  test('and nothing else is', () => expect(news(opened(), park)).toBeNull())
})

test('a run that was announced is where the decision is shown', () => {
  const shown = (announced: string | null) => {
    const scene = aScene()
    scene.push('a1', { announced })
    return scene.task().slots[`check:${shaOf('a1')}:countersign`] ?? null
  }
  expect(shown('run 5')).toEqual({ digest: 'announced run 5', ref: 'run 5' })
  expect(shown(null)).toBeNull()
})

test('what states a task is recorded where it changed', () => {
  const scene = aScene()
  const source = { number: 7, title: 't', body: 'b', edited_by: 'other', may_run: false } as const
  const recorded = (events: readonly NewEvent[]) =>
    events.flatMap(({ type, data }) => (type === 'AttemptStarted' ? [data.sources] : []))
  expect(recorded(scene.push('a1', { sources: [source] }))).toEqual([[source]])
  expect(recorded(scene.push('a2', { sources: [source] }))).toEqual([null])
  expect(scene.task().sources).toEqual([source])
  expect(recorded(scene.push('a3', { sources: [{ ...source, body: 'c' }] }))).toHaveLength(1)
  expect(scene.task().sources).toMatchObject([{ body: 'c' }])
})

test('members of a merge group are looked at anew as they change, while it lives', () => {
  const group = { pull: 9, beside: [10], base_sha: shaOf('base'), lacking: null, covers: [] }
  const scene = opened(off, { group, files: null, tier1: 'running', checks: { test: 'passed' } })
  const members = (lacking: number[], covers: string[] = []) => news(scene, { type: 'report_members', lacking, covers })
  expect(scene.shown()).toBe('pending pending')
  expect([members([10]), scene.shown()]).toEqual(['MembersJudged', 'refer review'])
  expect(members([10])).toBeNull()
  expect([members([]), scene.shown()]).toEqual(['MembersJudged', 'success success'])
  expect(members([], ['check:test'])).toBe('MembersJudged')
  scene.ended('closed')
  expect(members([9])).toBeNull()
  expect(news(opened(), { type: 'report_members', lacking: [], covers: [] })).toBeNull()
})

test('somebody who turns out to have had a part counts from then on', () => {
  const scene = opened()
  expect(news(scene, { type: 'add_builder', builder: madeBy(ada, 'committer'), sha: shaOf('a1') })).toBe(
    'ExternalModificationDetected',
  )
  expect(scene.live().builders.map(({ login }) => login)).toEqual(['agent[bot]', 'ada'])
})

describe('the word of a gate', () => {
  const gated = { security: { red_team: { enabled: true } } } as const
  const report = (evaluator: Partial<Identity>): GateReport => ({
    evaluator: { login: 'gate[bot]', agent_id: 'red', session_id: 'r', model_id: 'm', model_family: 'm', ...evaluator },
    generator_agent_id: 'ada',
    findings: [],
    repaired: [],
    could_not_run: null,
    referred: null,
    dropped: {},
    remarks: [],
    coverage: { shown: 1, changed: 1 },
    reused: false,
    cost: { usd: 0, price_table: '', calls: [] },
  })
  const said = (evaluator: Partial<Identity>) =>
    ({
      type: 'report_gate',
      gate: 'red_team',
      run: '1',
      verdict: 'PASS',
      summary: '',
      elapsed_ms: 1,
      report: report(evaluator),
    }) as const

  test.each<[string, Partial<Identity>, string | null]>([
    ['of somebody else is heard', {}, 'RedTeamGateCompleted'],
    ['of a builder is not', { login: 'Agent[bot]' }, null],
    ['of an agent that built it is not', { agent_id: 'agent[bot]' }, null],
    ['of the judge before it is not', { agent_id: 'v' }, null],
    ['of the session that judged is not', { session_id: 'verdict-1' }, null],
  ])('%s', (_title, evaluator, heard) => {
    const scene = opened(gated, { checks: { test: 'passed' } })
    scene.judged('PASS', {
      evaluator: { login: 'v', agent_id: 'v', session_id: 'verdict-1', model_id: 'm', model_family: 'f' },
    })
    expect(news(scene, said(evaluator))).toBe(heard)
  })

  test('that had no judge when it was asked is still to come', () => {
    const scene = opened(gated, { checks: { test: 'passed' } })
    scene.judged('PASS')
    const { report: _none, ...bare } = said({})
    const old = { ...bare, verdict: 'REFER', summary: 'this gate has no judge yet' } as const
    news(scene, old)
    expect(scene.shown()).toBe('pending block')
    news(scene, { ...said({}), run: '2' })
    expect(scene.shown()).toBe('success success')
  })
})
