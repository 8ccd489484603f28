// What an input means is told once: the same again is no news, and whatever differs is.
import { describe, expect, test } from 'vitest'
import { equal } from '../../src/core/canonical.ts'
import { decide } from '../../src/core/decision/rules/decide.ts'
import { evolve } from '../../src/core/decision/record/evolve.ts'
import { toDeploy } from '../../src/core/decision/record/evolve-task.ts'
import { deploymentWord } from '../../src/core/decision/shown/deployment-word.ts'
import { owed } from '../../src/core/decision/shown/owed.ts'
import { makeContract } from '../../src/core/contract/task/make-contract.ts'
import { merged } from '../../src/core/decision/rules/decide-results.ts'
import type { Dependency } from '../../src/core/decision/task-parts.ts'
import type { Input } from '../../src/core/decision/rules/inputs.ts'
import { aScene, type Scene } from '../people/scene.ts'
import { anAttempt, aDecision, aTask, policyOf } from '../words/attempts.ts'
import { anOpening } from './opening.ts'

const at = '2026-01-05T09:00:00.000Z'
/** Of the attempt that is open. */
type Told = Unplaced<Extract<Input, { attempt_id: string }>>
type Unplaced<T> = T extends unknown ? Omit<T, 'attempt_id'> : never
type Of<T extends Input['type']> = Omit<Extract<Input, { type: T }>, 'type'>
const tell = (scene: Scene, input: Input): string[] => scene.tell(input).map(({ type }) => type)

const dependency: Dependency = { name: 'acme/shop#3', number: 3, title: 'Prices', open: true, status: 'in_progress' }
const group = { pull: 9, beside: [], base_sha: 'b'.repeat(40), lacking: null, covers: [] }

describe('the same again is no news:', () => {
  // prettier-ignore
  test.each<[string, Told, Told]>([
    ['StagesRead', { type: 'report_stages', people: [] }, { type: 'report_stages', people: [{ stage: 's', groups: [['ada']], trouble: null }] }],
    ['AheadSeen', { type: 'report_ahead', pulls: [{ pull: 7, paths: [], more: 0 }] }, { type: 'report_ahead', pulls: [] }],
    ['RunObstructed', { type: 'report_obstacle', obstacle: 'merge_conflict' }, { type: 'report_obstacle', obstacle: null }],
    ['ScreenshotsReported', { type: 'report_screenshots', run: '5.1', shots: [] }, { type: 'report_screenshots', run: '5.2', shots: [] }],
    ['ResultRefused', { type: 'refuse_result', source: 'run 5', why: 'no', policy_hash: null }, { type: 'refuse_result', source: 'run 6', why: 'no', policy_hash: null }],
    ['CheckLeftOut', { type: 'leave_out_check', run: 'r1', name: 'test' }, { type: 'leave_out_check', run: 'r2', name: 'test' }],
    ['CheckStarted', { type: 'start_check', run: 'r1', name: 'test' }, { type: 'start_check', run: 'r2', name: 'test' }],
    ['FaultNoted', { type: 'note_fault', doing: 'reading', what: 'no' }, { type: 'note_fault', doing: 'reading', what: 'other' }],
    ['DeploymentAsked', { type: 'ask_deployment', run: 1, run_attempt: 1, environment: 'live', sha: 'a' }, { type: 'ask_deployment', run: 1, run_attempt: 1, environment: 'test', sha: 'a' }],
    ['DeploymentAsked', { type: 'ask_deployment', run: 1, run_attempt: 1, environment: 'live', sha: 'a' }, { type: 'ask_deployment', run: 2, run_attempt: 1, environment: 'live', sha: 'a' }],
    ['DeploymentAsked', { type: 'ask_deployment', run: 1, run_attempt: 1, environment: 'live', sha: 'a' }, { type: 'ask_deployment', run: 1, run_attempt: 2, environment: 'live', sha: 'a' }],
    ['SlotShown', { type: 'show_slot', slot: 'labels:9', digest: 'd', ref: null }, { type: 'show_slot', slot: 'labels:9', digest: 'e', ref: null }],
    ['VerificationUnavailable', { type: 'report_unavailable', session_id: 's1', reason: 'transient', retry_at: null }, { type: 'report_unavailable', session_id: 's2', reason: 'transient', retry_at: null }],
  ])('%s', (event, first, other) => {
    const scene = aScene({ verification: { checks: ['test'] } })
    scene.push('a1')
    const given = (told: Told): Input => ({ ...told, attempt_id: scene.live().id })
    expect(tell(scene, given(first))).toContain(event)
    expect(tell(scene, given(first))).toEqual([])
    expect(tell(scene, given(other))).toContain(event)
  })

  test('who is in a merge group', () => {
    const scene = aScene({ verification: { checks: ['test'] } })
    scene.push('a1', { group })
    const members = (lacking: number[], covers: string[]): Input => ({
      type: 'report_members',
      attempt_id: scene.live().id,
      lacking,
      covers,
    })
    expect(tell(scene, members([7], []))).toContain('MembersJudged')
    expect(tell(scene, members([7], []))).toEqual([])
    expect(tell(scene, members([7], ['check:test']))).toContain('MembersJudged')
    const single = aScene()
    single.push('a1')
    expect(tell(single, { type: 'report_members', attempt_id: single.live().id, lacking: [7], covers: [] })).toEqual([])
  })
})

