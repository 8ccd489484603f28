// Which repository a stream belongs to, and through which installation it is reached. Webhooks tell; after a start the
// installations are listed. One that cannot be listed hides none of the others, and is named.
import { z } from 'zod'
import type { Access, GitHubClient, Place } from '../../adapters/github/access.ts'
import { githubForge } from '../../adapters/github/forge.ts'
import { allPages, PER_PAGE } from '../../adapters/github/pages.ts'
import { readHere, type WorkflowReading } from '../../adapters/github/results/workflow-file.ts'
import { remembered } from '../../adapters/github/remembered.ts'
import { NotInstalled, type Forge, type Forges } from '../../ports.ts'
import type { Repository } from '../../core/news.ts'

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
export type Listing = {
  readonly installed: readonly Installed[]
  /** What could not be listed, or not as a whole. */
  readonly failed: readonly unknown[]
}
export type Repositories = Forges<Forge> & {
  readonly note: (installation: number, repository: Repository) => void
  readonly list: () => Promise<Listing>
  /** Where a repository is, and by whom we are let in; rejects nothing that `of` found. */
  readonly placeOf: (key: string) => { readonly installation: number; readonly repository: Repository }
  /** Whose repository it is: what one installation does is no other's concern. */
  readonly tenantOf: (key: string) => string
}
type Decorate = (forge: Forge, octokit: GitHubClient, place: Place, tenant: string) => Forge

const INSTALLATIONS_PAGES_MAX = 1_000
const REPOSITORIES_PAGES_MAX = 1_000
/** Many streams may be asked for at once that no listing knows. */
const LISTING_MS = 60_000

export function repositories(
  clients: Clients,
  now: () => number,
  decorate: Decorate,
  onRefused: NonNullable<Access['onRefused']> = () => undefined,
  reading: (tenant: string) => WorkflowReading = () => readHere,
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
    const tenant = String(installation)
    const access = { octokit, place, slug, app, now, reading: reading(tenant), onRefused }
    return decorate(githubForge(access), octokit, place, tenant)
  }
  const note = (installation: number, repository: Repository): void => {
    known.set(repository.key, { installation, repository })
  }
  const list = async (): Promise<Listing> => {
    const octokit = await clients.app()
    const installed: Installed[] = []
    const failed: unknown[] = []
    for (const { id, created_at, suspended_at } of await allInstallations(octokit)) {
      if (suspended_at !== null) continue
      try {
        for (const repository of await repositoriesOf(await clients.installation(id), id)) {
          note(id, repository)
          installed.push({ repository, installation: id, installed_at: created_at })
        }
      } catch (error) {
        if (!(error instanceof NotInstalled)) failed.push(error)
      }
    }
    return { installed, failed }
  }
  const listing = remembered(now, LISTING_MS, list)
  const of = async (stream: string): Promise<Forge> => {
    const key = stream.split('#')[0] ?? ''
    const { failed } = known.has(key) ? { failed: [] } : await listing()
    const place = known.get(key)
    // It may be one of those that could not be listed just now.
    if (place === undefined && failed.length > 0) throw failed[0]
    if (place === undefined) throw new NotInstalled(`Countersign is not installed on the repository of ${stream}`)
    const made = forges.get(key)
    if (made?.name === place.repository.full_name) return made.forge
    const forge = make(place.installation, place.repository)
    forges.set(key, { name: place.repository.full_name, forge })
    forge.catch(() => forges.delete(key))
    return forge
  }
  const tenantOf = (key: string): string => String(known.get(key)?.installation ?? key)
  const placeOf: Repositories['placeOf'] = (key) => {
    const place = known.get(key)
    if (place === undefined) throw new NotInstalled(`Countersign is not installed on the repository ${key}`)
    return place
  }
  return { of, note, list, placeOf, tenantOf }
}

const ownApp = z.object({ slug: z.string(), id: z.number().nullable().default(null) })

const installation = z.object({
  id: z.number(),
  created_at: z.string(),
  suspended_at: z.string().nullish().default(null),
})
const repository = z.object({ id: z.number(), full_name: z.string() })
const page = z.object({ total_count: z.number(), repositories: z.array(repository) })

async function allInstallations(octokit: GitHubClient): Promise<z.output<typeof installation>[]> {
  return allPages(INSTALLATIONS_PAGES_MAX, async (page) => {
    const { data } = await octokit.request('GET /app/installations', { per_page: PER_PAGE, page })
    return z.array(installation).parse(data)
  })
}

async function repositoriesOf(octokit: GitHubClient, id: number): Promise<Repository[]> {
  let total = 0
  const rows = await allPages(REPOSITORIES_PAGES_MAX, async (number) => {
    const { data } = await octokit.request('GET /installation/repositories', { per_page: PER_PAGE, page: number })
    const { total_count, repositories } = page.parse(data)
    total = total_count
    return repositories
  })
  const keys = new Map(rows.map(({ id: repo, full_name }) => [repo, { key: `R${repo}`, full_name }]))
  // A list that changes while it is read may lack one.
  if (keys.size < total)
    throw new Error(`GitHub listed ${keys.size} of the ${total} repositories of installation ${id}`)
  return [...keys.values()]
}
