// Finds the route for a request and asks whether the caller may take it: an App's token by its permissions and
// repositories, a person by the role in the repository. What a caller may not see is answered 404.
import type { Repo, Role, Token } from '../model.ts'
import { badCredentials, mustHaveRights, notAccessible, notFound, Problem } from '../problem.ts'
import { covers, installationFor, wasSuspended } from '../acts/installations.ts'
import { atLeast, fullName, repoOf, roleOf, type World } from '../world.ts'
import { actor, type Answer, type Call, type RepoCall, type Viewer } from './call.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
type Handler<C extends Call> = (call: C) => Answer

export type Route = {
  readonly method: Method
  /** As it was given, with {name} for what varies. */
  readonly path: string
  readonly pattern: RegExp
  readonly names: readonly string[]
  readonly handle: Handler<Call>
}

/** The permission of an App that opens a route (one of several will do), and the role that opens it to a person. */
export type Needs = {
  readonly permission: string | readonly string[]
  readonly level: 'read' | 'write'
  readonly role?: Role
}

export const reads = (...permission: readonly string[]): Needs => ({ permission, level: 'read' })
export const writes = (...permission: readonly string[]): Needs => ({ permission, level: 'write' })

/** A path with {name} for one segment and {name+} for one or more. */
export function route(method: Method, path: string, handle: Handler<Call>): Route {
  const names = [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => name ?? '')
  const source = path.replace(/\{\w+(\+?)\}/g, (_match, plus: string) => (plus === '+' ? '(.+)' : '([^/]+)'))
  return { method, path, pattern: new RegExp(`^${source}/?$`), names, handle }
}

export const repoRoute = (method: Method, path: string, needs: Needs, handle: Handler<RepoCall>): Route =>
  route(method, `/repos/{owner}/{repo}${path}`, (call) => {
    const repo = repoOf(call.world, `${call.params['owner']}/${call.params['repo']}`)
    const under = { ...call, repo }
    allow(under, needs)
    return handle(under)
  })

export type Found = { readonly route: Route; readonly params: Readonly<Record<string, string>> }

export function findRoute(routes: readonly Route[], method: string, path: string): Found | null {
  for (const route of routes) {
    if (route.method !== method) continue
    const match = route.pattern.exec(path)
    if (match === null) continue
    const values = match.slice(1).map((value) => decodeURIComponent(value))
    return { route, params: Object.fromEntries(route.names.map((name, index) => [name, values[index] ?? ''])) }
  }
  return null
}

function allow(call: RepoCall, needs: Needs): void {
  const { viewer, repo, world } = call
  switch (viewer.kind) {
    case 'app':
      throw badCredentials()
    case 'nobody':
      if (repo.private) throw notFound()
      if (needs.level === 'write') throw new Problem(401, 'Requires authentication')
      return
    case 'token':
      if (viewer.token.permissions === null) allowPerson(world, call, viewer.token, needs)
      else allowApp(call, viewer, needs)
  }
}

/** The same question for what GraphQL shows of a repository. What is public any token may read. */
export function allowNode(
  call: Call,
  repo: Repo,
  level: Needs['level'],
  permission: Needs['permission'] = ['issues', 'pull_requests'],
): void {
  if (call.viewer.kind === 'token' && level === 'read' && !repo.private) return
  allow({ ...call, repo }, { permission, level })
}

function allowPerson(world: World, call: RepoCall, { app }: Token, needs: Needs): void {
  const role = roleOf(world, call.repo, actor(call))?.role ?? null
  if (role === null) throw notFound()
  const least = needs.role ?? (needs.level === 'write' ? 'write' : 'read')
  if (!atLeast(role, least)) throw mustHaveRights()
  if (app === null || (needs.level === 'read' && !call.repo.private)) return
  const installation = installationFor(world, app, call.repo)
  const wanted = permissionsOf(needs)
  const granted = wanted.some((name) => covers(installation?.permissions ?? {}, name, needs.level))
  if (!granted) throw notAccessible(accepted(wanted, needs))
}

const permissionsOf = ({ permission }: Needs): readonly string[] =>
  typeof permission === 'string' ? [permission] : permission

const accepted = (wanted: readonly string[], { level }: Needs): string =>
  wanted.map((name) => `${name}=${level}`).join('; ')

function allowApp({ repo }: RepoCall, viewer: Extract<Viewer, { kind: 'token' }>, needs: Needs): void {
  const { installation, permissions, repos } = viewer.token
  const inside = installation?.account === repo.owner && (repos === null || repos.has(repo.id))
  if (installation?.suspended) throw wasSuspended()
  const wanted = permissionsOf(needs)
  const granted = wanted.some((name) => covers(permissions ?? {}, name, needs.level))
  // Anybody may read what is public, a token of another repository too.
  if (!inside && needs.level === 'read' && !repo.private) return
  if (!inside && repo.private) throw notFound()
  if (!inside || !granted) throw notAccessible(accepted(wanted, needs))
}

/** Where a renamed repository went, or null where the path names none that was. */
export function renamed(world: World, path: string): string | null {
  const match = /^\/repos\/([^/]+\/[^/]+)(\/.*)?$/.exec(path)
  const name = decodeURIComponent(match?.[1] ?? '')
  const id = world.state.names.get(name.toLowerCase())
  const repo = id === undefined ? undefined : world.state.repos.get(id)
  if (repo === undefined || fullName(repo).toLowerCase() === name.toLowerCase()) return null
  return `${world.url}/repositories/${repo.id}${match?.[2] ?? ''}`
}

/** `/repositories/{id}` is another way to say `/repos/{owner}/{name}`, and survives every rename. */
export function byName(world: World, path: string): string {
  const match = /^\/repositories\/(\d+)(\/.*)?$/.exec(path)
  const repo = world.state.repos.get(Number(match?.[1] ?? -1))
  return repo === undefined ? path : `/repos/${fullName(repo)}${match?.[2] ?? ''}`
}
