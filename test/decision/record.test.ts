// What events mean for the state of a task: what counts, what is forgotten, and what no record may ask for.
import { describe, expect, test } from 'vitest'
import { emptyTask, evolve } from '../../src/core/decision/record/evolve.ts'
import type { NewEvent } from '../../src/core/decision/record/events.ts'
import { ada, agent, aPerson, aScene, bob, cleo, madeBy, shaOf } from '../people/scene.ts'

const at = '2026-01-06T09:00:00.000Z'
const off = { checks: ['test'], verifier: { enabled: false } }
const of = { attempt_id: null, head_sha: null } as const

function passed(given: Parameters<ReturnType<typeof aScene>['push']>[1] = {}) {
  const scene = aScene({ verification: off })
  scene.push('a1', { checks: { test: 'passed' }, ...given })
  return scene
}

describe('a record that asks for what is not declared', () => {
  const broken = (events: readonly NewEvent[], task = emptyTask('acme/shop#7')) => {
    const { status, invariants_broken } = events.reduce((state, event) => evolve(state, event, at), task)
    return [status, ...invariants_broken]
  }
  test('moves no task', () => {
    const done: NewEvent = { type: 'TaskCompleted', ...of, data: { by: 'ada', approvals: [] } }
    expect(broken([done])).toEqual(['none', 'the task cannot go from none to completed'])
  })

  test('moves no attempt, neither from where it is not nor to where it may not', () => {
    const { task, live } = passed()
    const moved = (from: 'RUNNING' | 'SUCCESS', to: 'RETRY' | 'RUNNING', attempt_id: string | null) =>
      broken([{ type: 'TaskExecutionStateChanged', attempt_id, head_sha: null, data: { from, to } }], task())
    expect(moved('RUNNING', 'RETRY', live().id)).toEqual(['review', 'the attempt cannot go from SUCCESS to RETRY'])
    expect(moved('SUCCESS', 'RUNNING', live().id)).toEqual(['review', 'the attempt cannot go from SUCCESS to RUNNING'])
    expect(moved('RUNNING', 'RETRY', 'another')).toEqual(['review', 'the attempt cannot go from none to RETRY'])
  })

  test('shows as a referral, whatever else is known; other errors are only noted', () => {
    const error = (code: 'SYSTEM_INVARIANT_VIOLATED' | 'SYSTEM_FAULT', detail: string | null) =>
      broken([{ type: 'ErrorOccurred', ...of, data: { error: { code, subject: null, detail } } }])
    expect(error('SYSTEM_INVARIANT_VIOLATED', 'so it was')).toEqual(['none', 'so it was'])
    expect(error('SYSTEM_INVARIANT_VIOLATED', null)).toEqual(['none', 'SYSTEM_INVARIANT_VIOLATED'])
    expect(error('SYSTEM_FAULT', 'so it was')).toEqual(['none'])
  })

  test('has no attempt without a commit', () => {
    const scene = passed()
    const started = scene.push('a2').find(({ type }) => type === 'AttemptStarted')
    if (started === undefined) throw new Error('no attempt was started')
    expect(broken([{ ...started, head_sha: null }])).toEqual(['none', 'an attempt without a commit'])
    expect(broken([{ ...started, attempt_id: null }])).toEqual(['none', 'an attempt without a commit'])
  })
})

describe('rejections of other tasks', () => {
  const carried = {
    id: 'k#REJECTION',
    stream: 'R1#8',
    user: 'bob',
    user_id: null,
    permission: 'write',
    reason: 'no',
  } as const
  const where = { head_sha: shaOf('c1'), tree_sha: shaOf('tree-a1') }

  test('come after what was said before they were carried here', () => {
    const scene = passed()
    scene.says(ada, '/override --check test it is right')
    scene.tell({ type: 'carry_rejection', rejection: { ...carried, ...where, standing: 'stands' } })
    expect(scene.shown()).toBe('failed rejected')
    scene.says(ada, '/override --check test it is right')
    expect(scene.shown()).toBe('success success')
  })

  test('stand each for itself', () => {
    const scene = passed()
    const others = [
      carried,
      { ...carried, id: 'j#REJECTION' },
      { ...carried, stream: 'R1#9' },
      { ...carried, head_sha: shaOf('c2') },
    ]
    for (const one of others)
      scene.tell({ type: 'carry_rejection', rejection: { ...where, ...one, standing: 'stands' } })
    expect(scene.task().carried).toHaveLength(4)
    for (const one of others) {
      expect(scene.shown()).toBe('failed rejected')
      scene.tell({ type: 'carry_rejection', rejection: { ...where, ...one, standing: 'revoked' } })
    }
    expect(scene.shown()).toBe('success success')
    expect(scene.task().carried).toHaveLength(4)
  })
})

describe('reviews', () => {
  test('a dismissal ends one, and leaves the others', () => {
    const scene = aScene({ verification: off, merge_requires: 'completed' })
    scene.push('a1', { checks: { test: 'passed' } })
    scene.reviews(bob, 'approved')
    scene.reviews(ada, 'approved')
    scene.dismisses(cleo)
    expect(scene.task().reviews.map(({ by, standing }) => [by, standing])).toEqual([
      ['bob', 'stands'],
      ['ada', 'dismissed'],
    ])
    expect(scene.shown()).toBe('success success')
  })

  test('a dismissal in vain ends none', () => {
    const scene = passed()
    scene.reviews(bob, 'changes_requested')
    scene.dismisses(aPerson('eve'))
    scene.push('a2', { checks: { test: 'passed' } })
    expect(scene.shown()).toBe('refer review')
  })

  test('one of each person stands for each pull request', () => {
    const scene = passed()
    scene.reviews(bob, 'approved')
    scene.reviews(ada, 'approved')
    scene.push('a1', { pull: 10 })
    scene.reviews(bob, 'approved', { pull: 10 })
    scene.reviews(bob, 'approved')
    const told = scene.task().reviews.map(({ by, pull, standing }) => `${by} ${pull} ${standing}`)
    expect(told).toEqual(['bob 9 replaced', 'ada 9 stands', 'bob 10 stands', 'bob 9 stands'])
  })
})

