// Apps about themselves: who they are, where they are installed, tokens for each installation, and the webhooks that
// were sent to them, which they may ask for again.
import { createApp } from '../acts/accounts.ts'
import { installationFor, makeInstallationToken, reposOf } from '../acts/installations.ts'
import { list, record, texts } from '../fields.ts'
import type { App, Installation, Permissions, Repo } from '../model.ts'
import { notFound, Problem } from '../problem.ts'
import { app as showApp, installation as showInstallation } from '../shapes/account.ts'
import { fullRepository } from '../shapes/repo.ts'
import { accountOf, found, makeKeyPair, repoOf } from '../world.ts'
import { accepted, created, numberParam, ok, paged, pagedUnder, param, type Answer, type Call } from '../wire/call.ts'
import type { Delivery, Outbox } from '../wire/outbox.ts'
import { route, type Route } from '../wire/router.ts'

function caller({ viewer }: Call): App {
  if (viewer.kind === 'app') return viewer.app
  throw new Problem(401, 'A JSON web token could not be decoded')
}

function installationOf(call: Call): Installation {
  const one = call.world.state.installations.get(numberParam(call, 'id'))
  if (one === undefined || one.app !== caller(call)) throw notFound()
  return one
}

const installations = (call: Call): readonly Installation[] =>
  [...call.world.state.installations.values()].filter((one) => one.app === caller(call))

function accessToken(call: Call): Answer {
  const installation = installationOf(call)
  const names = texts(call.body, 'repositories')
  const ids = list(call.body, 'repository_ids')
  const byId = (ids ?? []).flatMap((id) => (typeof id === 'number' ? (call.world.state.repos.get(id) ?? []) : []))
  const byName = (names ?? []).map((name) => repoOf(call.world, `${installation.account.login}/${name}`))
  const repos: readonly Repo[] | null = names === null && ids === null ? null : [...byId, ...byName]
  const { text, token } = makeInstallationToken(call.world, installation, { repos, permissions: wanted(call) })
  return created({
    token: text,
    expires_at: token.expiresAt?.replace(/\.\d+Z$/, 'Z'),
    permissions: token.permissions,
    repository_selection: token.repos === null ? 'all' : 'selected',
    ...(repos === null ? {} : { repositories: repos.map((repo) => fullRepository(call.world, repo, null)) }),
  })
}

function wanted({ body }: Call): Permissions | null {
  const permissions = record(body, 'permissions')
  return permissions === null
    ? null
    : Object.fromEntries(Object.entries(permissions).map(([name, level]) => [name, String(level)]))
}

function repositories(call: Call): Answer {
  if (call.viewer.kind !== 'token') throw new Problem(401, 'Requires authentication')
  const { installation, repos: narrowed } = call.viewer.token
  if (installation === null) throw new Problem(403, 'You must authenticate with an installation access token')
  const repos = reposOf(call.world, installation).filter(({ id }) => narrowed === null || narrowed.has(id))
  return pagedUnder(call, 'repositories', repos, (repo) => fullRepository(call.world, repo, null))
}

function installedFor(call: Call, name: string): Answer {
  const installation = installationFor(call.world, caller(call), repoOf(call.world, name))
  return ok(showInstallation(call.world, found(installation)))
}

function installedOn(call: Call): Answer {
  const account = accountOf(call.world, param(call, 'login'))
  return ok(showInstallation(call.world, found(installations(call).find((one) => one.account === account))))
}

/** The last step of making an App from a manifest: any code will do, and each makes a new App with a key of its own. */
function fromManifest(call: Call): Answer {
  const { publicKey, privateKey } = makeKeyPair()
  const webhookSecret = `secret-${param(call, 'code')}`
  const app = createApp(call.world, { slug: `app-${param(call, 'code')}`, publicKey, webhookSecret })
  const secrets = { client_secret: webhookSecret, webhook_secret: webhookSecret, pem: privateKey }
  return created({ ...showApp(call.world, app), ...secrets })
}

function item(one: Delivery) {
  return {
    id: one.id,
    guid: one.guid,
    delivered_at: one.deliveredAt,
    redelivery: one.redelivery,
    duration: one.durationMs / 1000,
    status:
      one.status === 'OK'
        ? 'OK'
        : one.status === 'failed'
          ? `Invalid HTTP Response: ${one.statusCode}`
          : 'failed to connect to host',
    status_code: one.statusCode,
    event: one.event,
    action: one.action,
    installation_id: one.installation,
    repository_id: one.repository,
    throttled_at: null,
  }
}

function whole(one: Delivery) {
  const payload: unknown = JSON.parse(one.payload)
  const response = { headers: {}, payload: one.response }
  return { ...item(one), url: one.app.webhookUrl, request: { headers: one.headers, payload }, response }
}

const perPageMax = 100

/** Deliveries are paged by a cursor, newest first. */
function deliveries(call: Call, outbox: Outbox): Answer {
  const app = caller(call)
  const perPage = Math.min(Number(call.query.get('per_page') ?? 30), perPageMax)
  const before = Number(call.query.get('cursor') ?? Infinity)
  const isListed = ({ status }: Delivery): boolean => status !== 'waiting' && status !== 'never sent'
  const sent = outbox.deliveries().filter((one) => one.app === app && isListed(one) && one.id < before)
  const page = sent.toReversed().slice(0, perPage)
  const last = page.at(-1)
  if (last === undefined || sent.length <= perPage) return ok(page.map(item))
  const link = `<${call.world.url}/app/hook/deliveries?per_page=${perPage}&cursor=${last.id}>; rel="next"`
  return { status: 200, body: page.map(item), headers: { link } }
}

function deliveryOf(call: Call, outbox: Outbox): Delivery {
  const app = caller(call)
  return found(outbox.deliveries().find((one) => one.app === app && one.id === numberParam(call, 'id')))
}

export const appRoutes = (outbox: Outbox): readonly Route[] => [
  route('GET', '/app', (call) => {
    const app = caller(call)
    return ok({ ...showApp(call.world, app), installations_count: installations(call).length })
  }),
  route('GET', '/apps/{slug}', (call) =>
    ok(
      showApp(call.world, found([...call.world.state.apps.values()].find(({ slug }) => slug === call.params['slug']))),
    ),
  ),
  route('GET', '/app/installations', (call) =>
    paged(call, installations(call), (one) => showInstallation(call.world, one)),
  ),
  route('GET', '/app/installations/{id}', (call) => ok(showInstallation(call.world, installationOf(call)))),
  route('POST', '/app/installations/{id}/access_tokens', accessToken),
  route('GET', '/installation/repositories', repositories),
  route('GET', '/repos/{owner}/{repo}/installation', (call) =>
    installedFor(call, `${call.params['owner']}/${call.params['repo']}`),
  ),
  route('GET', '/orgs/{login}/installation', installedOn),
  route('GET', '/users/{login}/installation', installedOn),
  route('GET', '/app/hook/config', (call) =>
    ok({ content_type: 'json', insecure_ssl: '0', secret: '********', url: caller(call).webhookUrl ?? '' }),
  ),
  route('GET', '/app/hook/deliveries', (call) => deliveries(call, outbox)),
  route('GET', '/app/hook/deliveries/{id}', (call) => ok(whole(deliveryOf(call, outbox)))),
  route('POST', '/app/hook/deliveries/{id}/attempts', (call) => {
    outbox.redeliver(deliveryOf(call, outbox))
    return accepted({})
  }),
  route('POST', '/app-manifests/{code}/conversions', fromManifest),
]
