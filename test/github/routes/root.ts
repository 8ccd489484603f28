// What belongs to no repository: the entrance, limits, people, organisations and teams.
import { createRepo } from '../acts/accounts.ts'
import { flag, neededText } from '../fields.ts'
import { notAccessible, notFound, Problem } from '../problem.ts'
import { fullUser, organization, team, user, wholeTeam } from '../shapes/account.ts'
import { fullRepository } from '../shapes/repo.ts'
import { accountOf, fullName, roleOf, type World } from '../world.ts'
import type { Account, Team } from '../model.ts'
import { covers } from '../acts/installations.ts'
import { actor, created, ok, paged, param, type Answer, type Call } from '../wire/call.ts'
import { route, type Route } from '../wire/router.ts'

function entrance({ world }: Call): Answer {
  const { url } = world
  return ok({
    current_user_url: `${url}/user`,
    organization_url: `${url}/orgs/{org}`,
    rate_limit_url: `${url}/rate_limit`,
    repository_url: `${url}/repos/{owner}/{repo}`,
    user_url: `${url}/users/{user}`,
  })
}

const meta = (): Answer =>
  ok({
    verifiable_password_authentication: false,
    hooks: ['127.0.0.1/32'],
    web: ['127.0.0.1/32'],
    api: ['127.0.0.1/32'],
  })

function person(call: Call): Account {
  if (call.viewer.kind === 'token' && call.viewer.token.installation !== null) throw notAccessible('')
  return actor(call)
}

function teamOf(call: Call): Team {
  const org = accountOf(call.world, param(call, 'org'))
  const found = call.world.state.teams.find((one) => one.org === org && one.slug === param(call, 'slug'))
  if (found === undefined || !seesMembers(call, org)) throw notFound()
  return found
}

/** Teams are for members of the organisation, and for Apps that may read them. */
function seesMembers(call: Call, org: Account): boolean {
  if (call.viewer.kind !== 'token') return false
  const { account, installation, permissions } = call.viewer.token
  if (installation !== null) return installation.account === org && covers(permissions ?? {}, 'members', 'read')
  return call.world.state.members.get(org.login.toLowerCase())?.has(account.login.toLowerCase()) === true
}

function teamMembership(call: Call): Answer {
  const found = teamOf(call)
  const login = param(call, 'user')
  const role = found.members.get(login.toLowerCase())
  if (role === undefined) throw notFound()
  const url = `${call.world.url}/organizations/${found.org.id}/team/${found.id}/memberships/${login}`
  return ok({ url, role, state: 'active' })
}

function orgMembership(call: Call): Answer {
  const org = accountOf(call.world, param(call, 'org'))
  const account = accountOf(call.world, param(call, 'user'))
  const role = call.world.state.members.get(org.login.toLowerCase())?.get(account.login.toLowerCase())
  if (role === undefined || !seesMembers(call, org)) throw notFound()
  const shown = { organization: organization(call.world, org), user: user(call.world, account) }
  return ok({
    url: `${call.world.url}/orgs/${org.login}/memberships/${account.login}`,
    role,
    state: 'active',
    ...shown,
  })
}

const people = (world: World, logins: Iterable<string>): readonly Account[] =>
  [...logins].flatMap((login) => world.state.accounts.get(login) ?? [])

function numbered(world: World, number: number): Account {
  const account = [...world.state.accounts.values()].find(({ id }) => id === number)
  if (account === undefined) throw notFound()
  return account
}

function newRepo(call: Call, owner: Account): Answer {
  const sender = person(call)
  const name = neededText(call.body, 'name')
  const role = call.world.state.members.get(owner.login.toLowerCase())?.get(sender.login.toLowerCase())
  if (owner !== sender && role !== 'admin') throw new Problem(403, 'You need admin access to the organization.')
  const repo = createRepo(call.world, `${owner.login}/${name}`, { private: flag(call.body, 'private') ?? false })
  return created(fullRepository(call.world, repo, 'admin'))
}

const reposOfOwner = (call: Call, owner: Account) => {
  const viewer = call.viewer.kind === 'token' ? call.viewer.token.account : null
  const visible = [...call.world.state.repos.values()].filter(
    (repo) => repo.owner === owner && (!repo.private || (viewer !== null && roleOf(call.world, repo, viewer) !== null)),
  )
  return paged(call, visible, (repo) =>
    fullRepository(call.world, repo, viewer === null ? null : (roleOf(call.world, repo, viewer)?.role ?? null)),
  )
}

export const rootRoutes: readonly Route[] = [
  route('GET', '', entrance),
  route('GET', '/meta', meta),
  route('GET', '/user', (call) => ok(fullUser(call.world, person(call)))),
  route('GET', '/user/repos', (call) => reposOfOwner(call, person(call))),
  route('POST', '/user/repos', (call) => newRepo(call, person(call))),
  route('GET', '/user/{account_id}', (call) =>
    ok(fullUser(call.world, numbered(call.world, Number(param(call, 'account_id'))))),
  ),
  route('GET', '/users/{login}', (call) => ok(fullUser(call.world, accountOf(call.world, param(call, 'login'))))),
  route('GET', '/users/{login}/repos', (call) => reposOfOwner(call, accountOf(call.world, param(call, 'login')))),
  route('GET', '/orgs/{org}', (call) => ok(organization(call.world, accountOf(call.world, param(call, 'org'))))),
  route('GET', '/orgs/{org}/repos', (call) => reposOfOwner(call, accountOf(call.world, param(call, 'org')))),
  route('POST', '/orgs/{org}/repos', (call) => newRepo(call, accountOf(call.world, param(call, 'org')))),
  route('GET', '/orgs/{org}/memberships/{user}', orgMembership),
  route('GET', '/orgs/{org}/members', (call) => {
    const org = accountOf(call.world, param(call, 'org'))
    const members = seesMembers(call, org) ? (call.world.state.members.get(org.login.toLowerCase())?.keys() ?? []) : []
    return paged(call, people(call.world, members), (account) => user(call.world, account))
  }),
  route('GET', '/orgs/{org}/teams', (call) => {
    const org = accountOf(call.world, param(call, 'org'))
    const teams = seesMembers(call, org) ? call.world.state.teams.filter((one) => one.org === org) : []
    return paged(call, teams, (one) => team(call.world, one))
  }),
  route('GET', '/orgs/{org}/teams/{slug}', (call) => ok(wholeTeam(call.world, teamOf(call)))),
  route('GET', '/orgs/{org}/teams/{slug}/memberships/{user}', teamMembership),
  route('GET', '/orgs/{org}/teams/{slug}/members', (call) =>
    paged(call, people(call.world, teamOf(call).members.keys()), (account) => user(call.world, account)),
  ),
  route('GET', '/orgs/{org}/teams/{slug}/repos', (call) => {
    const repos = [...teamOf(call).repos].flatMap(([id]) => call.world.state.repos.get(id) ?? [])
    return paged(call, repos, (repo) => ({ ...fullRepository(call.world, repo, null), full_name: fullName(repo) }))
  }),
]