test('the wait for an issue that is to be done first has no end of its own', () => {
  const wait = (scene: Scene) => owed(scene.task(), '2027-01-01T00:00:00.000Z').some((one) => one.kind === 'tell')
  const scene = aScene({ verification: { checks: ['test'], wait: '2h' } })
  scene.push('a1')
  expect(wait(scene)).toBe(true)
  expect(tell(scene, { type: 'report_dependencies', on: [dependency] })).toContain('DependenciesSeen')
  expect(tell(scene, { type: 'report_dependencies', on: [dependency] })).toEqual([])
  expect(scene.decision()?.reasons.map(({ code }) => code)).toEqual([
    'awaiting_dependency',
    'awaiting_check',
    'awaiting_verifier',
  ])
  expect(wait(scene)).toBe(false)
})

describe('what is listed of a change', () => {
  const listed = (given: Partial<Of<'report_files'>>) => {
    const scene = aScene()
    scene.push('a1', { files: null, tier1: 'running' })
    const files = [{ path: 'src/a.ts', previous_path: null, status: 'modified' }] as const
    return scene.tell({ type: 'report_files', attempt_id: scene.live().id, files, complete: true, ...given })
  }
  const paths = { known: true, violations: [], guarded: [], applying: [], stages: [] }
  const types = (given: Partial<Of<'report_files'>>) =>
    listed(given)
      .slice(0, 2)
      .map(({ type }) => type)

  test('is in scope only where its paths could be held against it', () => {
    expect(types({ paths })).toEqual(['FilesListed', 'ScopeValidated'])
    expect(types({ paths: { ...paths, known: false } })).not.toContain('ScopeValidated')
    const violations = [{ violation_type: 'denied', path: 'src/a.ts', allowed: [], denied: ['src/**'] }] as const
    expect(types({ paths: { ...paths, violations } })).toEqual(['FilesListed', 'ScopeViolationDetected'])
  })

  test('has its difference on record where that was read, and nothing in its place where not', () => {
    const diff = { text: '+ a', omitted_lines: 0 }
    expect(listed({ paths, diff })[0]?.data).toMatchObject({ diff })
    expect(Object.keys(listed({ paths })[0]?.data ?? {})).not.toContain('diff')
  })
})

test('a merge is on record once, and that it was no success', () => {
  const by = { id: 1, login: 'ada' }
  const types = (...given: Parameters<typeof merged>) => merged(...given).map(({ type }) => type)
  expect(types(anAttempt({ decision: aDecision('success', { status: 'success' }) }), by)).toEqual(['AttemptMerged'])
  expect(merged(anAttempt({ decision: null }), by)).toMatchObject([
    { type: 'AttemptMerged', data: { by: 'ada', user_id: 1 } },
    { type: 'MergedWithoutSuccess', data: { by: 'ada', decision: 'pending' } },
  ])
  expect(types(anAttempt({ merged: { by: null } }), by)).toEqual([])
})

test('a task that was written anew is judged anew only where somebody asked for that', () => {
  const contractOf = (body: string) => {
    const reading = makeContract({ task_id: 'acme/shop#7', title: 't', body, policy: policyOf({}), blocks: [] })
    if ('unreadable' in reading) throw new Error('unreadable')
    return reading.contract
  }
  const open = (body: string, renewed?: true) =>
    anOpening(contractOf(body), { head_sha: 'a'.repeat(40), ...(renewed === undefined ? {} : { renewed }) })
  const task = decide({ ...aTask(), status: 'none' }, open('one'), at).reduce(
    (state, event) => evolve(state, event, at),
    { ...aTask() },
  )
  const opens = (input: Input) => decide(task, input, at).some(({ type }) => type === 'AttemptStarted')
  expect(equal(contractOf('one'), contractOf('two'))).toBe(false)
  expect([opens(open('one')), opens(open('two')), opens(open('one', true)), opens(open('two', true))]).toEqual([
    false,
    false,
    false,
    true,
  ])
})

test.each([
  ['success', 'approved'],
  ['failed', 'rejected'],
  ['pending', null],
  ['retry', null],
  ['refer', null],
] as const)('who waits to deploy is told, where it is %s: %s', (status, answer) => {
  const attempt = anAttempt()
  expect(
    deploymentWord(aTask(attempt), attempt, aDecision('success', { status }), {
      run: 1,
      run_attempt: 1,
      environment: 'live',
      sha: 'a',
    }).answer,
  ).toBe(answer)
})

test('what an older record tells of a deployment was asked in the first attempt of its run', () => {
  const scene = aScene({ verification: { checks: ['test'] } })
  scene.push('a1')
  const asked = { run: 1, environment: 'live', sha: 'a' }
  const [event] = scene.tell({ type: 'ask_deployment', attempt_id: scene.live().id, run_attempt: 1, ...asked })
  const task = event?.type === 'DeploymentAsked' ? toDeploy(scene.task(), { ...event, data: asked }) : null
  expect(task?.attempts[0]?.deployments).toEqual([{ ...asked, run_attempt: 1 }])
})
