// When a commit is a new attempt, when it is the one from before, and what a push, another base or another policy ends.
import { describe, expect, test } from 'vitest'
import type { NewEvent } from '../../src/core/decision/record/events.ts'
import type { Builder } from '../../src/core/people/people.ts'
import { ada, agent, aPerson, aScene, bob, cleo, madeBy, shaOf, type Scene } from '../people/scene.ts'

const off = { checks: ['test'], verifier: { enabled: false } }
const policy = { verification: off }

const ended = (events: readonly NewEvent[]): string[] =>
  events.flatMap(({ type, data }) => (type === 'AttemptSuperseded' ? [data.why] : []))
const voided = (events: readonly NewEvent[]): string[] =>
  events.flatMap(({ type, data }) => (type === 'OverrideVoided' ? [data.override_id.split('#')[1] ?? ''] : []))
/** Each attempt by its commit, base and state, with a star where it is the present one. */
const attempts = (scene: Scene): string[] =>
  scene
    .task()
    .attempts.map(
      ({ head_sha, base_ref, state, live }) => `${head_sha.slice(0, 2)} ${base_ref} ${state}${live ? '*' : ''}`,
    )

function pushed(name = 'a1', given: Parameters<Scene['push']>[1] = {}) {
  const scene = aScene(policy)
  scene.push(name, { checks: { test: 'failed' }, ...given })
  return scene
}

describe('the attempt that a push ends', () => {
  test('keeps its conclusion, and its overrides are void', () => {
    const scene = pushed()
    scene.says(ada, '/override flaky')
    scene.says(ada, '/retry once more')
    const events = scene.push('a2', { checks: { test: 'passed' } })
    expect([ended(events), voided(events)]).toEqual([['push'], ['CHECK_OVERRIDE']])
    expect(attempts(scene)).toEqual(['a1 main SUCCESS', 'a2 main SUCCESS*'])
  })

  test('is superseded where it had not concluded', () => {
    const scene = pushed('a1', { checks: {} })
    expect(ended(scene.push('a2'))).toEqual(['push'])
    expect(attempts(scene)).toEqual(['a1 main SUPERSEDED', 'a2 main VERIFYING*'])
  })

  test('is that of the same pull request alone', () => {
    const scene = pushed()
    expect(ended(scene.push('b1', { pull: 10 }))).toEqual([])
    expect(attempts(scene)).toEqual(['a1 main RETRY*', 'b1 main VERIFYING*'])
  })

  test('has its overrides voided also where it came while the pull request was closed', () => {
    const scene = pushed()
    scene.says(ada, '/override flaky')
    expect(voided(scene.ended('closed'))).toEqual([])
    const events = scene.push('a2')
    expect([ended(events), voided(events)]).toEqual([[], ['CHECK_OVERRIDE']])
  })

  test('leaves overrides of other pull requests', () => {
    const scene = pushed()
    scene.says(ada, '/override flaky')
    expect(voided(scene.push('b1', { pull: 10 }))).toEqual([])
  })
})

