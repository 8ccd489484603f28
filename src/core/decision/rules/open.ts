// A commit is judged: as a new attempt, as one that was there before, or as the same one of which more is known by now.
import { isFromBefore } from '../../as-of.ts'
import { equal } from '../../canonical.ts'
import { isLimited, keepUnheard, lastAttempt, supersede, toReview, voidActs } from './attempt.ts'
import { emit, type Draft } from './draft.ts'
import type { EventData } from '../record/events.ts'
import { untold } from '../half-told.ts'
import type { OpenAttempt } from './inputs.ts'
import type { ReasonCode } from '../decision.ts'
import type { Attempt } from '../model.ts'
import { checkSlot } from '../shown/slots.ts'
import { isAbout, isSameBase, isSamePlace } from '../subject.ts'
import { repositoryIn } from '../../names.ts'

/**
 * One commit under one policy and for one base is one attempt, whatever happens around it: closing, editing its words
 * and opening it again changes nothing of what it is judged by. What could not be read yet, or was told by halves, is no
 * such thing: it is judged by the whole as soon as that is known.
 */
export function open(draft: Draft, input: OpenAttempt): void {
  const { repository, pull, head_sha, tree_sha, base_ref, merges_into, policy_source } = input
  const subject = { repository, pull, head_sha, tree_sha, base_ref, policy_hash: input.contract.policy_hash }
  const same = draft.task.attempts.filter((attempt) => attempt.pull === pull && attempt.head_sha === head_sha)
  const isThis = (attempt: Attempt): boolean =>
    isAbout('attempt', attempt, subject) &&
    !isTightened(attempt, input) &&
    attempt.merges_into === merges_into &&
    (attempt.contract.contract_hash === input.contract.contract_hash || (input.renewed !== true && isRead(attempt)))
  // Where somebody had it judged by a newer task, that one stays.
  const known = same.findLast(isThis)
  const open = known?.live === true ? known : null
  if (open !== null && untold(input) >= untold(open)) return
  const contract = known?.contract ?? input.contract
  const last = lastAttempt(draft.task, pull)
  putAside(draft, input, known?.id)
  if (input.group === null && open === null) toReview(draft, input.builders[0] ?? null, input.title)
  const name = repositoryIn(draft.task.task_id)
  const id = known?.id ?? `${name}#${pull}@${head_sha}${same.length === 0 ? '' : `~${same.length + 1}`}`
  const at = { attempt_id: id, head_sha }
  const { policy_hash, contract_hash } = contract
  const problems = policy_source.problems
  emit(draft, {
    type: 'PolicyRead',
    ...at,
    data: { policy_hash, source_sha: policy_source.sha, valid: problems.length === 0, problems },
  })
  const { invalid, remarks, builder_known, model_available, census, check_name, protection, head_at } = input
  const { group, builders, guest, sources, merges_base, head_branch } = input
  emit(draft, {
    type: 'AttemptStarted',
    ...at,
    data: {
      attempt_number: known?.ordinal ?? draft.task.attempts.length + 1,
      contract_hash,
      policy_hash,
      repository,
      base_ref,
      merges_into,
      ...bringing(input, same),
      merges_base,
      head_branch,
      ...leftAt(known, same),
      results_since: open === null ? resultsSince(input, same) : open.results_since,
      guest,
      sources: equal(sources, draft.task.sources) ? null : sources,
      check_name,
      protection,
      ...(input.starter === undefined ? {} : { starter: input.starter }),
      head_at: open?.head_at ?? head_at,
      ...(input.pushed_at === undefined ? {} : { pushed_at: input.pushed_at }),
      group,
      builder_set: builders,
      pull,
      tree_sha,
      contract,
      invalid,
      remarks,
      policy_unreadable: invalid.some(({ code }) => untrusted.includes(code)),
      builder_known,
      limited: group === null && isLimited(contract.policy, builders),
      model_available,
      census,
    },
  })
  keepUnheard(draft, last, at)
  // In one batch with the attempt: whoever settles next must not show it in a second place.
  const { announced: ref } = input
  if (ref !== null) {
    emit(draft, {
      type: 'SlotShown',
      ...at,
      data: { slot: checkSlot(head_sha, check_name), digest: `announced ${ref}`, ref },
    })
  }
  const from = known?.state ?? 'none'
  if (from === 'none' || from === 'SUPERSEDED') {
    emit(draft, { type: 'TaskExecutionStateChanged', ...at, data: { from, to: 'RUNNING' } })
  }
  const begun = draft.task.attempts.find((attempt) => attempt.id === id)
  if (input.aside !== undefined && begun !== undefined) supersede(draft, begun, input.aside, null)
}

/** Also where this came while the pull request was a draft or closed. */
function putAside(draft: Draft, input: OpenAttempt, but: string | undefined): void {
  const { pull, head_sha } = input
  for (const attempt of draft.task.attempts.filter((other) => other.pull === pull && other.id !== but)) {
    const isSamePolicy = attempt.policy_hash === input.contract.policy_hash && !isTightened(attempt, input)
    const terms = isSamePolicy ? 'task' : 'policy'
    const moved = isSameBase(attempt, input) ? terms : 'retarget'
    const why = attempt.head_sha === head_sha ? moved : 'push'
    if (attempt.live) supersede(draft, attempt, why, head_sha)
    voidActs(draft, attempt, why)
  }
}

/** This commit had another base just now, or had never this one: what was found out before was about another base. */
function resultsSince(input: OpenAttempt, same: readonly Attempt[]): string | null {
  const { merges_into, head_at, found, moved_at } = input
  const atBase = same.find((attempt) => isSameBase(attempt, input))
  const here = same.find(({ live }) => live) ?? atBase
  const moved = same.length > 0 && (here === undefined || !isSameBase(here, input))
  // Whoever came across it knows not since when. Of a base that it merges into GitHub tells that with each result.
  const isDated = found !== true || here?.merges_into === merges_into
  return moved && isDated ? head_at : (atBase?.results_since ?? moved_at ?? null)
}

/** Kept where another branch may come to be the one that it merges into, or has. */
function bringing({ brings, base_ref, merges_into }: OpenAttempt, same: readonly Attempt[]): Pick<Attempt, 'brings'> {
  const isAsked = merges_into !== base_ref || same.length > 0
  return isAsked && brings !== undefined ? { brings } : {}
}

/** A mode is that of the branch, and where another base has it from the default branch, the policy of that base stays as it was. */
const isTightened = ({ contract }: Attempt, input: OpenAttempt): boolean =>
  contract.policy.mode !== 'enforce' && input.contract.policy.mode === 'enforce'

/** By what is judged is kept where it could be read. */
const isRead = ({ invalid }: Attempt): boolean => invalid.length === 0

/** When the commit left this attempt for another base, where it did since the attempt had last begun. */
function leftAt(
  known: Attempt | undefined,
  same: readonly Attempt[],
): Pick<EventData['AttemptStarted'], 'results_until'> {
  if (known === undefined || known.live) return {}
  const isElsewhere = (other: Attempt): boolean =>
    !isSamePlace(other, known) && !isFromBefore(other.head_at, known.head_at)
  const left = same.filter(isElsewhere).map(({ head_at }) => head_at)
  const [first] = left.toSorted()
  return first === undefined ? {} : { results_until: first }
}

/** Where these stand, no policy says who may act, so only an administrator may. */
const untrusted: readonly ReasonCode[] = ['policy_invalid', 'policy_proposed', 'proposal_invalid']
