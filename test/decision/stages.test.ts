// Which approvals a merge needs, and whose count for which stage.
import { describe, expect, test } from 'vitest'
import { costMs } from '../aside/computed.ts'
import type { NewEvent } from '../../src/core/decision/record/events.ts'
import type { PolicyInput } from '../../src/core/contract/policy/policy.ts'
import { stagePeople } from '../../src/core/people/stage-people.ts'
import { ada, aPerson, aScene, bob, cleo, madeBy } from '../people/scene.ts'

const off = { checks: ['test'], verifier: { enabled: false } }
const eve = aPerson('eve', { teams: ['acme/security'] })

function after(policy: PolicyInput, ...approving: (typeof ada)[]): string {
  const scene = aScene({ verification: off, ...policy })
  scene.push('a1', { checks: { test: 'passed' } })
  for (const user of approving) scene.reviews(user, 'approved')
  const [reason] = scene.decision()?.reasons ?? []
  return [scene.shown(), reason?.code, reason?.subject, reason?.detail].filter(Boolean).join(' ')
}

describe('an approval is needed', () => {
  // prettier-ignore
  test.each<[string, PolicyInput, string]>([
    ['not where policy asks for success only', {}, 'success success'],
    ['where a task is to be completed', { merge_requires: 'completed' }, 'refer review approval_missing'],
    ['where it is to be verified', { merge_requires: 'verified' }, 'refer review approval_missing'],
    ['not where some check stands behind it', { verification: { ...off, no_checks: 'require_human' } }, 'success success'],
  ])('%s', (_title, policy, expected) => expect(after(policy)).toBe(expected))

  test('where no check stands behind it and policy wants a human then', () => {
    const scene = aScene({ verification: { no_checks: 'require_human' } })
    scene.push('a1')
    scene.judged('PASS')
    expect(scene.shown()).toBe('refer review')
    scene.reviews(bob, 'approved')
    expect(scene.shown()).toBe('success success')
  })
})

describe('a stage', () => {
  const stages = (...by: { name: string; by: string[]; count: number }[]): PolicyInput => ({ review: { stages: by } })
  const security = { name: 'security', by: ['acme/security'], count: 1 }
  const two = { name: 'two', by: [], count: 2 }
  // prettier-ignore
  test.each<[string, PolicyInput, (typeof ada)[], string]>([
    ['of a team waits for somebody of it', stages(security), [bob], 'refer review stage_missing security acme/security'],
    ['of a team', stages(security), [eve], 'success success'],
    ['of a login', stages({ name: 'ada', by: ['Ada'], count: 1 }), [ada], 'success success'],
    ['of several names, whichever it is', stages({ name: 'any', by: ['cleo', 'bob'], count: 1 }), [bob], 'success success'],
    ['of anybody, as often as it says', stages(two), [bob], 'refer review stage_missing two'],
    ['of anybody, as often as it says', stages(two), [bob, ada], 'success success'],
    ['that comes first is named first', stages(two, security), [], 'refer review stage_missing two'],
    ['that is satisfied leaves the next', stages(two, security), [bob, ada], 'refer review stage_missing security acme/security'],
    ['of leads waits for an admin, where nobody is named', stages({ name: 'lead', by: ['lead'], count: 1 }), [ada], 'refer review stage_missing lead lead'],
    ['of leads', stages({ name: 'lead', by: ['lead'], count: 1 }), [cleo], 'success success'],
    ['of named leads waits for one of them', { ...stages({ name: 'lead', by: ['lead'], count: 1 }), roles: { lead: ['ada'] } }, [cleo], 'refer review stage_missing lead ada'],
    ['of named leads', { ...stages({ name: 'lead', by: ['lead'], count: 1 }), roles: { lead: ['ada'] } }, [ada], 'success success'],
    ['of reviewers is of whoever may review, where nobody is named', stages({ name: 'r', by: ['reviewer'], count: 1 }), [bob], 'success success'],
    ['of verifiers is of whoever may review, where nobody is named', stages({ name: 'v', by: ['verifier'], count: 1 }), [bob], 'success success'],
    ['of named verifiers waits for one of them', { ...stages({ name: 'v', by: ['verifier'], count: 1 }), roles: { verifier: ['ada'] } }, [bob], 'refer review stage_missing v ada'],
  ])('%s', (_title, policy, approving, expected) => {
    expect(after(policy, ...approving)).toBe(expected)
  })
})

