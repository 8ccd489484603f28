// Who is named: whoever may do something instead, and whom the stages of a review ask.
import { describe, expect, test } from 'vitest'
import { whoMay } from '../../src/core/people/naming.ts'
import type { Census } from '../../src/core/people/people.ts'
import {
  mustBeRead,
  spelt,
  stagePeople,
  toLookUp,
  withKnown,
  type StageQuestion,
} from '../../src/core/people/stage-people.ts'
import { agent, aPerson, madeBy } from './scene.ts'

const account = (login: string, id: number) => ({ login, id })
const few: Census = {
  admin: 1,
  maintain: 1,
  write: 2,
  complete: true,
  named: { admin: [account('cleo', 4)], maintain: [account('ada', 1)], write: [account('bob', 2), account('eve', 3)] },
}
const eve = aPerson('eve', { id: 3 })

describe('whoever may is named', () => {
  // prettier-ignore
  test.each<[string, Parameters<typeof whoMay>, string]>([
    ['one', [few, 'admin', null], 'cleo'],
    ['two', [few, 'maintain', null], 'ada or cleo'],
    ['three, and that there are more', [few, 'write', null], 'bob, eve, ada or somebody else with write permission'],
    ['all, where who made it is the one more', [few, 'write', [madeBy(eve, 'author')]], 'bob, ada or cleo'],
    ['no builder', [few, 'maintain', [madeBy(aPerson('ada', { id: 1, permission: 'maintain' }), 'author')]], 'cleo'],
    ['a machine that made it takes no place', [few, 'write', [madeBy(agent, 'author')]], 'bob, eve, ada or somebody else with write permission who is not a builder'],
    ['who made it and may not anyway takes no place', [few, 'admin', [madeBy(eve, 'author')]], 'cleo'],
    ['nobody known', [{ ...few, named: { admin: [], maintain: [], write: [] } }, 'write', null], 'somebody with write permission'],
    ['some of a list that was cut', [{ ...few, complete: false }, 'admin', null], 'cleo or somebody else with admin permission'],
  ])('%s', (_title, given, words) => expect(whoMay(...given)).toBe(words))
})

describe('whom a stage asks', () => {
  const owners = { path: 'CODEOWNERS', text: '*.sql @acme/data\n/auth/ @ada ops@acme.example\n' }
  const asks = (given: Partial<StageQuestion> & { by?: string[]; paths?: string[] }) => {
    const { by = ['code_owners'], paths, ...rest } = given
    const stages = [{ name: 'owners', by, ...(paths === undefined ? {} : { paths }) }]
    const [one] = stagePeople({ stages, owners, touched: ['auth/a.ts', 'b.sql'], ...rest })
    return one?.trouble === null ? one.groups : `${one?.trouble?.code} ${one?.trouble?.detail} ${one?.groups.length}`
  }

  // prettier-ignore
  test.each<[string, Parameters<typeof asks>[0], ReturnType<typeof asks>]>([
    ['whom it names', { by: ['ada', 'acme/data'] }, [['ada', 'acme/data']]],
    ['the owners of each path, one of each', {}, [['ada', 'ops@acme.example'], ['acme/data']]],
    ['those of its own paths', { paths: ['auth/**'] }, [['ada', 'ops@acme.example']]],
    ['whom it names beside them, too', { by: ['code_owners', 'cleo'], paths: ['auth/**'] }, [['ada', 'ops@acme.example', 'cleo']]],
    ['whoever is named, where there are no owners', { by: ['code_owners', 'cleo'], owners: null }, [['cleo']]],
    ['nobody, where there is no such file', { owners: null }, 'owners_nobody null 0'],
    ['nobody, where nobody owns it', { touched: ['c.md'] }, 'owners_nobody CODEOWNERS 0'],
    ['nobody can tell, where the file is not readable', { owners: { path: 'CODEOWNERS', unreadable: 'is too large' } }, 'owners_broken CODEOWNERS is too large 0'],
    ['nobody can tell, where not every path is known', { touched: null }, 'owners_broken not every changed path is known 0'],
  ])('%s', (_title, given, groups) => expect(asks(given)).toEqual(groups))

  test('is read where it names a team or the owners, and known from the policy else', () => {
    expect([['ada'], ['ada', 'acme/data'], ['code_owners'], []].map(mustBeRead)).toEqual([false, true, true, false])
    const roles = { lead: ['cleo'], reviewer: ['bob'], verifier: [] }
    expect([[], ['lead'], ['verifier'], ['ada']].map((by) => spelt({ roles }, by))).toEqual([
      ['bob', 'cleo'],
      ['cleo'],
      ['role:verifier'],
      ['ada'],
    ])
    expect(spelt({ roles: { ...roles, reviewer: [] } }, [])).toEqual([])
  })

  test('teams and addresses are looked up once, and a group that nobody is left of is nobody’s', () => {
    const stage = (...groups: string[][]) => ({ stage: 's', groups, trouble: null })
    const people = [stage(['ada', 'acme/data', 'ops@acme.example']), stage(['acme/data'])]
    expect(toLookUp(people)).toEqual(['acme/data', 'ops@acme.example'])
    const known = new Map([
      ['acme/data', null],
      ['ops@acme.example', 'eve'],
    ])
    expect(withKnown(people, known)).toEqual([
      { stage: 's', groups: [['ada', 'eve']], trouble: null },
      { stage: 's', groups: [], trouble: { code: 'stage_team_unknown', detail: 'acme/data' } },
    ])
    const unknown = withKnown([stage(['ops@acme.example'])], new Map([['ops@acme.example', null]]))
    expect(unknown[0]?.trouble).toEqual({ code: 'owners_unknown', detail: 'ops@acme.example' })
    expect(withKnown([stage([])], known)[0]?.trouble).toBeNull()
  })
})
