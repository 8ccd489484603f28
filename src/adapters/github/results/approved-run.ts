// Who let a workflow run begin that waited for approval, as the runs of guests do. GitHub names whoever approves it as the one
// who triggered it, while its attempt stays the first; whoever runs it again is named too, with the next attempt. Only
// people with write permission can do either.
// https://docs.github.com/en/actions/how-tos/manage-workflow-runs/approve-runs-from-forks
import { z } from 'zod'
import type { Attempt } from '../../../core/decision/model.ts'
import type { Maker } from '../../../core/people/people.ts'
import type { Access } from '../access.ts'
import { account, makerOf } from '../people/accounts.ts'
import { orMissing } from '../status.ts'
import { attemptPlace, fileOf, workflowRun } from './runs.ts'
import type { Stranger } from './whose-run.ts'

/** What a webhook tells of a run. */
export const toldRun = z.object({
  id: z.number().default(0),
  head_sha: z.string(),
  path: z.string().default(''),
  event: z.string().default(''),
  run_attempt: z.number().default(1),
  actor: account.nullish(),
  triggering_actor: account.nullish(),
  status: z.string().nullish(),
  conclusion: z.string().nullish(),
})

/** The news of a run: that results may be there, and whether somebody seems to have approved it. */
export function newsOfRun(run: z.output<typeof toldRun>) {
  const { head_sha: sha, id, event, status, conclusion = null, run_attempt } = run
  const ended = {
    kind: 'workflow_run',
    id,
    name: fileOf(run),
    event,
    conclusion,
    at: attemptPlace(run_attempt),
  } as const
  const told = status === 'completed' ? { told: [ended] } : {}
  return { kind: 'results_changed', sha, ...told, ...(approverIn(run) === null ? {} : { approved_run: id }) } as const
}

function approverIn({ run_attempt, actor, triggering_actor: by }: z.output<typeof toldRun>): Maker | null {
  if (run_attempt !== 1 || !actor || !by || by.id === null || by.id === actor.id) return null
  return makerOf(by)
}

/** Null where nobody approved it, or where it is not known to be for this pull request. */
export async function approverOf(
  { octokit, place }: Access,
  attempt: Attempt,
  run_id: number,
  stranger: Stranger,
): Promise<Maker | null> {
  const found = await orMissing(octokit.rest.actions.getWorkflowRun({ ...place, run_id, request: { fresh: true } }))
  if (found === null) return null
  const by = approverIn(toldRun.parse(found.data))
  const run = workflowRun.parse(found.data)
  if (by === null || run.event !== 'pull_request') return null
  return (await stranger(attempt, run)) === null ? by : null
}
