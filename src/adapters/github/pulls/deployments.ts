// Custom deployment protection: from which pull request a commit came that is to be deployed, and the word that lets it go.
// https://docs.github.com/en/actions/how-tos/deploy/configure-and-manage-deployments/create-custom-protection-rules
// https://docs.github.com/en/rest/actions/workflow-runs#review-custom-deployment-protection-rules-for-a-workflow-run
import { z } from 'zod'
import type { DeploymentWord } from '../../../core/decision/shown/deployment-word.ts'
import type { Access } from '../access.ts'
import { orMissing } from '../status.ts'

const WORDS_MAX = 1_000

const pulls = z.array(
  z.object({
    number: z.number(),
    merge_commit_sha: z.string().nullish(),
    merged_at: z.string().nullish(),
    head: z.object({ sha: z.string() }),
  }),
)

/** The one that was merged as this commit, or that has it as its head; else the one that GitHub says it came by. */
export async function pullBehind({ octokit, place }: Access, sha: string): Promise<number | null> {
  const asked = octokit.rest.repos.listPullRequestsAssociatedWithCommit({ ...place, commit_sha: sha })
  const found = pulls.parse((await orMissing(asked))?.data ?? [])
  const exact = found.find(({ merge_commit_sha, head, merged_at }) =>
    merged_at ? merge_commit_sha === sha || head.sha === sha : head.sha === sha,
  )
  return (exact ?? found.find(({ merged_at }) => Boolean(merged_at)))?.number ?? null
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