describe('the same commit', () => {
  test('is the same attempt, whatever happens around it', () => {
    const scene = pushed()
    expect(scene.push('a1', { tier1: 'running', files: null })).toEqual([])
    scene.ended('draft')
    scene.push('a1', { tier1: 'running', files: null })
    expect(attempts(scene)).toEqual(['a1 main RETRY*'])
  })

  test('is waited for again where it had been superseded', () => {
    const scene = pushed('a1', { checks: {} })
    scene.push('a2')
    scene.push('a1')
    expect(attempts(scene)).toEqual(['a1 main VERIFYING*', 'a2 main SUPERSEDED'])
    expect(scene.live().ordinal).toBe(1)
  })

  test('for another base, or merging elsewhere, is another attempt', () => {
    const scene = pushed()
    scene.says(ada, '/override flaky')
    const moved = scene.push('a1', { base_ref: 'next' })
    expect([ended(moved), voided(moved)]).toEqual([['retarget'], ['CHECK_OVERRIDE']])
    expect(ended(scene.push('a1', { base_ref: 'next', merges_into: 'stack' }))).toEqual(['retarget'])
    expect(scene.task().attempts.map(({ id }) => id.split('@')[1])).toEqual([
      shaOf('a1'),
      `${shaOf('a1')}~2`,
      `${shaOf('a1')}~3`,
    ])
  })

  test('of another pull request is another attempt', () => {
    const scene = pushed()
    scene.push('a1', { pull: 10 })
    expect(scene.task().attempts.map(({ id }) => id)).toEqual([
      `acme/shop#9@${shaOf('a1')}`,
      `acme/shop#10@${shaOf('a1')}`,
    ])
  })

  test('has results from before only for the base that they were made for', () => {
    const scene = pushed('a1', { head_at: '2026-01-05T01:00:00Z' })
    expect(scene.live().results_since).toBeNull()
    scene.push('a1', { base_ref: 'next', head_at: '2026-01-05T02:00:00Z' })
    expect(scene.live().results_since).toBe('2026-01-05T02:00:00Z')
    scene.push('a1', { head_at: '2026-01-05T03:00:00Z' })
    expect(scene.live().results_since).toBe('2026-01-05T03:00:00Z')
  })

  test('under another policy is judged anew, on the results that there are', () => {
    const scene = pushed('a1', { head_at: '2026-01-05T01:00:00Z' })
    const { contract } = scene.live()
    const events = scene.push('a1', {
      contract: { ...contract, policy_hash: 'another' },
      head_at: '2026-01-05T02:00:00Z',
    })
    expect(ended(events)).toEqual(['policy'])
    expect(scene.task().attempts).toHaveLength(2)
    expect(scene.live().results_since).toBeNull()
  })
})

describe('whose attempts are limited', () => {
  const human = (login: string): Builder => madeBy(aPerson(login), 'author')
  const bot = (login: string): Builder => madeBy(aPerson(login, { kind: 'bot' }), 'author')
  const limited = (builders: readonly Builder[], given: Parameters<typeof aScene>[0] = {}) => {
    const scene = aScene({ ...policy, ...given }, builders)
    scene.push('a1')
    return scene.live().limited
  }
  const everyone = { verification: { ...off, retry: { applies_to: 'everyone' } } } as const
  // prettier-ignore
  test.each<[string, Builder[], Parameters<typeof aScene>[0], boolean]>([
    ['what a bot made', [bot('agent[bot]')], {}, true],
    ['what a bot had a part in', [human('ann'), bot('agent[bot]')], {}, true],
    ['not what people made', [human('ann'), human('bob')], {}, false],
    ['what people made, where policy says so', [human('ann')], everyone, true],
    ['what an account made that policy lists as an agent', [human('robot')], { identities: { agents: ['Robot'] } }, true],
    ['not what an exempt bot made', [bot('dependabot[bot]')], {}, false],
    ['not what an exempt agent made', [human('robot')], { identities: { agents: ['robot'], exempt: ['Robot'] } }, false],
    ['what an exempt bot and another made', [bot('dependabot[bot]'), bot('agent[bot]')], {}, true],
  ])('%s', (_title, builders, given, is) => expect(limited(builders, given)).toBe(is))

  test('a merge group never', () => {
    const group = { pull: 9, beside: [], base_sha: shaOf('base'), lacking: null, covers: [] }
    const scene = aScene(everyone, [madeBy(agent, 'author')])
    scene.push('a1', { group })
    expect(scene.live().limited).toBe(false)
    expect(scene.task().status).toBe('none')
  })
})

describe('a task', () => {
  const happened = (events: readonly NewEvent[]) =>
    events.map(({ type }) => type).filter((type) => type.startsWith('Task') && !type.includes('State'))
  test('begins with its first pull request, and is handed in with it', () => {
    const steps = ['TaskCreated', 'TaskAssigned', 'TaskStarted', 'TaskSubmitted']
    const scene = aScene(policy)
    expect(happened(scene.push('a1'))).toEqual(steps)
    expect(scene.task()).toMatchObject({ status: 'review', assignee: 'agent[bot]' })
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
