// One result is of one base. What was reported about a commit while its pull request had another base is that base's, also
// where it came so shortly before the change that times, which GitHub gives in seconds, do not tell.
import type { Input } from '../rules/inputs.ts'
import type { Attempt, TaskState } from '../model.ts'

type Report = Extract<Input, { attempt_id: string }>

/** The report itself, or that it does not count. */
export function ofThisBase(task: TaskState, attempt: Attempt, input: Report): Report {
  const isResult = input.type === 'report_check' || input.type === 'start_check' || input.type === 'report_tier1'
  if (!isResult || attempt.results_since === null) return input
  const number = numberOf(input.run)
  const elsewhere = task.attempts.find(
    (other) => isOfOtherBase(other, attempt) && number !== null && numbersIn(other).has(number),
  )
  if (elsewhere === undefined) return input
  const why = `it was reported when the base was \`${elsewhere.merges_into}\`: push, or close and reopen the pull request`
  return { type: 'refuse_result', attempt_id: attempt.id, source: `run ${input.run}`, why, policy_hash: null }
}

const isOfOtherBase = (other: Attempt, { pull, head_sha, base_ref, merges_into }: Attempt): boolean =>
  other.pull === pull &&
  other.head_sha === head_sha &&
  (other.base_ref !== base_ref || other.merges_into !== merges_into)

const numbersIn = ({ checks, tier1 }: Attempt): ReadonlySet<string | null> =>
  new Set([...Object.values(checks).map(({ id }) => numberOf(id)), ...(tier1 === null ? [] : [numberOf(tier1.id)])])

/** GitHub's number of a run, a check run or a status: `12`, `12.1` or `12/2026-01-01T00:00:00Z`. */
const numberOf = (run: string): string | null => /^(\d+)(?=$|[./])/.exec(run)?.[1] ?? null
