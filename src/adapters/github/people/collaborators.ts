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

/** Read now: what was remembered may refuse, never grant. A name that another account bears by now is not this one's. */
export async function personNow(
  { octokit, place }: Access,
  { id, login, kind }: Maker,
  teams: readonly string[],
): Promise<Person> {
  const nobody: Person = { id, login, kind, permission: 'none', teams: [] }
  const route = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission'
  const answer = await orMissing(octokit.request(route, { ...place, username: login, request: { fresh: true } }))
  if (answer === null) {
    if (kind === 'human' && (await isThere(octokit, { id, login })))
      throw new NotShownYet(`GitHub knows ${login}, and does not show what they may do`)
    return nobody
  }
  const { role_name, permission, user } = standing.parse(answer.data)
  if (id !== null && user?.id !== id) return { ...nobody, nameless: true }
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

const numbered = z.object({ id: z.number() })

/** In whose name GitHub shows what somebody said whose account is gone. */
const GONE = 'ghost'

/** Of everybody who has an account GitHub says what they may do, be it nothing. */
async function isThere(octokit: Access['octokit'], { id, login }: Pick<Maker, 'id' | 'login'>): Promise<boolean> {
  if (login === GONE) return false
  const answer = await orMissing(
    octokit.request('GET /users/{username}', { username: login, request: { fresh: true } }),
  )
  return answer !== null && (id === null || numbered.parse(answer.data).id === id)
}

async function isMember(octokit: Access['octokit'], team: string, username: string): Promise<boolean> {
  const [org = '', team_slug = ''] = team.split('/')
  const answer = await orMissing(octokit.rest.teams.getMembershipForUserInOrg({ org, team_slug, username }))
  return answer?.data.state === 'active'
}
