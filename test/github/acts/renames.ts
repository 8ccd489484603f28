// An account takes another name. Its id stays, what it may do stays, and the old name is free for whoever comes first.
// https://docs.github.com/en/account-and-profile/concepts/username-changes
import type { Account } from '../model.ts'
import { refused } from '../problem.ts'
import { fullName, type World } from '../world.ts'

export function renameAccount(world: World, account: Account, login: string): void {
  const [from, to] = [account.login.toLowerCase(), login.toLowerCase()]
  const { state } = world
  if (state.accounts.has(to)) throw refused(`${login} is taken.`)
  account.login = login
  const maps: readonly Map<string, unknown>[] = [
    state.accounts,
    state.members,
    state.baseRoles,
    ...state.members.values(),
    ...state.teams.map(({ members }) => members),
    ...[...state.repos.values()].map(({ collaborators }) => collaborators),
  ]
  for (const map of maps) move(map, from, to)
  // The old name of a repository goes on leading to it, until somebody else takes it.
  for (const repo of state.repos.values()) {
    if (repo.owner === account) state.names.set(fullName(repo).toLowerCase(), repo.id)
  }
}

function move(map: Map<string, unknown>, from: string, to: string): void {
  if (!map.has(from)) return
  map.set(to, map.get(from))
  map.delete(from)
}