describe('results', () => {
  test('of what was refused the newest five are kept', () => {
    const scene = passed()
    for (let run = 1; run <= 7; run += 1) {
      const refused = { source: `run ${run}`, why: 'it is of another run', policy_hash: null }
      scene.tell({ type: 'refuse_result', attempt_id: scene.live().id, ...refused })
    }
    expect(scene.live().refused.map(({ source }) => source)).toEqual(['run 3', 'run 4', 'run 5', 'run 6', 'run 7'])
  })

  test('what the verifier tells of its own tiers is no tier 1', () => {
    const scene = aScene({})
    scene.push('a1')
    const tier = { tier: 2, passed: false, confidence: 1, checks: [], findings: [], feedback: 'no', run: 'v' } as const
    const id = scene.live().id
    scene.tell({
      type: 'report_unavailable',
      attempt_id: id,
      session_id: 's',
      reason: 'transient',
      retry_at: null,
      happened: [{ type: 'TierCompleted', data: tier }],
    })
    expect(scene.live().tier1).toMatchObject({ passed: true })
  })

  test('a referral that nobody answered has waited for people, not for results', () => {
    const scene = passed({ files: ['.github/workflows/ci.yml'] })
    scene.tell({ type: 'end_wait', attempt_id: scene.live().id, what: 'park_wait' })
    expect(scene.live()).toMatchObject({ state: 'CANCELLED', waited: false })
  })
})

test('refusals are counted for each person', () => {
  const scene = passed()
  for (const user of [bob, bob, ada, bob]) scene.says(user, '/verify')
  scene.tell({ type: 'note_stranger', key: 's1', user: aPerson('dan'), pull: 9 })
  scene.tell({ type: 'note_stranger', key: 's1', user: aPerson('dan'), pull: 9 })
  expect(scene.task().refusals).toEqual({ '@bob': 3, '@ada': 1, '@dan': 1 })
})

describe('makers', () => {
  const makers = (...found: Parameters<typeof madeBy>[]) => {
    const scene = passed()
    for (const [person, ...via] of found)
      scene.tell({
        type: 'add_builder',
        attempt_id: scene.live().id,
        builder: madeBy(person, ...via),
        sha: shaOf('a1'),
      })
    return scene.task().builders.map(({ login, id, via }) => `${login}#${id ?? '-'} ${via.join(' ')}`)
  }
  const ann = aPerson('ann', { id: 1 })
  // prettier-ignore
  test.each<[string, Parameters<typeof madeBy>[], string[]]>([
    ['somebody new is one more', [[ann, 'pusher']], ['agent[bot]#- author', 'ann#1 pusher']],
    ['somebody known had one more part', [[agent, 'pusher']], ['agent[bot]#- author pusher']],
    ['a number that is learned stays', [[ann, 'pusher'], [{ ...ann, id: null }, 'committer']], ['agent[bot]#- author', 'ann#1 pusher committer']],
    ['another name of today is the same person', [[ann, 'pusher'], [{ ...ann, login: 'ann-now' }, 'pusher']], ['agent[bot]#- author', 'ann-now#1 pusher']],
    ['whoever took over a name is another', [[ann, 'pusher'], [{ ...ann, id: 2 }, 'pusher']], ['agent[bot]#- author', 'ann#1 pusher', 'ann#2 pusher']],
  ])('%s', (_title, found, expected) => expect(makers(...found)).toEqual(expected))
})

describe('times', () => {
  test('a decision is as old as its status and row', () => {
    const scene = passed()
    const decided = scene.live().decided_at
    const { decision } = scene.live()
    if (decision === null) throw new Error('it was decided')
    const concluded = (given: Partial<typeof decision>) => {
      const data = { ...decision, ...given, conclusion: 'success', inputs: [] }
      const event: NewEvent = { type: 'DecisionConcluded', attempt_id: scene.live().id, head_sha: null, data }
      return evolve(scene.task(), event, at).attempts[0]?.decided_at
    }
    expect(decided).not.toBe(at)
    expect(concluded({ evidence: ['more'] })).toBe(decided)
    expect(concluded({ row: 'approved' })).toBe(at)
    expect(concluded({ status: 'refer' })).toBe(at)
  })

  test('whoever answers a referral that was parked has as long again', () => {
    const scene = passed({ files: ['.github/workflows/ci.yml'] })
    const attempt_id = scene.live().id
    scene.tell({ type: 'end_wait', attempt_id, what: 'park_wait' })
    const moved = (from: 'CANCELLED' | 'VERIFYING', to: 'VERIFYING' | 'SUCCESS'): NewEvent => ({
      type: 'TaskExecutionStateChanged',
      attempt_id,
      head_sha: null,
      data: { from, to },
    })
    const again = evolve(scene.task(), moved('CANCELLED', 'VERIFYING'), at)
    expect(again.attempts[0]?.decided_at).toBe(at)
    const later = '2026-02-01T09:00:00.000Z'
    expect(evolve(again, moved('VERIFYING', 'SUCCESS'), later).attempts[0]?.decided_at).toBe(at)
  })
})
