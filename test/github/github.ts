// A GitHub to test against: its REST and GraphQL interfaces, its webhooks and its rules, held in memory. It knows
// nothing of who tests against it.
//
//   const github = await startGitHub({ app: { slug: 'gate', webhookUrl: 'http://localhost:3000/' } })
//   github.createRepo('acme/shop')
//   github.install('acme')
//   github.push('acme/shop', 'feature', { files: { 'a.ts': 'one\n' }, author: 'ada' })
//   const number = github.openPull('acme/shop', { title: 'One', head: 'feature', by: 'ada' })
//   await github.idle()
//   new Octokit({ baseUrl: github.url, auth: github.tokenOf('ada') })
//   await github.close()
//
// The verbs are what people, robots and administrators do; each tells the same webhooks as the same act over REST. A
// login that was never introduced is a new person. They stand in `verbs/`. `main.ts` starts this as a process of its
// own, and `remote.ts` steers that with the same verbs: `POST /_admin/<verb>` with a JSON list of the arguments,
// answered `{ "result": … }`.
//
// Two clocks: what GitHub shows (dates, artifact links) follows `clock`; what clients compare with their own clock
// (JWTs, tokens, rate limits) follows the wall clock, and `expireTokens` ends every App's token.
//
// Readings may be ordered to be stale, full of holes or overtaken by something else: `addFault` and `before`.
//
// Simplifications: a merge conflicts when both sides changed the same path; `merge` may be pressed by anyone; a fork
// shares its parent's object store; there are no milestones, projects, releases, wikis, repository webhooks or search.
import { createPublicKey } from 'node:crypto'
import { once } from 'node:events'
import { createAccount, createApp } from './acts/accounts.ts'
import type { Permissions } from './model.ts'
import { Problem } from './problem.ts'
import { allRoutes } from './routes/all.ts'
import { makeState } from './state.ts'
import { controlVerbs } from './verbs/control.ts'
import { lookVerbs } from './verbs/look.ts'
import { peopleVerbs } from './verbs/people.ts'
import { pushVerbs } from './verbs/push.ts'
import { robotVerbs } from './verbs/robots.ts'
import { talkVerbs } from './verbs/talk.ts'
import { tellApps } from './wire/emit.ts'
import { makeFaults } from './wire/faults.ts'
import { makeLimiter, type Limits } from './wire/limits.ts'
import { makeOutbox } from './wire/outbox.ts'
import { serve, type Exchange, type LoggedRequest } from './wire/server.ts'
import { commonKeyPair, type World } from './world.ts'
import { onLoopback } from '../loopback.ts'

export type Options = {
  readonly port?: number
  /** How long every answer takes. */
  readonly delayMs?: number
  /** The App under test. It brings a private key, or gets one. */
  readonly app?: {
    readonly id?: number
    readonly slug?: string
    readonly privateKey?: string
    readonly webhookSecret?: string
    readonly webhookUrl?: string | null
    readonly permissions?: Permissions
    readonly events?: readonly string[]
  }
  readonly limits?: Partial<Limits>
  readonly clock?: { now(): string }
  /** Decides every draw: which webhook is lost, which request fails. */
  readonly seed?: number
  /** Sees every request with its answer. */
  readonly observe?: (exchange: Exchange) => void
}
export type GitHub = Awaited<ReturnType<typeof startGitHub>>
export type Verbs = ReturnType<typeof verbsFor>

const loggedMax = 200_000
/** The id that Actions has on github.com. */
const actionsAppId = 15_368

export async function startGitHub(options: Options = {}) {
  const now = () => options.clock?.now() ?? new Date().toISOString()
  let ids = 1_000
  const nextId = () => (ids += 1)
  const outbox = makeOutbox(now, nextId)
  const world: World = {
    state: makeState(),
    url: '',
    now: () => now().replace(/\.\d+Z$/, 'Z'),
    nextId,
    emit: (event, about, payload) => tellApps(world, outbox, event, about, payload),
  }
  const requests: LoggedRequest[] = []
  const delay = { ms: options.delayMs ?? 0 }
  const faults = makeFaults(options.seed ?? 1)
  const limiter = makeLimiter(options.limits ?? {})
  if (options.seed !== undefined) outbox.set({ seed: options.seed })
  const app = addApps(world, options)
  const verbs = verbsFor(world, app.slug, { outbox, faults, limiter, requests, delay })
  const server = serve({
    world,
    faults,
    limiter,
    delayMs: () => delay.ms,
    routes: allRoutes(outbox),
    log(request) {
      requests.push(request)
      if (requests.length > loggedMax) requests.shift()
    },
    observe: options.observe ?? (() => {}),
    steer: async (verb, args) => {
      const act: unknown = Reflect.get({ ...verbs, app: () => app }, verb)
      if (typeof act !== 'function') throw new Problem(404, `There is no verb ${verb}`)
      const result: unknown = Reflect.apply(act, null, Array.isArray(args) ? args : [args])
      return result
    },
  })
  world.url = `http://127.0.0.1:${await onLoopback(server, options.port)}`

  return {
    ...verbs,
    url: world.url,
    /** What an App's own configuration holds. */
    app,
    /** The log itself, which goes on growing. */
    requests,
    close: async (): Promise<void> => {
      outbox.close()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function verbsFor(world: World, ownSlug: string, controls: Parameters<typeof controlVerbs>[0]) {
  return {
    ...peopleVerbs(world, ownSlug),
    ...pushVerbs(world),
    ...talkVerbs(world),
    ...robotVerbs(world),
    ...lookVerbs(world),
    ...controlVerbs(controls),
  }
}

function addApps(world: World, options: Options) {
  // Who commits when somebody presses a button on a page.
  createAccount(world, 'web-flow', { name: 'GitHub', email: 'noreply@github.com' })
  // GitHub's coding agent, whose name REST and GraphQL spell differently.
  createAccount(world, 'Copilot', { type: 'Bot', graphqlLogin: 'copilot-swe-agent[bot]' })
  createApp(world, { id: actionsAppId, slug: 'github-actions', name: 'GitHub Actions', owner: 'github' })
  const {
    id = 1,
    slug = 'app-under-test',
    webhookUrl = null,
    webhookSecret = 'development',
    ...rest
  } = options.app ?? {}
  const privateKey = rest.privateKey ?? commonKeyPair().privateKey
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
  const granted = { permissions: rest.permissions ?? allPermissions, events: rest.events ?? allEvents }
  createApp(world, { id, slug, publicKey, webhookSecret, webhookUrl, ...granted })
  return { id, slug, privateKey, webhookSecret }
}

const allPermissions: Permissions = {
  actions: 'read',
  administration: 'read',
  checks: 'write',
  contents: 'read',
  issues: 'write',
  members: 'read',
  merge_queues: 'read',
  metadata: 'read',
  pull_requests: 'write',
  statuses: 'write',
}
const allEvents: readonly string[] = [
  'check_run',
  'check_suite',
  'create',
  'delete',
  'issue_comment',
  'issue_dependencies',
  'issues',
  'member',
  'merge_group',
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'push',
  'repository',
  'status',
  'sub_issues',
  'workflow_run',
]
