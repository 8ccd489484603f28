// Which stages of a review apply, whom they ask, and who fills which: each question by itself.
import { describe, expect, test } from 'vitest'
import type { PolicyInput } from '../../src/core/contract/policy/policy.ts'
import {
  mustReadStages,
  stageNaming,
  stageOf,
  stageQuestion,
  stagesApplying,
  stagesNow,
  teamsAround,
} from '../../src/core/decision/gate/stages.ts'
import type { Attempt } from '../../src/core/decision/model.ts'
import type { Review } from '../../src/core/people/people.ts'
import type { StagePeople } from '../../src/core/people/stage-people.ts'
import { agent, aPerson, bob, madeBy } from '../people/scene.ts'
import { anAttempt, aTask, policyOf } from '../words/attempts.ts'

type Stages = NonNullable<NonNullable<PolicyInput['review']>['stages']>
const paths = (stages: string[], known = true): Attempt['paths'] => ({
  known,
  violations: [],
  guarded: [],
  applying: [],
  stages,
})
const reviewed = (stages: Stages, given: Partial<Attempt> = {}, same_person = false, more: PolicyInput = {}): Attempt =>
  anAttempt(given, policyOf({ review: { stages, same_person }, ...more }))
const approved = (by: string, given: Partial<Review> = {}): Review => ({
  id: `${by}@1`,
  by,
  user_id: null,
  teams: [],
  permission: 'write',
  state: 'approved',
  pull: 7,
  base_ref: 'main',
  merges_into: 'main',
  head_sha: '1'.repeat(40),
  tree_sha: '1'.repeat(40),
  body: '',
  counts: true,
  why_not: null,
  resolves_refer: false,
  solo: false,
  seq: 1,
  standing: 'stands',
  ...given,
})
/** What was read of whom a stage asks. */
const people = (stage: string, groups: readonly (readonly string[])[], trouble = false): StagePeople => ({
  stage,
  groups,
  trouble: trouble ? { code: 'owners_broken', detail: null } : null,
})
const owners = (name: string) => ({ name, by: ['code_owners'] })

describe('a stage applies', () => {
  const stages: Stages = [{ name: 'all' }, { name: 'docs', paths: ['docs/**'] }, { name: 'machines', when: 'agents' }]
  const human = [madeBy(bob, 'author')]
  // prettier-ignore
  test.each<[string, Partial<Attempt>, string[]]>([
    ['where its paths changed', { paths: paths(['all', 'docs', 'machines']) }, ['all', 'docs']],
    ['not where others did', { paths: paths(['all', 'machines']) }, ['all']],
    ['where not all that changed is listed', { paths: paths(['all', 'machines']), files_complete: false }, ['all', 'docs']],
    ['where the paths could not be held against it', { paths: paths([], false) }, ['all', 'docs']],
    ['where nothing is listed yet', { paths: null }, ['all', 'docs']],
    ['where an agent made it', { paths: paths(['all', 'machines']), builders: [madeBy(agent, 'author')] }, ['all', 'machines']],
    ['where nobody knows who made it', { paths: paths(['all', 'machines']), builder_known: false }, ['all', 'machines']],
  ])('%s', (_title, given, expected) => {
    expect(stagesApplying(reviewed(stages, { builders: human, ...given })).map(({ name }) => name)).toEqual(expected)
  })
})

describe('whom the stages ask', () => {
  const plain = { name: 'plain', by: ['ada'] }
  const team = { name: 'team', by: ['acme/core'] }
  const question = (by: string) => ({ name: by === 'acme/core' ? 'team' : 'owners', by: [by], paths: undefined })

  // prettier-ignore
  test.each<[string, Attempt, unknown]>([
    ['is to be read of teams and of owners', reviewed([plain, team, owners('owners')]), { stages: [question('acme/core'), question('code_owners')], touched: ['src/cart.ts'] }],
    ['is known where only accounts are named', reviewed([plain]), null],
    ['is not asked before the files are listed', reviewed([team], { files: null }), null],
    ['is asked for all of it where not all is listed', reviewed([team], { files_complete: false }), { stages: [question('acme/core')], touched: null }],
    ['is asked for all of it where the paths are not known', reviewed([team], { paths: paths([], false) }), { stages: [question('acme/core')], touched: null }],
  ])('%s', (_title, attempt, expected) => expect(stageQuestion(attempt)).toEqual(expected))

  test.each<[string, Attempt, boolean]>([
    ['once', reviewed([team]), true],
    ['not again where it is known', reviewed([team], { stages: [people('team', [['acme/core']])] }), false],
    ['again while nobody can tell', reviewed([team], { stages: [people('team', []), people('o', [], true)] }), true],
    ['never where nothing is to be read', reviewed([plain]), false],
  ])('is read %s', (_title, attempt, expected) => expect(mustReadStages(attempt)).toBe(expected))

  test('may be teams, of roles, of stages and of owners', () => {
    const read = { stages: [people('owners', [['acme/docs', 'cleo'], ['acme/core']])] }
    const attempt = reviewed([plain, team, owners('owners')], read, false, { roles: { lead: ['abe', 'acme/leads'] } })
    expect(teamsAround(attempt).toSorted()).toEqual(['acme/core', 'acme/docs', 'acme/leads'])
  })
})

