// Pull requests of the past, judged by a policy as the App would have: the same engine reads them from GitHub, hears what was
// said there, and keeps its record in memory. Of each the last commit is judged.
import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { GitHubClient, Place } from '../../adapters/github/access.ts'
import { aside, inLine } from '../../adapters/aside/aside.ts'
import { githubForge } from '../../adapters/github/forge.ts'
import { heard } from '../../adapters/github/webhooks/payloads.ts'
import { webhookOf } from '../../adapters/github/people/said.ts'
import { memoryStore } from '../../adapters/store/memory.ts'
import { lastAttempt } from '../../core/decision/rules/attempt.ts'
import type { Repository, Saying } from '../../core/news.ts'
import { withRestAssumed, type OfThePast } from '../../core/simulation/rest.ts'
import { engineOver, load, type Engine } from '../../engine/engine.ts'
import { hear } from '../../engine/heard/hear.ts'
import { pullSeen } from '../../engine/attempts/intake.ts'
import { taskOf } from '../../engine/attempts/own-task.ts'
import type { Forge, PullNow } from '../../ports.ts'
import { asItWas } from './as-it-was.ts'

export type PastPull = PullNow & {
  readonly number: number
  readonly title: string
  readonly state: 'open' | 'closed' | 'merged'
}
export type Judged = OfThePast & { readonly pull: PastPull }

const PER_PAGE = 100

/** The newest, the latest first. */
export async function pastPulls(octokit: GitHubClient, place: Place, last: number): Promise<readonly PastPull[]> {
  const found: PastPull[] = []
  for (let page = 1; found.length < last; page += 1) {
    const asked = { ...place, state: 'all', sort: 'created', direction: 'desc', per_page: PER_PAGE, page } as const
    const { data } = await octokit.rest.pulls.list(asked)
    for (const { number, title, head, base, updated_at, merged_at, state, draft } of data) {
      const base_is_default = base.ref === base.repo.default_branch
      const where = { head_sha: head.sha, base_ref: base.ref, merges_into: base.ref, base_is_default, updated_at }
      const ended = merged_at === null ? (state === 'open' ? 'open' : 'closed') : 'merged'
      if (draft !== true) found.push({ number, title, state: ended, ...where })
    }
    if (data.length < PER_PAGE) break
  }
  return found.slice(0, last)
}

type Asked = {
  readonly octokit: GitHubClient
  readonly place: Place
  readonly repository: Repository
  readonly policy: string
  readonly onJudged: (done: number) => void
}

/** In the order in which they were opened, since attempts at one task count together. Null where it is not judged. */
export async function judgedBy(
  pulls: readonly PastPull[],
  { octokit, place, repository, policy, onJudged }: Asked,
): Promise<ReadonlyMap<number, OfThePast | null>> {
  const access = { octokit, place, slug: 'countersign', app: null, now: Date.now }
  const past = { policy, pulls: new Map(pulls.map((pull) => [pull.number, pull])) }
  const forge = asItWas(githubForge(access), past)
  const engine = engineFor(forge)
  const judged = new Map<number, OfThePast | null>()
  for (const pull of pulls.toSorted((one, other) => one.number - other.number)) {
    judged.set(pull.number, await judge(engine, forge, repository, pull, await pushedAt(octokit, place, pull)))
    onJudged(judged.size)
    await nextTurn()
  }
  return judged
}

async function judge(
  engine: Engine<Forge>,
  forge: Forge,
  repository: Repository,
  pull: PastPull,
  at: string,
): Promise<OfThePast | null> {
  const { number, head_sha, base_ref, base_is_default } = pull
  await pullSeen(
    engine,
    repository,
    { pull: number, head_sha, base_ref, base_is_default, updated_at: at },
    'simulation',
  )
  for (const said of await forge.saidSince({ is: 'pull', number }, '')) await tell(engine, repository, said)
  const ref = await taskOf(engine, repository, number)
  if (ref === null) return null
  const { task } = await load(engine, ref)
  const attempt = lastAttempt(task, number)
  return attempt === undefined ? null : withRestAssumed(task, attempt.id, at)
}

/** When the commit was made: nothing that was said before it was said about it. */
async function pushedAt(octokit: GitHubClient, place: Place, { head_sha, updated_at }: PastPull): Promise<string> {
  const { data } = await octokit.rest.repos.getCommit({ ...place, ref: head_sha, per_page: 1 })
  return data.commit.committer?.date ?? updated_at
}

async function tell(engine: Engine<Forge>, repository: Repository, { told }: Saying): Promise<void> {
  if (told === null) return
  const news = heard(webhookOf(told, repository, 0), 0)?.understood.news ?? null
  if (news !== null) await hear(engine, repository, news, 'simulation')
}

/** It asks no model, and everything that there is has been heard. */
function engineFor(forge: Forge): Engine<Forge> {
  return engineOver<Forge>(
    {
      // All of the past lies in it at once, so nobody can tell which of them were open beside which.
      store: { ...memoryStore(), open: async () => [] },
      forges: { of: async () => forge },
      verifier: {
        available: false,
        verify: async () => null,
        judgeGate: async () => null,
      },
      aside: aside(inLine),
      clock: { now: () => new Date().toISOString() },
      ids: { next: randomUUID },
    },
    { alone: true },
  )
}
