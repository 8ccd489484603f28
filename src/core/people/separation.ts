// How many different people must make, approve and verify, given who is there at all.
import type { Policy } from '../contract/policy/policy.ts'
import { isMachineUnder } from './roster.ts'
import { atLeast, type Permission } from './permission.ts'
import {
  mayBeSame,
  sameLogin,
  type Account,
  type Builder,
  type Census,
  type Person,
  type Separation,
} from './people.ts'

type SeparationPolicy = Pick<Policy, 'separation' | 'roles' | 'identities'>

/** How many humans have at least this permission. */
export function holders(census: Census, needs: Permission): number {
  return (
    census.admin + (atLeast('maintain', needs) ? census.maintain : 0) + (atLeast('write', needs) ? census.write : 0)
  )
}

/** Whether nobody else has this permission. A list that may be cut proves nothing. */
export const isAlone = (census: Census, needs: Permission): boolean => census.complete && holders(census, needs) === 1

/** Identities outside the builder set that policy lets review or verify. A team counts as several; null: nobody can tell. */
export function eligibleOutside(policy: SeparationPolicy, census: Census, builders: readonly Builder[]): number | null {
  const { reviewer, verifier } = policy.roles
  if (reviewer.length > 0 && verifier.length > 0) {
    const named = [...new Set([...reviewer, ...verifier].map((name) => name.toLowerCase()))]
    const outside = named.filter((name) => !builders.some(({ login }) => sameLogin(login, name)))
    return outside.reduce((sum, name) => sum + (name.includes('/') ? 2 : 1), 0)
  }
  if (!census.complete) return null
  const isHuman = ({ kind, login }: Builder): boolean => kind === 'human' && !isMachineUnder(policy.identities, login)
  const makers = builders.filter((one) => isHuman(one) && atLeast(one.permission, 'write'))
  return Math.max(0, holders(census, 'write') - makers.length)
}

export function separationFor(policy: SeparationPolicy, census: Census, builders: readonly Builder[]): Separation {
  if (policy.separation !== 'auto') return policy.separation
  if (isAlone(census, 'write')) return 'solo'
  return eligibleOutside(policy, census, builders) === 1 ? 'double' : 'triple'
}

/** The maker who this is, or who answers for it. */
export function builderCalled(builders: readonly Builder[], account: Account & Pick<Person, 'owner'>): Builder | null {
  const isOwner = ({ login }: Builder): boolean => account.owner !== undefined && sameLogin(login, account.owner)
  return builders.find((builder) => mayBeSame(builder, account) || isOwner(builder)) ?? null
}

/** Where only one human has the permission that an act needs, that human may do it on what they made. */
export function actsSolo(policy: SeparationPolicy, census: Census, user: Person, needs: Permission): boolean {
  const allowed = policy.separation === 'auto' || policy.separation === 'solo'
  return allowed && atLeast(user.permission, needs) && isAlone(census, needs)
}

/** Whether a role, a list of logins and teams, includes this person. */
export function isIn(members: readonly string[], user: Pick<Person, 'login' | 'teams' | 'nameless'>): boolean {
  const names = user.nameless ? user.teams : [user.login, ...user.teams]
  return members.some((member) => names.some((name) => sameLogin(name, member)))
}

/** Whether the policy lets somebody review for a change as a whole. */
export function mayReview(
  { roles: { reviewer, lead } }: Pick<Policy, 'roles'>,
  user: Parameters<typeof isIn>[1],
): boolean {
  return reviewer.length === 0 || isIn([...reviewer, ...lead], user)
}
