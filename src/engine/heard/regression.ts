// What was confirmed and breaks later is taken up again, where the policy says so: a required check that fails on the commit with
// which it came onto the default branch, and not before, or a merged pull request that reverts it.
import { lastAttempt } from '../../core/decision/rules/attempt.ts'
import type { Attempt } from '../../core/decision/model.ts'
import type { News, Repository } from '../../core/news.ts'
import type { Forge } from '../../ports.ts'
import { forgeOf, load, type Engine } from '../engine.ts'
import { policyOfIssues } from '../issues/policy-of-issues.ts'
import { taskOf } from '../attempts/own-task.ts'
import { app, record } from '../record.ts'
import { settle } from '../settle.ts'

type Failed = NonNullable<Extract<News, { kind: 'results_changed' }>['failed']>

export async function failedOnDefault(
  engine: Engine<Forge>,
  repository: Repository,
  sha: string,
  { check, app: by, branch }: Failed,
  correlation_id: string,
): Promise<void> {
  const forge = await forgeOf(engine, repository)
  const governed = await policyOfIssues(engine, forge, repository)
  if (governed?.policy.tasks.reopen_on_regression !== true) return
  const { checks } = governed.policy.verification
  const asked = checks.find((one) => one.required && one.check_run === check && (one.app ?? by) === by)
  if (asked === undefined) return
  const why = `required check ${check} failed on ${branch}`
  for (const pull of await forge.broughtBy(sha, { check, app: asked.app ?? null }))
    await takenUpAgain(engine, repository, { pull, sha, why }, correlation_id)
}

/** GitHub's own words for a revert; the number alone, or with its repository. */
const reverts = /^Reverts ([\w.-]+\/[\w.-]+)?#(\d{1,9})\s*$/gm

/** The first that lies in this repository. */
function revertedBy(text: string, { full_name }: Repository): number | null {
  for (const [, place = full_name, number] of text.matchAll(reverts))
    if (place.toLowerCase() === full_name.toLowerCase()) return Number(number)
  return null
}

export async function mergedRevert(
  engine: Engine<Forge>,
  repository: Repository,
  { pull, head_sha: sha, contract }: Attempt,
  correlation_id: string,
): Promise<void> {
  if (!contract.policy.tasks.reopen_on_regression) return
  const text = await (await forgeOf(engine, repository)).issue(pull)
  const reverted = revertedBy(text?.body ?? '', repository)
  if (reverted === null) return
  await takenUpAgain(engine, repository, { pull: reverted, sha, why: `#${pull} reverts it` }, correlation_id)
}

type Regression = { readonly pull: number; readonly sha: string; readonly why: string }

async function takenUpAgain(
  engine: Engine<Forge>,
  repository: Repository,
  { pull, sha, why }: Regression,
  correlation_id: string,
): Promise<void> {
  const ref = await taskOf(engine, repository, pull)
  const attempt = ref === null ? undefined : lastAttempt((await load(engine, ref)).task, pull)
  if (ref === null || attempt === undefined) return
  const told = { actor: app, correlation_id }
  await record(engine, ref, { type: 'report_regression', attempt_id: attempt.id, why, sha }, told)
  await settle(engine, ref)
}
