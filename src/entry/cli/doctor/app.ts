// What GitHub says about the App: its credentials, what it may do and hears against `app.yml`, where it is installed, and the
// webhooks that did not arrive.
import { z } from 'zod'
import type { GitHubClient } from '../../../adapters/github/access.ts'
import { orMissing, statusOf } from '../../../adapters/github/status.ts'
import { wordsOf } from '../../../core/error-words.ts'
import { lackingIn } from '../../app/introduction.ts'
import { readManifest } from '../../app/manifest.ts'
import { looked, ok, unknown, warning, wrong, type Finding } from './finding.ts'
import type { Sight } from './sight.ts'

export type Self = { readonly id: number; readonly slug: string; readonly installation: number | null }
export type AppLook = { readonly findings: readonly Finding[]; readonly self: Self | null }

const owner = z.object({ login: z.string(), type: z.string().default('User') }).nullable()
const may = { permissions: z.record(z.string(), z.string()), events: z.array(z.string()) }
const appShape = z.object({ id: z.number(), slug: z.string(), owner, ...may })
const installation = z.object({ id: z.number(), html_url: z.string(), suspended_at: z.string().nullish(), ...may })
type App = z.output<typeof appShape>
type Installation = z.output<typeof installation>

const without =
  'the credentials of the App are not here: run this where its .env is, or set APP_ID, PRIVATE_KEY and WEBHOOK_SECRET'

export async function lookAtApp(sight: Sight): Promise<AppLook> {
  const { app: octokit } = sight
  if (octokit === null) {
    const unseen = ['credentials', 'permissions', 'installation', 'webhooks']
    return { findings: unseen.map((about) => unknown(about, without)), self: null }
  }
  let app: App
  try {
    app = appShape.parse((await octokit.request('GET /app')).data)
  } catch (error) {
    return { findings: [refused(error, sight)], self: null }
  }
  const there = installationOn(octokit, sight)
  const findings = [
    ok('credentials', `GitHub knows the App \`${app.slug}\` (${app.id})`),
    permissionsOf(app, sight),
    ...(await looked('installation', async () => installedOn(app, await there, sight))),
    ...(await looked('webhooks', () => webhooks(octokit, app, sight))),
  ]
  const placed = await there.catch(() => null)
  return { findings, self: { id: app.id, slug: app.slug, installation: placed?.id ?? null } }
}

function refused(error: unknown, { settings, pages }: Sight): Finding {
  const id = settings.credentials?.appId ?? 0
  const apps = `${pages}/settings/apps`
  if (statusOf(error) === 401)
    return wrong('credentials', `GitHub does not take PRIVATE_KEY for a key of App ${id}, or this machine’s clock is wrong`, `make a new key at ${apps}, and set PRIVATE_KEY to it`) // prettier-ignore
  if (statusOf(error) === 404)
    return wrong('credentials', `GitHub knows no App ${id}`, `set APP_ID to what ${apps} calls App ID`)
  return unknown('credentials', `GitHub could not be asked: ${wordsOf(error)}`)
}

const settingsPage = ({ slug, owner: by }: App, pages: string): string =>
  by?.type === 'Organization'
    ? `${pages}/organizations/${by.login}/settings/apps/${slug}`
    : `${pages}/settings/apps/${slug}`

/** What it lacks an App may have been registered without, by an older version or by hand. */
function permissionsOf(app: App, { pages }: Sight): Finding {
  const { permissions, events } = lackingIn(app, readManifest())
  const lacking = [...permissions, ...events.map((event) => `event ${event}`)]
  return lacking.length === 0
    ? ok('permissions', 'it may do and hears all that app.yml asks for')
    : wrong('permissions', `app.yml asks for more: ${lacking.join(', ')}`, `${settingsPage(app, pages)}/permissions`)
}

/** Null where GitHub says that there is none. */
async function installationOn(octokit: GitHubClient, { place }: Sight): Promise<Installation | null> {
  const answer = await orMissing(octokit.request('GET /repos/{owner}/{repo}/installation', { ...place }))
  return answer === null ? null : installation.parse(answer.data)
}

function installedOn(app: App, there: Installation | null, { place, pages }: Sight): Finding {
  const name = `${place.owner}/${place.repo}`
  if (there === null)
    return wrong('installation', `it is not installed on ${name}`, `${pages}/apps/${app.slug}/installations/new`)
  if (there.suspended_at) return wrong('installation', `it is suspended on ${place.owner}`, there.html_url)
  const { permissions, events } = lackingIn(there, {
    ...readManifest(),
    default_permissions: granted(app),
    default_events: app.events,
  })
  return permissions.length + events.length === 0
    ? ok('installation', `it is installed on ${name}`)
    : wrong(
        'installation',
        `what it asks for has not been accepted on ${place.owner}: ${[...permissions, ...events].join(', ')}`,
        there.html_url,
      )
}

const level = z.enum(['read', 'write', 'admin'])
const granted = ({ permissions }: App) =>
  Object.fromEntries(
    Object.entries(permissions).flatMap(([name, has]) => {
      const known = level.safeParse(has)
      return known.success ? [[name, known.data]] : []
    }),
  )

const config = z.object({ url: z.string().default('') })
const delivery = z.object({ guid: z.string(), status_code: z.number(), delivered_at: z.string() })
const PATH = '/api/github/webhooks'

/** Of the newest hundred, those that did not arrive in any of their attempts. */
async function webhooks(octokit: GitHubClient, app: App, { pages }: Sight): Promise<Finding> {
  const page = settingsPage(app, pages)
  const { url } = config.parse((await octokit.request('GET /app/hook/config')).data)
  if (!url.endsWith(PATH))
    return wrong('webhooks', `they are sent to ${url === '' ? 'nowhere' : url}, and the App listens at ${PATH}`, page)
  const { data } = await octokit.request('GET /app/hook/deliveries', { per_page: 100 })
  const all = z.array(delivery).parse(data)
  const arrived = new Set(all.filter(({ status_code: code }) => code >= 200 && code < 300).map(({ guid }) => guid))
  const failed = new Map(all.filter(({ guid }) => !arrived.has(guid)).map((one) => [one.guid, one]))
  const [newest] = all
  if (newest === undefined) return warning('webhooks', 'GitHub has sent none in three days', `${page}/advanced`)
  if (failed.size === 0) return ok('webhooks', `the newest ${arrived.size} arrived`)
  const [last] = failed.values()
  // What failed once is asked for again by the App, so that only the newest tells how it stands now.
  const words = `${failed.size} of the newest ${arrived.size + failed.size} did not arrive, the last of them on ${last?.delivered_at ?? ''}`
  return (failed.has(newest.guid) ? wrong : warning)('webhooks', words, `${page}/advanced`)
}