describe('somebody speaks for', () => {
  const both: Stages = [{ name: 'any' }, { name: 'named', by: ['bob', 'lead'] }, owners('owners')]
  const attempt = reviewed(both, { stages: [people('owners', [['ada'], ['cleo', 'amy']])] })
  // prettier-ignore
  test.each<[string, Parameters<typeof stageOf>[1], string | null, string | null]>([
    ['the stage that names them', bob, 'named', 'named'],
    ['the stage of one group of owners', aPerson('amy'), 'owners', 'owners'],
    ['the stage of leads, as an admin', aPerson('root', { permission: 'admin' }), 'named', 'named'],
    ['the stage of anybody, where none names them', aPerson('zoe'), 'any', null],
  ])('%s', (_title, who, of, naming) => {
    expect([stageOf(attempt, who), stageNaming(attempt, who)]).toEqual([of, naming])
  })

  test('no stage where none asks them', () => {
    expect(stageOf(reviewed([{ name: 'named', by: ['ada'] }]), aPerson('zoe'))).toBeNull()
  })

  test('a stage that a role beside a name opens to anybody', () => {
    expect(stageOf(reviewed([{ name: 'open', by: ['ada', 'reviewer'] }]), aPerson('zoe'))).toBe('open')
  })
})

describe('who fills which', () => {
  const named = (name: string, ...by: string[]) => ({ name, by })
  function now(attempt: Attempt, ...by: readonly (string | Review)[]): string[] {
    const approvals = by.map((one) => (typeof one === 'string' ? approved(one) : one))
    return stagesNow(aTask(attempt), attempt, approvals).map((one) =>
      [one.name, one.state, ...one.by.map((review) => review.by)].join(' '),
    )
  }
  const [a, b, c] = [named('a', 'ada', 'bob'), named('b', 'carl'), named('c', 'ada')]

  // prettier-ignore
  test.each<[string, Stages, string[], string[]]>([
    ['the next one waits, the others come later', [a, b, c], [], ['a waiting', 'b later', 'c later']],
    ['a filled one gives way to the next', [a, b], ['bob'], ['a filled bob', 'b waiting']],
    ['whoever approved so far stands there', [{ ...a, count: 2 }], ['ada'], ['a waiting ada']],
    ['nobody stands where they are not asked', [a, b], ['zoe'], ['a waiting', 'b later']],
    ['whoever came first, where that is all the same', [a, b], ['ada', 'bob'], ['a filled ada', 'b waiting']],
    ['whom no other stage asks comes first', [a, b, c], ['ada', 'bob'], ['a filled bob', 'b waiting', 'c later']],
    ['whom no other stage asks comes first, also as the first', [a, b, c], ['bob', 'ada'], ['a filled bob', 'b waiting', 'c later']],
    ['one that is left out stands at the end', [{ ...a, when: 'agents' }, b], ['carl'], ['b filled carl', 'a left_out']],
  ])('%s', (_title, stages, by, expected) => {
    const made = { builders: [madeBy(aPerson('maker'), 'author')] }
    expect(now(reviewed(stages, made), ...by)).toEqual(expected)
  })

  test('one person several of them, where policy says so and they are asked there', () => {
    expect(now(reviewed([a, b, c], {}, true), 'ada', 'carl', 'zoe')).toEqual([
      'a filled ada',
      'b filled carl',
      'c filled ada',
    ])
  })

  test('an admin where leads are asked beside others, and nobody else names them', () => {
    const root = approved('root', { permission: 'admin' })
    expect(now(reviewed([named('s', 'ada', 'lead')]), root)).toEqual(['s filled root'])
    expect(now(reviewed([named('s', 'ada', 'lead')]), 'zoe')).toEqual(['s waiting'])
  })

  test('each group of owners is to be heard', () => {
    const read = (same: boolean) =>
      reviewed(
        [owners('o')],
        {
          stages: [
            people('o', [
              ['ada', 'zed'],
              ['bob', 'zed'],
            ]),
          ],
        },
        same,
      )
    expect(now(read(false), 'ada')).toEqual(['o waiting ada'])
    expect(now(read(false), 'ada', 'bob')).toEqual(['o filled ada bob'])
    expect(now(read(true), 'ada')).toEqual(['o waiting ada'])
    // Nobody more than it takes.
    expect(now(read(false), 'zed', 'ada')).toEqual(['o filled zed'])
  })

  test('it is tried another way where the first leaves a later stage open', () => {
    const groups = [['ada', 'zed'], ['bob', 'zed'], ['zed']]
    const stages = [owners('o'), { ...named('p', 'ada', 'bob'), count: 2 }, named('q', 'zed', 'cleo')]
    const attempt = reviewed(stages, { stages: [people('o', groups)] })
    expect(now(attempt, 'ada', 'bob', 'zed')).toEqual(['o filled zed', 'p filled ada bob', 'q waiting'])
  })

  test('nobody, where it is still to be read or nobody can tell', () => {
    expect(now(reviewed([owners('o')]), 'ada')).toEqual(['o unread'])
    expect(now(reviewed([owners('o')], { stages: [people('o', [], true)] }), 'ada')).toEqual(['o trouble'])
    expect(now(reviewed([a, owners('o'), b]), 'ada')).toEqual(['a filled ada', 'o unread', 'b later'])
  })
})
