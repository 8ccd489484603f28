// Repositories, who may do what in them, their branches and the rules that protect these.
import { changeProtection, changeRuleset } from '../acts/rules.ts'
import { fork, renameRepo, setPermission } from '../acts/accounts.ts'
import { neededText, oneOf, text } from '../fields.ts'
import { rulesetsFor } from '../outlook.ts'
import { Problem } from '../problem.ts'
import { user } from '../shapes/account.ts'
import { branch, branchInList, bypassOf, protection, rulesOf, ruleset } from '../shapes/branch.ts'
import { fullRepository, repository, rights } from '../shapes/repo.ts'
import { accountOf, atLeast, branchTip, found, roleOf } from '../world.ts'
import type { Account, Role } from '../model.ts'
import {
  accepted,
  actor,
  created,
  noContent,
  numberParam,
  ok,
  paged,
  param,
  type Answer,
  type RepoCall,
} from '../wire/call.ts'
import { reads, repoRoute, type Route } from '../wire/router.ts'
import { activity } from './activity.ts'

/** The older names of roles; `maintain` shows as write and `triage` as read. */
const coarse = {
  read: 'read',
  triage: 'read',
  write: 'write',
  maintain: 'write',
  admin: 'admin',
} as const satisfies Record<Role, string>
const asked = {
  pull: 'read',
  push: 'write',
  read: 'read',
  write: 'write',
  triage: 'triage',
  maintain: 'maintain',
  admin: 'admin',
} as const

function viewersRole(call: RepoCall): Role | null {
  const { viewer } = call
  return viewer.kind === 'token' ? (roleOf(call.world, call.repo, viewer.token.account)?.role ?? null) : null
}

function permission(call: RepoCall): Answer {
  const account = accountOf(call.world, param(call, 'user'))
  const role = roleOf(call.world, call.repo, account)
  const shown = {
    ...user(call.world, account),
    permissions: rights(role?.role ?? null),
    role_name: role?.name ?? 'none',
  }
  return ok({
    permission: role === null ? 'none' : coarse[role.role],
    user: shown,
    role_name: role?.name ?? 'none',
  })
}

/** Everybody with more than what the public has. */
function collaborators(call: RepoCall): Answer {
  const { world, repo } = call
  const wanted = call.query.get('permission')
  const least = wanted === null ? null : Object.entries(asked).find(([name]) => name === wanted)?.[1]
  const affiliation = call.query.get('affiliation') ?? 'all'
  const people = [...world.state.accounts.values()].flatMap((account) => {
    if (account.type === 'Organization' || !isKnown(call, account) || !isAffiliated(call, account, affiliation))
      return []
    const role = roleOf(world, repo, account)
    return role !== null && (least === null || least === undefined || atLeast(role.role, least))
      ? [{ account, role }]
      : []
  })
  return paged(call, people, ({ account, role }) => ({
    ...user(world, account),
    permissions: rights(role.role),
    role_name: role.name,
  }))
}

/** Those of outside are no members of the organisation; the direct ones were named in the repository itself. */
function isAffiliated({ world, repo }: RepoCall, { login }: Account, affiliation: string): boolean {
  const isDirect = repo.collaborators.has(login.toLowerCase())
  const isMember = world.state.members.get(repo.owner.login.toLowerCase())?.has(login.toLowerCase()) === true
  return affiliation === 'all' || (isDirect && (affiliation === 'direct' || !isMember))
}

/** A base permission makes every member of the organisation one of them. */
function isKnown({ world, repo }: RepoCall, account: Account): boolean {
  const login = account.login.toLowerCase()
  const org = repo.owner.login.toLowerCase()
  if (world.state.baseRoles.has(org) && world.state.members.get(org)?.has(login) === true) return true
  const inTeam = world.state.teams.some((team) => team.repos.has(repo.id) && team.members.has(login))
  const owns = world.state.members.get(org)?.get(login) === 'admin'
  return repo.owner === account || repo.collaborators.has(login) || inTeam || owns
}

function isCollaborator(call: RepoCall): Answer {
  if (!isKnown(call, accountOf(call.world, param(call, 'user')))) throw new Problem(404, 'Not Found')
  return noContent()
}

function addCollaborator(call: RepoCall): Answer {
  const wanted = oneOf(call.body, 'permission', ['pull', 'push', 'triage', 'maintain', 'admin']) ?? 'push'
  setPermission(call.world, call.repo, param(call, 'user'), asked[wanted])
  return noContent()
}

function rename(call: RepoCall): Answer {
  const name = text(call.body, 'name')
  if (name !== null && name !== call.repo.name) renameRepo(call.world, call.repo, name, actor(call))
  return ok(fullRepository(call.world, call.repo, viewersRole(call)))
}

