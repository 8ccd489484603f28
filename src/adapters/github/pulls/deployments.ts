// Custom deployment protection: from which pull requests a commit came that is to be deployed, and the word that lets it go.
// https://docs.github.com/en/actions/how-tos/deploy/configure-and-manage-deployments/create-custom-protection-rules
// https://docs.github.com/en/rest/actions/workflow-runs#review-custom-deployment-protection-rules-for-a-workflow-run
import { z } from 'zod'
import type { DeploymentWord } from '../../../core/decision/shown/deployment-word.ts'
import type { BaseNow, Behind } from '../../../ports.ts'
import type { Access } from '../access.ts'
import { partingOf } from '../files/files.ts'
import { allPages, PER_PAGE } from '../pages.ts'
import { orMissing } from '../status.ts'
import { baseOf } from './pulls.ts'

const WORDS_MAX = 1_000

/** Whoever brought more pull requests about one commit waits for a person. */
const PAGES_MAX = 10
/** Whatever stands on more of them waits for a person. */
const STACK_MAX = 20

const pulls = z.array(
  z.looseObject({
    number: z.number(),
    state: z.string(),
    draft: z.boolean().default(false),
    merge_commit_sha: z.string().nullish(),
    merged_at: z.string().nullish(),
    updated_at: z.string(),
    head: z.object({ sha: z.string() }),
  }),
)

/**
 * Those that were merged as this commit, and those that have it as their head. GitHub names those as well that have it somewhere
 * below their head, or brought it by the way: nobody judged it there.
 */
export async function pullsBehind(access: Access, commit_sha: string): Promise<readonly Behind[]> {
  const { octokit, place } = access
  const found = await allPages(PAGES_MAX, async (page) => {
    const asked = { ...place, commit_sha, per_page: PER_PAGE, page }
    const answer = await orMissing(octokit.rest.repos.listPullRequestsAssociatedWithCommit(asked))
    return pulls.parse(answer?.data ?? [])
  })
  const became = found.filter(({ merged_at, merge_commit_sha: sha }) => Boolean(merged_at) && sha === commit_sha)
  const headed = found.filter((one) => one.head.sha === commit_sha && !became.includes(one))
  return Promise.all(
    [...became, ...headed].map(async (one) => ({
      pull: one.number,
      head_sha: one.head.sha,
      updated_at: one.updated_at,
      ...baseOf(one),
      ready: one.state === 'open' && !one.draft,
      below: await belowOf(access, commit_sha, baseOf(one)),
    })),
  )
}

/** Each merges into the branch of the next, until one merges into the base of all. */
async function belowOf(
  access: Access,
  commit_sha: string,
  { base_ref, merges_into }: BaseNow,
): Promise<Behind['below']> {
  const { octokit, place } = access
  const below: NonNullable<Behind['below']>[number][] = []
  for (let [branch, sha] = [merges_into, commit_sha]; branch !== base_ref;) {
    const asked = { ...place, head: `${place.owner}:${branch}`, state: 'open', request: { fresh: true } } as const
    const { data } = await octokit.rest.pulls.list(asked)
    const next = data.find((one) => baseOf(one).base_ref === base_ref)
    if (next === undefined || below.length === STACK_MAX) return null
    // What parts from it only where it stands itself is in it.
    if ((await partingOf(access, sha, next.head.sha)) !== next.head.sha) return null
    below.push({ pull: next.number, head_sha: next.head.sha, base_ref })
    branch = next.base.ref
    sha = next.head.sha
  }
  return below
}

const attempted = z.object({ run_attempt: z.number().default(1) })

/** A run that is run again keeps its number, and its jobs ask once more; the webhook does not tell which time it is. */
export async function runAttempt({ octokit, place }: Access, run_id: number): Promise<number> {
  const answer = await orMissing(octokit.rest.actions.getWorkflowRun({ ...place, run_id, request: { fresh: true } }))
  return attempted.parse(answer?.data ?? {}).run_attempt
}

/** Shown where its answer is, so that an answer that was given is known. */
export async function showDeployment(
  { octokit, place }: Access,
  { run: run_id, environment: environment_name, answer, words }: DeploymentWord,
): Promise<{ ref: string | null }> {
  const comment = words.slice(0, WORDS_MAX)
  const said = { environment_name, comment, ...(answer === null ? {} : { state: answer }) }
  await octokit.rest.actions.reviewCustomGatesForRun({ ...place, run_id, ...said })
  return { ref: answer }
}
