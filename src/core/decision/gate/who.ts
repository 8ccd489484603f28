// Who there is to act on an attempt, in words. Where it is not known whether there is anybody, that is said: a list that
// could not be read is not an empty one.
import { whoMay } from '../../people/naming.ts'
import { atLeast, leastPermission, type Permission } from '../../people/permission.ts'
import { sameLogin, type Builder } from '../../people/people.ts'
import { actsSolo, eligibleOutside, holders, separationFor } from '../../people/separation.ts'
import type { Facts } from './facts.ts'
import { rulesForPeople } from './proposal.ts'
import type { RowName } from '../decision.ts'

/** Whoever has this permission, whether they made the change or not. */
export const anybodyWith = ({ attempt }: Facts, needs: Permission): string =>
  atTheStart(whoMay(attempt.census, needs, null))

const atTheStart = (words: string): string => words.replace(/^somebody/, 'Somebody')

export const minimumOf = (facts: Facts): string => solely(facts, leastPermission(facts.attempt))

/** Somebody with this permission who did not make the change, unless there is only one with it at all. */
export function solely({ attempt, task }: Facts, needs: Permission): string {
  const outside = atTheStart(whoMay(attempt.census, needs, task.builders))
  if (!attempt.census.complete) return outside
  const makers = task.builders.filter(({ kind, permission }) => kind === 'human' && atLeast(permission, needs))
  if (holders(attempt.census, needs) > makers.length) return outside
  const [only] = makers
  if (only !== undefined && actsSolo(rulesForPeople(attempt), attempt.census, only, needs))
    return `${only.login}, since nobody else has ${needs} permission`
  return `Somebody with ${needs} permission who is not a builder, of whom there was none when this was opened`
}

/** Rows that a direct approval lifts, where policy knows one. */
export function directly({ policy }: Facts, row: RowName): boolean {
  const never: readonly RowName[] = ['invalid', 'rejected', 'approved', 'success']
  return policy.override_policy.direct_approval_allowed && !never.includes(row)
}

/** Whoever approved it confirms it only where there are too few people to tell the two apart. */
export function eligible(facts: Facts, role: 'reviewer' | 'verifier'): string {
  const { policy, attempt, task } = facts
  const barred = role === 'verifier' ? [...task.builders, ...approversApart(facts)] : task.builders
  const outside = policy.roles[role].filter((name) => !barred.some(({ login }) => sameLogin(login, name)))
  if (outside.length > 0) return outside.join(', ')
  const somebody = atTheStart(whoMay(attempt.census, 'write', barred))
  const count = eligibleOutside(policy, attempt.census, task.builders)
  if (count === null) return `${somebody}; whether there is anybody is not known`
  return count > 0 ? somebody : `${somebody}, of whom there was none when this was opened`
}

function approversApart({ policy, attempt, task, approvals }: Facts): Builder[] {
  if (separationFor(policy, attempt.census, task.builders) !== 'triple') return []
  return approvals.map(({ by: login, user_id: id, permission, teams }): Builder => {
    return { id, login, permission, teams, kind: 'human', via: [] }
  })
}
