// How many different people a repository can ask for, and who may do alone what otherwise takes two.
import { describe, expect, test } from 'vitest'
import { builtInPolicy } from '../../src/core/contract/policy/policy.ts'
import { isSame, mayBeSame, type Builder, type Census, type MadeAs, type Person } from '../../src/core/people/people.ts'
import { atLeast, permissions, strictlyAbove } from '../../src/core/people/permission.ts'
import {
  actsSolo,
  builderCalled,
  eligibleOutside,
  holders,
  isAlone,
  isIn,
  separationFor,
} from '../../src/core/people/separation.ts'
import { aPerson } from './scene.ts'

const maker = (login: string, given: Partial<Person> = {}, via: MadeAs[] = ['author']): Builder => ({
  ...aPerson(login, given),
  via,
})
const helper = maker('helper[bot]', { kind: 'bot' })
const census = (admin: number, maintain: number, write: number, complete = true): Census => ({
  admin,
  maintain,
  write,
  complete,
})
const roles = (given: Partial<typeof builtInPolicy.roles>) => ({
  separation: 'auto' as const,
  roles: { ...builtInPolicy.roles, ...given },
  identities: { ...builtInPolicy.identities, agents: ['robot'] },
})

describe('how many different people build, approve and confirm', () => {
  test.each<[string, Census, Builder[], string]>([
    ['one human alone', census(1, 0, 0), [helper], 'solo'],
    ['one human alone who made it', census(1, 0, 0), [maker('ann', { permission: 'admin' })], 'solo'],
    ['one besides the maker', census(1, 0, 1), [maker('ann')], 'double'],
    ['two besides the maker', census(1, 1, 1), [maker('ann')], 'triple'],
    ['two, and a bot made it', census(1, 0, 1), [helper], 'triple'],
    ['two, and an agent with an account like a person’s made it', census(1, 0, 1), [maker('Robot')], 'triple'],
    ['two, and one who may not write had a part in it', census(1, 0, 1), [maker('dan', { permission: 'triage' })], 'triple'],
    ['two, and both made it', census(1, 0, 1), [maker('ann'), maker('bob')], 'triple'],
    ['a list that may be cut', census(1, 0, 0, false), [helper], 'triple'],
    ['a list that may be cut after two', census(1, 0, 1, false), [maker('ann')], 'triple'],
  ])('%s', (_title, counted, builders, separation) => {
    expect(separationFor(roles({}), counted, builders)).toBe(separation)
  }) // prettier-ignore

  test('the policy may say it, whoever is there', () => {
    const alone = census(1, 0, 0)
    expect(separationFor({ ...roles({}), separation: 'triple' as const }, alone, [])).toBe('triple')
    expect(separationFor({ ...roles({}), separation: 'solo' }, census(3, 3, 3), [])).toBe('solo')
  })

  test.each<[string, string[], string[], Builder[], string]>([
    ['one name for both', ['ann'], ['Ann'], [helper], 'double'],
    ['two names', ['ann'], ['bob'], [helper], 'triple'],
    ['two names, of which one made it', ['ann'], ['bob'], [helper, maker('Bob')], 'double'],
    ['a team is several people', ['acme/reviewers'], ['acme/reviewers'], [helper], 'triple'],
    ['only reviewers are named, so everybody who may write counts', ['ann'], [], [helper], 'triple'],
    ['only verifiers are named, so everybody who may write counts', [], ['ann'], [helper], 'triple'],
    ['three names', ['ann', 'eve'], ['bob'], [helper], 'triple'],
  ])('of those that the policy names: %s', (_title, reviewer, verifier, builders, separation) => {
    expect(separationFor(roles({ reviewer, verifier }), census(1, 1, 1), builders)).toBe(separation)
  })
})

