// Which repository a stream belongs to, and through which installation it is reached. Webhooks tell; after a start the
// installations are listed. One that cannot be listed hides none of the others, and is named. An App that is installed
// anew has another number, and from then on only that one lets us in.
import { z } from 'zod'
import { botOf, type Access, type GitHubClient, type Place } from '../../adapters/github/access.ts'
import { githubForge } from '../../adapters/github/forge.ts'
import { repositoriesIn } from '../../adapters/github/installed.ts'
import { openPullsTogether, REPOSITORIES_ASKED_MAX } from '../../adapters/github/pulls/open-pulls.ts'
import { PER_PAGE } from '../../adapters/github/pages.ts'
import { readHere, type Reading } from '../../adapters/github/reading.ts'
import { remembered } from '../../adapters/github/remembered.ts'
import { rushOf, type Rush } from '../../adapters/github/show/rush.ts'
import { RUNS_ASKED_MAX, runsTogether } from '../../adapters/github/show/standing-runs.ts'
import { orMissing } from '../../adapters/github/status.ts'
import { isShutOut } from '../../engine/rounds/sweep.ts'
import {
  NotInstalled,
  type Forge,
  type Forges,
  type RepositoryListed,
  type LookAtPulls,
  type LookAtRuns,
  type RunPlace,
  type RunSeen,
} from '../../ports.ts'
import type { Repository } from '../../core/news.ts'
import { askTogether } from './ask-together.ts'
import type { Clients } from './clients.ts'
import { repositoryIn } from '../../core/names.ts'

export type Installed = {
  readonly repository: Repository
  readonly installation: number
  readonly installed_at: string
}
export type Listing = {
  readonly installed: readonly Installed[]
  /** The installations of which all is in it. */
  readonly whole: readonly number[]
  /** All installations that there are. */
  readonly named: readonly number[]
  /** What could not be listed, or not as a whole. */
  readonly failed: readonly unknown[]
}
export type Repositories = Forges<Forge> & {
  /** What is heard through an installation may be done through the one that came after it, where that one is gone. */
  readonly reaching: <T>(installation: number, repository: Repository, work: () => Promise<T>) => Promise<T>
  readonly list: () => Promise<Listing>
  /** Where a repository is, and by whom we are let in; rejects with NotInstalled. */
  readonly placeOf: (key: string) => Promise<Known>
  /** Many in one question to GitHub, by installation. */
  readonly lookAtRuns: LookAtRuns
  /** The same; what it does not tell is to be asked for one by one. */
  readonly lookAtPulls: LookAtPulls
  /** Whose repository it is: what one installation does is no other's concern. */
  readonly tenantOf: (key: string) => string
  /** Whether this is our own account, as far as GitHub was asked who we are. */
  readonly isOurself: (login: string) => boolean
}
type Decorate = (forge: Forge, octokit: GitHubClient, place: Place, tenant: string) => Forge
/** What may be told of a repository on the way. */
export type Told = Pick<Access, 'onRefused' | 'losses'> & {
  /** It is not known whether a check run was written to a commit of this repository. */
  readonly onDoubt?: (key: string, sha: string) => void
}
type Placed<W> = { readonly index: number; readonly one: W; readonly place: Place }
type Known = { readonly installation: number; readonly repository: Repository }

const INSTALLATIONS_PAGES_MAX = 1_000
/** Many streams may be asked for at once that no listing knows. */
const LISTING_MS = 60_000