describe('several stages', () => {
  const design = { name: 'design', by: ['ada', 'bob'] }
  const security = { name: 'security', by: ['acme/security', 'bob'] }
  const review = (
    same_person: boolean,
    ...stages: { name: string; by: string[]; paths?: string[] }[]
  ): PolicyInput => ({
    review: { stages, same_person },
  })
  // prettier-ignore
  test.each<[string, PolicyInput, (typeof ada)[], string]>([
    ['are filled by different people', review(false, design, security), [bob], 'refer review stage_missing security acme/security, bob'],
    ['whoever of them came first', review(false, design, security), [bob, ada], 'success success'],
    ['in whichever order they are named', review(false, security, design), [bob, ada], 'success success'],
    ['by one person, where policy says so', review(true, design, security), [bob], 'success success'],
    ['are named in their order', review(false, design, security), [eve], 'refer review stage_missing design ada, bob'],
    ['apply by their paths alone', review(false, { ...design, paths: ['docs/**'] }, security), [eve], 'success success'],
  ])('%s', (_title, policy, approving, expected) => {
    expect(after(policy, ...approving)).toBe(expected)
  })

  test('are filled by nobody who made a part of it, also where nobody else could', () => {
    const scene = aScene({ verification: off, ...review(false, { name: 'all', by: [] }) }, [madeBy(cleo, 'author')])
    scene.peopled(1, 0, 0)
    scene.push('a1', { checks: { test: 'passed' } })
    scene.reviews(cleo, 'approved')
    expect(scene.shown()).toBe('refer review')
  })

  test('an account that is called like a role is no role', () => {
    const scene = aScene({ verification: off, ...review(false, { name: 'owners', by: ['code_owners'] }) })
    scene.push('a1', { checks: { test: 'passed' } })
    expect(scene.shown()).toBe('pending review')
    const owners = { path: 'CODEOWNERS', text: '* @reviewer' }
    const question = { stages: [{ name: 'owners', by: ['code_owners'], paths: undefined }], touched: ['src/shop.ts'] }
    scene.tell({ type: 'report_stages', attempt_id: scene.live().id, people: stagePeople({ ...question, owners }) })
    scene.reviews(bob, 'approved')
    expect(scene.shown()).toBe('refer review')
    scene.reviews(aPerson('reviewer'), 'approved')
    expect(scene.shown()).toBe('success success')
  })

  test('the one that sent the work back is asked again before the others', () => {
    const scene = aScene({ verification: off, ...review(false, design, security) })
    scene.push('a1', { checks: { test: 'passed' } })
    expect(scene.decision()?.reasons[0]?.subject).toBe('design')
    scene.says(eve, '/reject it leaks')
    expect(scene.decision()?.reasons).toMatchObject([
      { code: 'stage_rejected', subject: 'security', detail: 'eve: it leaks' },
      { code: 'rejected_by', subject: 'eve' },
    ])
    scene.push('a2', { checks: { test: 'passed' } })
    expect(scene.decision()?.reasons[0]).toMatchObject({ code: 'stage_missing', subject: 'security' })
    scene.reviews(eve, 'approved')
    expect(scene.decision()?.reasons[0]).toMatchObject({ code: 'stage_missing', subject: 'design' })
  })

  test('where very many approve, whom they fill is found in time', async () => {
    const many = Array.from({ length: 20 }, (_, index) => ({ name: `s${index}`, by: [], count: 2 }))
    const people = Array.from({ length: 30 }, (_, index) => aPerson(`p${index}`))
    const deciding = () => expect(after({ review: { stages: many } }, ...people)).toBe('refer review stage_missing s15')
    expect(await costMs(deciding)).toBeLessThan(3_000)
  })
})

test('what each stage came to is on record once, and again where it comes to something else', () => {
  const came: string[] = []
  const note = (events: readonly NewEvent[]) => {
    for (const { type, data } of events)
      if (type === 'ReviewStageCompleted')
        came.push([data.stage, data.verdict, data.by.join(), data.reason].join(' ').trim())
  }
  const policy: PolicyInput = {
    verification: off,
    review: {
      stages: [
        { name: 'security', by: ['acme/security'] },
        { name: 'design', by: ['bob'] },
        { name: 'docs', by: ['ada'], paths: ['docs/**'] },
      ],
    },
  }
  const scene = aScene(policy, undefined, note)
  scene.push('a1', { checks: { test: 'passed' } })
  expect(came).toEqual(['docs SKIP'])
  scene.reviews(eve, 'changes_requested')
  expect(came.slice(1)).toEqual(['security FAIL eve looked'])
  scene.push('b2', { checks: { test: 'passed' } })
  scene.reviews(eve, 'approved')
  scene.reviews(bob, 'approved')
  scene.reviews(bob, 'approved')
  expect(came.slice(2)).toEqual(['docs SKIP', 'security PASS eve', 'design PASS bob'])
})
