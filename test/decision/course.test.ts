// What a task goes through with its attempts, and what is recorded beside a decision that ends one.
import { describe, expect, test } from 'vitest'
import type { NewEvent } from '../../src/core/decision/record/events.ts'
import { ada, aScene, bob, cleo, madeBy, shaOf } from '../people/scene.ts'

const off = { checks: ['test'], verifier: { enabled: false } }
const policy = { verification: off }

describe('a task', () => {
  const happened = (events: readonly NewEvent[]) =>
    events.map(({ type }) => type).filter((type) => type.startsWith('Task') && !type.includes('State'))
  test('begins with its first pull request, and is handed in with it', () => {
    const steps = ['TaskCreated', 'TaskAssigned', 'TaskStarted', 'TaskSubmitted']
    const scene = aScene(policy)
    expect(happened(scene.push('a1'))).toEqual(steps)
    expect(scene.task()).toMatchObject({ status: 'review', assignee: { login: 'agent[bot]' } })
    expect(happened(scene.push('a2'))).toEqual([])
  })

  test('goes back to its builder with a failure, and is handed in again with the next push', () => {
    const scene = aScene(policy)
    scene.push('a1', { checks: { test: 'failed' } })
    expect(scene.task().status).toBe('in_progress')
    expect(happened(scene.push('a2'))).toEqual(['TaskSubmitted'])
  })

  test('is complete with an approval of what passed, and no longer after a push', () => {
    const scene = aScene(policy)
    scene.push('a1', { checks: { test: 'passed' } })
    expect(scene.task().status).toBe('review')
    scene.reviews(bob, 'approved')
    expect(scene.task().status).toBe('completed')
    expect(happened(scene.push('a2'))).toEqual(['TaskSentBack', 'TaskSubmitted'])
  })

  test('is not complete while something is missing, and not any more once it is', () => {
    const scene = aScene(policy)
    scene.push('a1', { checks: { test: 'failed' } })
    scene.reviews(bob, 'approved')
    expect(scene.task().status).toBe('in_progress')
    scene.check('test', 'passed')
    expect(scene.task().status).toBe('completed')
    scene.check('test', 'failed')
    expect(scene.task().status).toBe('in_progress')
    scene.check('test', 'passed')
    scene.tell({ type: 'add_builder', attempt_id: scene.live().id, builder: madeBy(cleo, 'pusher'), sha: shaOf('a1') })
    expect(scene.task().status).toBe('completed')
    scene.tell({ type: 'note_fault', attempt_id: scene.live().id, doing: 'reading', what: 'it broke' })
    expect(scene.shown()).toBe('refer invalid')
    expect(scene.task().status).toBe('review')
  })

  test('is complete with a direct approval', () => {
    const scene = aScene({ ...policy, override_policy: { direct_approval_allowed: true } })
    scene.push('a1', { checks: { test: 'failed' } })
    scene.says(ada, '/approve I take it')
    expect(scene.task().status).toBe('completed')
  })
})

describe('an attempt', () => {
  const narrow = { verification: off, scope: { write: ['src/**'] } }
  test('begins to be verified once its paths are known and allowed', () => {
    const scene = aScene(narrow)
    scene.push('a1', { files: null, tier1: 'running' })
    expect(scene.live().state).toBe('RUNNING')
    const files = [{ path: 'src/a.ts', previous_path: null, status: 'modified' }] as const
    scene.tell({ type: 'report_files', attempt_id: scene.live().id, files, complete: true })
    expect(scene.live().state).toBe('VERIFYING')
  })

  test('fails at once outside of its scope, and goes on once that was acknowledged', () => {
    const scene = aScene(narrow)
    scene.push('a1', { files: ['docs/x.md'] })
    expect([scene.live().state, scene.shown()]).toEqual(['FAILED', 'failed scope'])
    scene.says(ada, '/ack docs too')
    expect([scene.live().state, scene.shown()]).toEqual(['VERIFYING', 'pending pending'])
  })

  test('waits for people with what is more urgent than its scope', () => {
    const scene = aScene(narrow)
    scene.push('a1', { files: ['docs/x.md'], invalid: [{ code: 'contract_unreadable', subject: null, detail: null }] })
    expect([scene.live().state, scene.shown()]).toEqual(['VERIFYING', 'refer invalid'])
  })
})