export function repositories(
  clients: Clients,
  now: () => number,
  decorate: Decorate,
  { onRefused = () => undefined, onDoubt = () => undefined, losses = () => 0 }: Told = {},
  reading: (tenant: string) => Reading = () => readHere,
): Repositories {
  const known = new Map<string, Known>()
  const forges = new Map<string, Known & { readonly forge: Promise<Forge> }>()
  const rushes = new Map<number, Rush>()
  let ourself: string | null = null
  const make = async (installation: number, repository: Repository): Promise<Forge> => {
    const octokit = await clients.installation(installation)
    const place = placeNamed(repository.full_name)
    const { slug, id: app } = await clients.self()
    ourself = botOf({ slug })
    const tenant = String(installation)
    const rush = rushes.get(installation) ?? rushOf(octokit, now)
    rushes.set(installation, rush)
    const access = { octokit, place, slug, app, now, reading: reading(tenant), rush, onRefused, losses }
    const told = { ...access, onDoubt: (sha: string) => onDoubt(repository.key, sha) }
    return decorate(githubForge(told), octokit, place, tenant)
  }
  const note = (installation: number, repository: Repository): void => {
    const before = known.get(repository.key)
    if (before === undefined || !isGone({ installation, repository }, before))
      known.set(repository.key, { installation, repository })
  }
  const reaching: Repositories['reaching'] = async (installation, repository, work) => {
    note(installation, repository)
    try {
      return await work()
    } catch (error) {
      if (!isShutOut(error) || !(await foundAnew(repository))) throw error
      return work()
    }
  }
  /** Whether GitHub names another installation by which the repository is reached now. */
  const foundAnew = async (repository: Repository): Promise<boolean> => {
    const asked = (await clients.app()).request(
      'GET /repos/{owner}/{repo}/installation',
      placeNamed(repository.full_name),
    )
    const answer = await orMissing(asked)
    if (answer === null) return false
    const { id } = installation.parse(answer.data)
    if (id === known.get(repository.key)?.installation) return false
    known.set(repository.key, { installation: id, repository })
    return true
  }
  const list = async (): Promise<Listing> => {
    const octokit = await clients.app()
    const installed: Installed[] = []
    const whole: number[] = []
    const failed: unknown[] = []
    const all = await allInstallations(octokit)
    for (const { id, created_at, suspended_at } of all) {
      if (suspended_at !== null) continue
      try {
        const { repositories: there, missing } = await repositoriesOf(await clients.installation(id), id)
        if (missing === null) whole.push(id)
        else failed.push(missing)
        for (const repository of there) {
          known.set(repository.key, { installation: id, repository })
          installed.push({ repository, installation: id, installed_at: created_at })
        }
      } catch (error) {
        if (!(error instanceof NotInstalled)) failed.push(error)
      }
    }
    return { installed, whole, named: all.map(({ id }) => id), failed }
  }
  const listing = remembered(now, LISTING_MS, list)
  const placeOf = async (key: string): Promise<Known> => {
    const { failed } = known.has(key) ? { failed: [] } : await listing()
    const place = known.get(key)
    // It may be one of those that could not be listed just now.
    if (place === undefined && failed.length > 0) throw failed[0]
    if (place === undefined) throw new NotInstalled(`Countersign is not installed on the repository of ${key}`)
    return place
  }
  const of = async (stream: string): Promise<Forge> => {
    const key = repositoryIn(stream)
    const place = await placeOf(key)
    const made = forges.get(key)
    if (made !== undefined && isSamePlace(made, place)) return made.forge
    const forge = make(place.installation, place.repository)
    forges.set(key, { ...place, forge })
    forge.catch(() => forges.delete(key))
    return forge
  }
  /** Many in one question, to each installation its own. Resolves with what failed. */
  const inBatches = async <W>(
    wanted: readonly W[],
    keyOf: (one: W) => string,
    most: number,
    ask: (octokit: GitHubClient, batch: readonly Placed<W>[]) => Promise<void>,
  ): Promise<readonly unknown[]> => {
    const failed: unknown[] = []
    const trying = async (work: () => Promise<void>): Promise<void> => {
      await work().catch((error: unknown) => {
        if (!(error instanceof NotInstalled)) failed.push(error)
      })
    }
    const byInstallation = new Map<number, Placed<W>[]>()
    for (const [index, one] of wanted.entries())
      await trying(async () => {
        const { installation, repository } = await placeOf(keyOf(one))
        const placed = byInstallation.get(installation) ?? []
        byInstallation.set(installation, placed)
        placed.push({ index, one, place: placeNamed(repository.full_name) })
      })
    for (const [installation, placed] of byInstallation)
      for (let from = 0; from < placed.length; from += most)
        await trying(async () => {
          const octokit = await clients.installation(installation)
          await askTogether(placed.slice(from, from + most), async (some) => ask(octokit, some))
        })
    return failed
  }
  const lookAtRuns: LookAtRuns = async (wanted) => {
    const seen = wanted.map((): readonly RunSeen[] | null => null)
    const { id } = await clients.self()
    if (id === null) return { seen, failed: [] }
    const keyOf = ({ repository }: RunPlace): string => repository
    const failed = await inBatches(wanted, keyOf, RUNS_ASKED_MAX, async (octokit, batch) => {
      const found = await runsTogether(
        octokit,
        id,
        batch.map(({ one, place }) => ({ ...one, place })),
      )
      for (const [at, { index }] of batch.entries()) seen[index] = found[at] ?? null
    })
    return { seen, failed }
  }
  const lookAtPulls: LookAtPulls = async (keys) => {
    const seen = new Map<string, RepositoryListed>()
    const ask = async (octokit: GitHubClient, batch: readonly Placed<string>[]): Promise<void> => {
      const places = batch.map(({ place }) => place)
      for (const [at, listed] of (await openPullsTogether(octokit, places)).entries()) {
        const key = batch[at]?.one
        if (key !== undefined && listed !== null) seen.set(key, listed)
      }
    }
    // What failed here is asked for by itself, and says then what is wrong.
    await inBatches(keys, (key) => key, REPOSITORIES_ASKED_MAX, ask)
    return seen
  }
  const tenantOf = (key: string): string => String(known.get(key)?.installation ?? key)
  const isOurself = (login: string): boolean => login === ourself
  return { of, reaching, list, placeOf, lookAtRuns, lookAtPulls, tenantOf, isOurself }
}

function placeNamed(full_name: string): Place {
  const [owner = '', repo = ''] = full_name.split('/')
  return { owner, repo }
}

/** Under one owner GitHub counts installations upwards, and what is delivered late may name one that was removed. */
const isGone = (told: Known, before: Known): boolean =>
  told.installation < before.installation &&
  placeNamed(told.repository.full_name).owner === placeNamed(before.repository.full_name).owner

const isSamePlace = (one: Known, other: Known): boolean =>
  one.installation === other.installation && one.repository.full_name === other.repository.full_name

const installation = z.object({
  id: z.number(),
  created_at: z.string(),
  suspended_at: z.string().nullish().default(null),
})

async function allInstallations(octokit: GitHubClient): Promise<z.output<typeof installation>[]> {
  const all: z.output<typeof installation>[] = []
  for (let page = 1; page <= INSTALLATIONS_PAGES_MAX; page += 1) {
    const { data, headers } = await octokit.request('GET /app/installations', { per_page: PER_PAGE, page })
    all.push(...z.array(installation).parse(data))
    // A page may hold less than it could, and not be the last.
    if (data.length < PER_PAGE && !/rel="next"/.test(headers.link ?? '')) break
  }
  return all
}

type Listed = { readonly repositories: readonly Repository[]; readonly missing: Error | null }

async function repositoriesOf(octokit: GitHubClient, id: number): Promise<Listed> {
  const { repositories, total } = await repositoriesIn(octokit)
  const known = repositories.map(({ id: repo, full_name }) => ({ key: `R${repo}`, full_name }))
  const words = `GitHub listed ${known.length} of the ${total} repositories of installation ${id}`
  return { repositories: known, missing: known.length < total ? new Error(words) : null }
}
