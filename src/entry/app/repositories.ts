// Which repository a stream belongs to, and through which installation it is reached. Webhooks tell; after a start the
// installations are listed.
import { z } from 'zod'
import type { GitHubClient, Place } from '../../adapters/github/access.ts'
import { githubForge } from '../../adapters/github/forge.ts'
import { allPages, PER_PAGE } from '../../adapters/github/pages.ts'
import { remembered } from '../../adapters/github/remembered.ts'
import { NotInstalled, type Forge, type Forges, type Repository } from '../../ports.ts'

export type Clients = {
  /** The client of the App itself. */
  readonly app: () => Promise<GitHubClient>
  readonly installation: (id: number) => Promise<GitHubClient>
}
export type Installed = {
  readonly repository: Repository
  readonly installation: number
  readonly installed_at: string
}
export type Repositories = Forges<Forge> & {
  readonly note: (installation: number, repository: Repository) => void
  readonly list: () => Promise<readonly Installed[]>
  /** Whose repository it is: what one installation does is no other's concern. */
  readonly tenantOf: (key: string) => string
}

const PAGES_MAX = 100

export function repositories(
  clients: Clients,
  now: () => number,
  decorate: (forge: Forge, octokit: GitHubClient, place: Place, tenant: string) => Forge,
): Repositories {
  const known = new Map<string, { installation: number; repository: Repository }>()
  const forges = new Map<string, { readonly name: string; readonly forge: Promise<Forge> }>()
  const selfNow = remembered(now, Infinity, async () =>
    ownApp.parse((await (await clients.app()).request('GET /app')).data),
  )
  const make = async (installation: number, repository: Repository): Promise<Forge> => {
    const octokit = await clients.installation(installation)
    const [owner = '', repo = ''] = repository.full_name.split('/')
    const place = { owner, repo }
    const { slug, id: app } = await selfNow()
    return decorate(githubForge({ octokit, place, slug, app, now }), octokit, place, String(installation))
  }
  const note = (installation: number, repository: Repository): void => {
    known.set(repository.key, { installation, repository })
  }
  const list = async (): Promise<readonly Installed[]> => {
    const octokit = await clients.app()
    const found: Installed[] = []
    for (const { id, created_at } of await allInstallations(octokit)) {
      for (const repository of await repositoriesOf(await clients.installation(id))) {
        note(id, repository)
        found.push({ repository, installation: id, installed_at: created_at })
      }
    }
    return found
  }
  const of = async (stream: string): Promise<Forge> => {
    const key = stream.split('#')[0] ?? ''
    if (!known.has(key)) await list()
    const place = known.get(key)
    if (place === undefined) throw new NotInstalled(`Countersign is not installed on the repository of ${stream}`)
    const made = forges.get(key)
    if (made?.name === place.repository.full_name) return made.forge
    const forge = make(place.installation, place.repository)
    forges.set(key, { name: place.repository.full_name, forge })
    forge.catch(() => forges.delete(key))
    return forge
  }
  const tenantOf = (key: string): string => String(known.get(key)?.installation ?? key)
  return { of, note, list, tenantOf }
}

const ownApp = z.object({ slug: z.string(), id: z.number().nullable().default(null) })

const installation = z.object({ id: z.number(), created_at: z.string() })
const repository = z.object({ id: z.number(), full_name: z.string() })

async function allInstallations(octokit: GitHubClient): Promise<z.output<typeof installation>[]> {
  return allPages(PAGES_MAX, async (page) => {
    const { data } = await octokit.request('GET /app/installations', { per_page: PER_PAGE, page })
    return z.array(installation).parse(data)
  })
}

async function repositoriesOf(octokit: GitHubClient): Promise<Repository[]> {
  const rows = await allPages(PAGES_MAX, async (page) => {
    const { data } = await octokit.request('GET /installation/repositories', { per_page: PER_PAGE, page })
    return z.array(repository).parse(data.repositories)
  })
  return rows.map(({ id, full_name }) => ({ key: `R${id}`, full_name }))
}