function branches(call: RepoCall): Answer {
  const { world, repo } = call
  const wanted = call.query.get('protected')
  const names = [...repo.refs]
    .filter(([ref]) => ref.startsWith('refs/heads/') && !ref.startsWith('refs/heads/gh-readonly-queue/'))
    .map(([ref]) => ref.replace('refs/heads/', ''))
    .filter((name) => wanted === null || repo.protections.has(name) === (wanted === 'true'))
  return paged(call, names.sort(), (name) => branchInList(world, repo, name))
}

function branchProtection(call: RepoCall): Answer {
  const name = param(call, 'branch')
  branchTip(call.repo, name)
  const rules = call.repo.protections.get(name)
  if (rules === undefined) throw new Problem(404, 'Branch not protected')
  return ok(protection(call.world, call.repo, name, rules))
}

const admin = { permission: 'administration', level: 'write', role: 'admin' } as const
const adminReads = { permission: 'administration', level: 'read', role: 'admin' } as const

export const repoRoutes: readonly Route[] = [
  repoRoute('GET', '', reads('metadata'), (call) => ok(fullRepository(call.world, call.repo, viewersRole(call)))),
  repoRoute('PATCH', '', admin, rename),
  repoRoute('GET', '/collaborators', { ...reads('metadata'), role: 'write' }, collaborators),
  repoRoute('GET', '/collaborators/{user}', reads('metadata'), isCollaborator),
  repoRoute('GET', '/collaborators/{user}/permission', reads('metadata'), permission),
  repoRoute('PUT', '/collaborators/{user}', admin, addCollaborator),
  repoRoute('DELETE', '/collaborators/{user}', admin, (call) => {
    setPermission(call.world, call.repo, param(call, 'user'), null)
    return noContent()
  }),
  repoRoute('GET', '/actions/permissions/artifact-and-log-retention', adminReads, ({ repo }) =>
    ok({ days: repo.retentionDays, maximum_allowed_days: 400 }),
  ),
  repoRoute('GET', '/forks', reads('metadata'), (call) => {
    const forks = [...call.world.state.repos.values()].filter((one) => one.parent === call.repo)
    return paged(call, forks, (one) => repository(call.world, one))
  }),
  repoRoute('POST', '/forks', reads('metadata', 'contents'), (call) =>
    accepted(
      fullRepository(
        call.world,
        fork(call.world, call.repo, text(call.body, 'organization') ?? actor(call).login),
        'admin',
      ),
    ),
  ),
  repoRoute('GET', '/activity', reads('contents'), activity),
  repoRoute('GET', '/branches', reads('contents'), branches),
  repoRoute('GET', '/branches/{branch+}/protection', adminReads, branchProtection),
  repoRoute('PUT', '/branches/{branch+}/protection', admin, (call) => {
    const name = param(call, 'branch')
    return ok(protection(call.world, call.repo, name, changeProtection(call.repo, name, call.body)))
  }),
  repoRoute('DELETE', '/branches/{branch+}/protection', admin, (call) => {
    call.repo.protections.delete(param(call, 'branch'))
    return noContent()
  }),
  repoRoute('GET', '/branches/{branch+}', reads('contents'), (call) =>
    ok(branch(call.world, call.repo, param(call, 'branch'))),
  ),
  repoRoute('GET', '/rules/branches/{branch+}', reads('metadata'), (call) => {
    const rules = rulesetsFor(call.repo, param(call, 'branch')).flatMap((one) => rulesOf(call.repo, one))
    return paged(call, rules, (rule) => rule)
  }),
  repoRoute('GET', '/rulesets', reads('metadata'), (call) =>
    paged(call, call.repo.rulesets, (one) => ruleset(call.world, call.repo, one)),
  ),
  repoRoute('POST', '/rulesets', admin, (call) =>
    created(
      ruleset(call.world, call.repo, changeRuleset(call.world, call.repo, neededText(call.body, 'name'), call.body)),
    ),
  ),
  repoRoute('GET', '/rulesets/{id}', reads('metadata'), (call) => {
    const one = found(call.repo.rulesets.find(({ id }) => id === numberParam(call, 'id')))
    const mayChange =
      viewersRole(call) === 'admin' && call.viewer.kind === 'token' && call.viewer.token.installation === null
    return ok({
      ...ruleset(call.world, call.repo, one),
      ...(mayChange ? bypassOf(one) : {}),
      rules: rulesOf(call.repo, one),
    })
  }),
  repoRoute('DELETE', '/rulesets/{id}', admin, (call) => {
    const index = call.repo.rulesets.findIndex(({ id }) => id === numberParam(call, 'id'))
    if (index < 0) throw new Problem(404, 'Not Found')
    call.repo.rulesets.splice(index, 1)
    return noContent()
  }),
]
