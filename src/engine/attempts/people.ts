// The people around a pull request, with what each may do here: from the list of those who may push, or asked one by one
// where that list is cut. Whoever took over somebody's name is not that somebody.
import type { Account, Person } from '../../core/people/people.ts'
import type { Roster } from '../../core/people/roster.ts'
import type { Forge } from '../../ports.ts'

export type PersonOf = (account: Account) => Person

/** Two accounts that bear one name, one after the other, are asked for each. */
const keyOf = ({ id, login }: Account): string => `${id} ${login.toLowerCase()}`

/** Asked of GitHub one by one, for a pull request of many people. */
const ASKED_MAX = 50

export async function peopleAround(forge: Forge, roster: Roster, accounts: readonly Account[]): Promise<PersonOf> {
  const asked = new Map<string, Person>()
  const listed = (account: Account): Person | null => {
    const found = roster.people.get(account.login.toLowerCase())
    const isOther = found !== undefined && found.id !== null && account.id !== null && found.id !== account.id
    return found === undefined || isOther ? null : found
  }
  if (!roster.census.complete) {
    const unknown = accounts.filter((account) => listed(account) === null).slice(0, ASKED_MAX)
    const found = await Promise.all(unknown.map((account) => forge.person({ ...account, kind: 'human' }, [])))
    for (const [index, person] of found.entries()) asked.set(keyOf(unknown[index] ?? person), person)
  }
  return (account) =>
    listed(account) ?? asked.get(keyOf(account)) ?? { ...account, kind: 'human', permission: 'none', teams: [] }
}
