// Who may do what in a repository. `permission` in GitHub's answers maps maintain to write and triage to read, so that
// only `role_name` is read.
// https://docs.github.com/en/rest/collaborators/collaborators
import { z } from 'zod'
import type { Maker, Person } from '../../../core/people/people.ts'
import { permissions, type Permission } from '../../../core/people/permission.ts'
import { rosterOf, type Roster } from '../../../core/people/roster.ts'
import { NotShownYet } from '../../../ports.ts'
import { account, makerOf } from './accounts.ts'
import type { Access } from '../access.ts'
import { allPages, PER_PAGE } from '../pages.ts'
import { orMissing, orUnseen } from '../status.ts'

const PAGES_MAX = 20

const collaborator = account.extend({
  role_name: z.string().default('read'),
  permissions: z.record(z.string(), z.boolean()).optional(),
})

/** Custom roles have names of their own; what they were built on is told by the permissions beside them. */
function permissionOf({
  role_name,
  permissions: flags,
}: Pick<z.output<typeof collaborator>, 'role_name' | 'permissions'>): Permission {
  const named = permissions.find((permission) => permission === role_name)
  if (named !== undefined) return named
  if (flags?.['admin']) return 'admin'
  if (flags?.['maintain']) return 'maintain'
  if (flags?.['push']) return 'write'
  if (flags?.['triage']) return 'triage'
  return flags?.['pull'] ? 'read' : 'none'
}

const listRoute = 'GET /repos/{owner}/{repo}/collaborators'

/**
 * Those who may push: with everybody who may read, an organisation's whole staff would be listed. A list that is hidden or
 * cut says so, and proves of nobody that there is nobody else.
 */
export async function census({ octokit, place }: Access): Promise<Roster> {
  const people = new Map<string, Person>()
  let hidden = false
  const listed = await allPages(PAGES_MAX, async (page) => {
    const asked = { ...place, permission: 'push', per_page: PER_PAGE, page } as const
    const answer = await orUnseen(octokit.request(listRoute, asked))
    if (answer === null) hidden = true
    return z.array(collaborator).parse(answer?.data ?? [])
  })
  for (const one of listed) {
    const { id, login, kind } = makerOf(one)
    people.set(login.toLowerCase(), { id, login, kind, permission: permissionOf(one), teams: [] })
  }
  return rosterOf(people, !hidden && listed.length < PAGES_MAX * PER_PAGE)
}

const standing = z.object({
  role_name: z.string().default(''),
  permission: z.string().default('none'),
  user: z
    .object({
      id: z.number().optional(),
      type: z.string().default('User'),
      permissions: z.record(z.string(), z.boolean()).optional(),
    })
    .nullish(),
})

/**
 * Read now: what was remembered may refuse, never grant. A name that another account bears by now is not this one's: whoever is called
 * otherwise since they spoke is asked about by the name that they bear now.
 */
export async function personNow(access: Access, who: Maker, teams: readonly string[]): Promise<Person> {
  const { id, login, kind } = who
  const now = await standingOf(access, login)
  if (now !== null && (id === null || now.user?.id === id)) return personOf(access, who, now, teams)
  const called = kind === 'human' ? await calledNow(access, who) : null
  if (called !== null && called !== login) return personNow(access, { ...who, login: called }, teams)
  if (now === null && called !== null)
    throw new NotShownYet(`GitHub knows ${login}, and does not show what they may do`)
  const nobody: Person = { id, login, kind, permission: 'none', teams: [] }
  return now === null ? nobody : { ...nobody, nameless: true }
}

async function standingOf({ octokit, place }: Access, username: string): Promise<z.output<typeof standing> | null> {
  const route = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission'
  const answer = await orMissing(octokit.request(route, { ...place, username, request: { fresh: true } }))
  return answer === null ? null : standing.parse(answer.data)
}

async function personOf(
  { octokit }: Access,
  { id, login, kind }: Maker,
  { role_name, permission, user }: z.output<typeof standing>,
  teams: readonly string[],
): Promise<Person> {
  const flags = user?.permissions
  const named = role_name === '' ? permission : role_name
  const own = await Promise.all(teams.map(async (team) => ((await isMember(octokit, team, login)) ? [team] : [])))
  return {
    id: id ?? user?.id ?? null,
    login,
    kind,
    permission: permissionOf({ role_name: named, ...(flags === undefined ? {} : { permissions: flags }) }),
    teams: own.flat(),
  }
}

const named = z.object({ id: z.number(), login: z.string() })

/** In whose name GitHub shows what somebody said whose account is gone. */
const GONE = 'ghost'

/**
 * What an account is called by now; null where there is none. Of everybody who has one GitHub says what they may do, be it nothing.
 * An older GitHub Enterprise Server finds nobody by their number, and by their name whoever still bears it.
 * https://docs.github.com/en/rest/users/users#get-a-user-using-their-id
 */
async function calledNow({ octokit }: Access, { id, login }: Pick<Maker, 'id' | 'login'>): Promise<string | null> {
  if (login === GONE) return null
  const fresh = { request: { fresh: true } } as const
  const byNumber =
    id === null ? null : await orMissing(octokit.request('GET /user/{account_id}', { ...fresh, account_id: id }))
  const answer = byNumber ?? (await orMissing(octokit.request('GET /users/{username}', { ...fresh, username: login })))
  const account = answer === null ? null : named.parse(answer.data)
  return account === null || (id !== null && account.id !== id) ? null : account.login
}

async function isMember(octokit: Access['octokit'], team: string, username: string): Promise<boolean> {
  const [org = '', team_slug = ''] = team.split('/')
  const answer = await orMissing(octokit.rest.teams.getMembershipForUserInOrg({ org, team_slug, username }))
  return answer?.data.state === 'active'
}