describe('what is recorded beside a decision that ends an attempt', () => {
  const recorded = (events: readonly NewEvent[]) =>
    events.flatMap(({ type, data }) => {
      if (type === 'AttemptCompleted') return [`${data.outcome}${data.consumed ? ', used up' : ''}`]
      if (type === 'AttemptFailed') return [`failed for ${data.error.code}`]
      if (type === 'RetryLimitReached') return [`limit by ${data.cause}`]
      if (type === 'EscalationRaised') return [`${data.why} to ${data.to.join(', ')}`]
      return type === 'RetryContextAssembled' ? [`context ${data.prior_attempts_count}`] : []
    })
  const begun = (given: Parameters<typeof aScene>[0] = policy) => {
    const scene = aScene(given)
    scene.push('a1')
    return scene
  }

  test('a success', () => {
    const scene = begun()
    expect(recorded(scene.check('test', 'passed'))).toEqual(['success by success'])
  })

  test('a retry, with what the next attempt should know', () => {
    const scene = begun()
    expect(recorded(scene.check('test', 'failed'))).toEqual(['retry by checks, used up', 'context 0'])
    scene.push('a2')
    expect(recorded(scene.check('test', 'failed'))).toEqual(['retry by checks, used up', 'context 1'])
    expect(recorded(scene.check('test', 'timed_out'))).toEqual([])
  })

  test.each([
    [{ lead: ['cleo'] }, 'cleo'],
    [{}, 'admins'],
  ])('the last attempt, of which those hear who lead: %j', (roles, to) => {
    const scene = begun({ verification: { ...off, retry: { max_attempts: 1 } }, roles })
    const limit = ['limit by attempts', `POLICY_RETRY_LIMIT_EXCEEDED to ${to}`]
    const failed = ['failed by checks, used up', 'failed for VERIFICATION_CHECK_FAILED', ...limit, 'context 0']
    expect(recorded(scene.check('test', 'failed'))).toEqual(failed)
    const spent = ['failed by spent', 'failed for POLICY_RETRY_LIMIT_EXCEEDED', 'context 1']
    expect(recorded(scene.push('a2'))).toEqual(spent)
  })

  test('the same failure once more, where policy ends that', () => {
    const scene = aScene({ verification: { ...off, retry: { stop_on_no_progress: 2 } } })
    const checks = [{ name: 'syntax', passed: false, detail: 'a.json' }]
    const failing = () => {
      const of = { attempt_id: scene.live().id, run: scene.live().head_sha }
      return recorded(scene.tell({ type: 'report_tier1', ...of, passed: false, checks, findings: [], feedback: null }))
    }
    scene.push('a1', { tier1: 'running' })
    expect(failing()).toEqual(['retry by tier1, used up', 'context 0'])
    scene.push('a2', { tier1: 'running' })
    const failed = ['failed by tier1, used up', 'failed for VERIFICATION_TIER1_FAILED']
    expect(failing()).toEqual([...failed, 'limit by no_progress', 'POLICY_NO_PROGRESS to admins', 'context 1'])
  })

  test('a verifier that stops the task', () => {
    const scene = aScene({ verification: { checks: ['test'] } })
    scene.push('a1', { checks: { test: 'passed' } })
    const failed = [
      'failed by hard, used up',
      'failed for VERIFICATION_AGENT_REJECTED',
      'hard_fail to admins',
      'context 0',
    ]
    expect(recorded(scene.judged('HARD_FAIL'))).toEqual(failed)
  })

  test('nothing of what is still open', () => {
    const scene = aScene({ verification: { checks: ['test'] } })
    expect(recorded(scene.push('a1'))).toEqual([])
    scene.check('test', 'passed')
    expect(recorded(scene.judged('REFER'))).toEqual([])
  })
})
