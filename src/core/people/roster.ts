// Who may push to a repository, and how many humans there are among them. A policy may call an account an agent, or say which human
// answers for it: whatever GitHub calls it, such an account is a machine here.
import type { Policy } from '../contract/policy/policy.ts'
import { sameLogin, type Census, type Person } from './people.ts'

export type Roster = { readonly census: Census; readonly people: ReadonlyMap<string, Person> }
type Identities = Pick<Policy['identities'], 'agents' | 'owners'>

/** As many of each permission are kept by name. */
const NAMED_MAX = 4

/** `complete`: there is nobody else who may push. */
export function rosterOf(people: Roster['people'], complete: boolean): Roster {
  const humans = [...people.values()].filter(({ kind }) => kind === 'human')
  const having = (permission: Person['permission']) =>
    humans.filter((one) => one.permission === permission).map(({ id, login }) => ({ id, login }))
  const [admin, maintain, write] = [having('admin'), having('maintain'), having('write')]
  const few = (all: typeof admin): typeof admin =>
    all.toSorted((one, other) => (one.login < other.login ? -1 : 1)).slice(0, NAMED_MAX)
  const named = { admin: few(admin), maintain: few(maintain), write: few(write) }
  return { census: { admin: admin.length, maintain: maintain.length, write: write.length, complete, named }, people }
}

export function rosterUnder(identities: Identities, roster: Roster): Roster {
  // Most policies name nobody, and many may push.
  if (identities.agents.length === 0 && Object.keys(identities.owners).length === 0) return roster
  const { people, census } = roster
  const known = [...people].map(([name, person]) => [name, personUnder(identities, person)] as const)
  return rosterOf(new Map(known), census.complete)
}

/** `spoke`: what they were called when they did something, which is another name where they took one since. */
export function personUnder(identities: Identities, person: Person, spoke: string = person.login): Person {
  const names = [person.login, spoke]
  const owner = names.map((name) => ownerOf(identities, name)).find((one) => one !== null)
  const kind = names.some((name) => isMachineUnder(identities, name)) ? 'bot' : person.kind
  return { ...person, kind, ...(owner === undefined ? {} : { owner }) }
}

export const isMachineUnder = (identities: Identities, login: string): boolean =>
  ownerOf(identities, login) !== null || identities.agents.some((agent) => sameLogin(agent, login))

/** Who answers for an account, by the policy. */
export function ownerOf({ owners }: Pick<Identities, 'owners'>, login: string): string | null {
  const entry = Object.entries(owners).find(([bot]) => sameLogin(bot, login))
  return entry?.[1] ?? null
}