describe('who is there', () => {
  test('each name that policy gives counts once, and a team as several', () => {
    const named = roles({ reviewer: ['ann', 'Eve'], verifier: ['bob', 'eve', 'acme/shop'] })
    expect(eligibleOutside(named, census(0, 0, 0), [])).toBe(5)
    expect(eligibleOutside(roles({}), census(1, 1, 1), [maker('ann')])).toBe(2)
    expect(eligibleOutside(roles({}), census(1, 1, 1, false), [])).toBeNull()
  })

  test.each([
    ['admin', 1],
    ['maintain', 4],
    ['write', 11],
    ['read', 11],
  ] as const)('so many have at least %s', (needs, count) => expect(holders(census(1, 3, 7), needs)).toBe(count))

  test('somebody is alone with a permission where nobody else has it, and where that is everybody', () => {
    expect(isAlone(census(1, 2, 3), 'admin')).toBe(true)
    expect(isAlone(census(1, 2, 3), 'maintain')).toBe(false)
    expect(isAlone(census(0, 1, 3), 'maintain')).toBe(true)
    expect(isAlone(census(1, 0, 0, false), 'admin')).toBe(false)
    expect(isAlone(census(0, 0, 0), 'write')).toBe(false)
  })

  test.each<[string, 'auto' | 'solo' | 'double' | 'triple', Census, Person, boolean]>([
    ['the only maintainer', 'auto', census(0, 1, 3), aPerson('ann', { permission: 'maintain' }), true],
    ['the only maintainer, where policy says so', 'solo', census(0, 1, 3), aPerson('ann', { permission: 'maintain' }), true],
    ['the only maintainer, where policy wants two', 'double', census(0, 1, 3), aPerson('ann', { permission: 'maintain' }), false],
    ['the only maintainer, where policy wants three', 'triple', census(0, 1, 3), aPerson('ann', { permission: 'maintain' }), false],
    ['one of two', 'auto', census(1, 1, 3), aPerson('ann', { permission: 'maintain' }), false],
    ['one who may not, beside the only one who may', 'auto', census(0, 1, 3), aPerson('dan'), false],
  ])('alone acts %s: %s', (_title, separation, counted, user, may) => {
    expect(actsSolo({ ...roles({}), separation }, counted, user, 'maintain')).toBe(may)
  }) // prettier-ignore

  test('a role names people and teams, in any case', () => {
    const ann = aPerson('ann', { teams: ['acme/shop'] })
    expect(isIn(['bob', 'Ann'], ann)).toBe(true)
    expect(isIn(['Acme/Shop'], ann)).toBe(true)
    expect(isIn(['bob', 'acme/other'], ann)).toBe(false)
    expect(isIn([], ann)).toBe(false)
  })
})

describe('who is who', () => {
  const ann = { id: 1, login: 'ann' }
  test.each([
    ['the same number', ann, { id: 1, login: 'ann-now' }, true, true],
    ['the same name, taken over by somebody else', ann, { id: 2, login: 'Ann' }, false, true],
    ['the same name, a number unknown', ann, { id: null, login: 'Ann' }, true, true],
    ['the same name, no number known', { id: null, login: 'ann' }, { id: null, login: 'ann' }, true, true],
    ['another name, no number known', { id: null, login: 'ann' }, { id: null, login: 'bob' }, false, false],
    ['another name, a number unknown', ann, { id: null, login: 'bob' }, false, false],
    ['another number and name', ann, { id: 2, login: 'bob' }, false, false],
  ])('%s', (_title, one, other, granted, barred) => {
    expect([isSame(one, other), isSame(other, one)]).toEqual([granted, granted])
    expect([mayBeSame(one, other), mayBeSame(other, one)]).toEqual([barred, barred])
  })

  test('whoever may be a builder is one', () => {
    const builders = [helper, maker('ann', { id: 1 })]
    expect(builderCalled(builders, { id: 1, login: 'ann-now' })?.login).toBe('ann')
    expect(builderCalled(builders, { id: 2, login: 'Ann' })?.login).toBe('ann')
    expect(builderCalled(builders, { id: 3, login: 'bob' })).toBeNull()
  })

  test('each permission is above those before it, and at least itself', () => {
    for (const [index, one] of permissions.entries()) {
      for (const [other, needs] of permissions.entries()) {
        expect(atLeast(one, needs), `${one}, ${needs}`).toBe(index >= other)
        expect(strictlyAbove(one, needs), `${one}, ${needs}`).toBe(index > other)
      }
    }
  })
})
