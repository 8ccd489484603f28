// What a person may do in a repository, as GitHub's `role_name` says it, in ascending order.
// https://docs.github.com/en/rest/collaborators/collaborators#get-repository-permissions-for-a-user

import type { Attempt } from '../decision/model.ts'

export const permissions = ['none', 'read', 'triage', 'write', 'maintain', 'admin'] as const
export type Permission = (typeof permissions)[number]

export function atLeast(has: Permission, needs: Permission): boolean {
  return permissions.indexOf(has) >= permissions.indexOf(needs)
}

export function strictlyAbove(one: Permission, other: Permission): boolean {
  return permissions.indexOf(one) > permissions.indexOf(other)
}

/** What acting on an attempt takes: where no policy that can be read is on its base, only an administrator may. */
export const leastPermission = ({ policy_unreadable, contract }: Attempt): Permission =>
  policy_unreadable ? 'admin' : contract.policy.override_policy.min_permission
