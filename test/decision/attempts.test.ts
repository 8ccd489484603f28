// When a commit is a new attempt, when it is the one from before, and what a push, another base or another policy ends.
import { describe, expect, test } from 'vitest'
import type { NewEvent } from '../../src/core/decision/record/events.ts'
import type { Builder } from '../../src/core/people/people.ts'
import { ada, agent, aPerson, aScene, madeBy, shaOf, type Scene } from '../people/scene.ts'

const off = { checks: ['test'], verifier: { enabled: false } }
const policy = { verification: off }

const ended = (events: readonly NewEvent[]): string[] =>
  events.flatMap(({ type, data }) => (type === 'AttemptSuperseded' ? [data.why] : []))
const voided = (events: readonly NewEvent[]): string[] =>
  events.flatMap(({ type, data }) =>
    type === 'OverrideVoided' ? [`${data.override_id.split('#')[1]} by ${data.why}`] : [],
  )
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
    expect([ended(events), voided(events)]).toEqual([['push'], ['CHECK_OVERRIDE by push']])
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
    expect([ended(events), voided(events)]).toEqual([[], ['CHECK_OVERRIDE by push']])
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
    expect([ended(moved), voided(moved)]).toEqual([['retarget'], ['CHECK_OVERRIDE by retarget']])
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
    scene.says(ada, '/override flaky')
    const { contract } = scene.live()
    const events = scene.push('a1', {
      contract: { ...contract, policy_hash: 'another' },
      head_at: '2026-01-05T02:00:00Z',
    })
    expect([ended(events), voided(events)]).toEqual([['policy'], ['CHECK_OVERRIDE by policy']])
    expect(scene.task().attempts).toHaveLength(2)
    expect(scene.live().results_since).toBeNull()
  })
})

describe('an older commit', () => {
  const late = (scene: Scene, state: 'passed' | 'failed') => {
    const attempt_id = scene.task().attempts[0]?.id ?? ''
    scene.tell({ type: 'report_check', attempt_id, run: 'late', name: 'test', state, result: null, output_ref: null })
    return scene.task()
  }

  test('is judged again by its own late results, which may give its attempt back', () => {
    const limited = { ...off, retry: { max_attempts: 1 } }
    const scene = aScene({ verification: limited })
    scene.push('a1', { checks: { test: 'failed' } })
    scene.push('a2', { checks: { test: 'passed' } })
    expect(scene.shown()).toBe('failed spent')
    expect(late(scene, 'passed').attempts[0]?.decision).toMatchObject({ status: 'success' })
    expect(scene.shown()).toBe('success success')
  })

  test('that was superseded is not judged, whatever comes late', () => {
    const scene = pushed('a1', { checks: {} })
    scene.push('a2')
    expect(late(scene, 'failed')).toMatchObject({ invariants_broken: [], attempts: [{ state: 'SUPERSEDED' }, {}] })
    expect(scene.task().attempts[0]?.decision).toMatchObject({ row: 'pending' })
  })

  test('keeps its conclusion when new attempts are granted', () => {
    const scene = aScene({ verification: { ...off, retry: { max_attempts: 1 } } })
    scene.push('a1', { checks: { test: 'failed' } })
    scene.push('a2', { checks: { test: 'passed' } })
    scene.says(ada, '/retry once more')
    expect(scene.task().attempts.map(({ decision }) => decision?.status)).toEqual(['failed', 'success'])
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
