// What an attempt begins with: by whom the change was made, by which policy and contract it is judged, and under which
// name it is shown. Everything follows from what was read in one go; nothing from the news that led here.
import { isFromBefore } from '../../core/as-of.ts'
import { besideNow } from '../between/beside.ts'
import { rosterUnder } from '../../core/people/roster.ts'
import { digest } from '../../core/canonical.ts'
import { sayPlace, type Governing } from '../../core/contract/policy/governing.ts'
import { taskNumber } from '../../core/contract/task/task-sources.ts'
import { issuesUnseen } from '../../core/decision/half-told.ts'
import type { Input, OpenAttempt } from '../../core/decision/rules/inputs.ts'
import type { TaskState } from '../../core/decision/model.ts'
import type { Dependency } from '../../core/decision/task-parts.ts'
import type { Reason } from '../../core/decision/decision.ts'
import { isTakenUp, movedTo } from '../../core/decision/gate/taken-up.ts'
import { checkNameOf } from '../../core/decision/subject.ts'
import { buildersOf, type Making } from '../../core/people/builders.ts'
import { headNow } from '../../core/people/in-front.ts'
import type { Account } from '../../core/people/people.ts'
import { atLeast } from '../../core/people/permission.ts'
import { modeLater, noPolicyText, switchedOffText } from '../../core/words/not-judged.ts'
import type { CheckRunText } from '../../core/words/report.ts'
import type { IssueText } from '../../core/issue-boards.ts'
import type { Brief, Forge, PullFacts } from '../../ports.ts'
import type { News, Repository } from '../../core/news.ts'
import { movesTold, type Move } from '../heard/moves.ts'
import { waitsFor } from '../between/dependencies.ts'
import { load, type Engine, type TaskRef } from '../engine.ts'
import { isOnItsWay, ownRef, refOf, type Leaving } from './own-task.ts'
import { peopleAround } from './people.ts'
import { isWithout, proposed, proposedBy } from './proposal.ts'
import { contractOf, governedBy, textsNow } from './terms.ts'
import { numberIn, repositoryIn } from '../../core/names.ts'

export type Changed = Extract<News, { kind: 'pull_changed' }>

export type Opening =
  | {
      readonly kind: 'open'
      readonly ref: TaskRef
      readonly input: OpenAttempt
      readonly leaving: Leaving | null
      /** What has to be verified before it; null where that is on record, or cannot be. */
      readonly waits: readonly Dependency[] | null
      /** What it closes beside its task. */
      readonly beside: Input
    }
  | {
      readonly kind: 'not judged'
      /** What becomes of a run that was announced all the same. */
      readonly shown: CheckRunText
      /** What has to stand on the commit, if anything has. */
      readonly stand: (forge: Forge) => Promise<void>
    }

export async function opening(
  engine: Engine<Forge>,
  forge: Forge,
  repository: Repository,
  known: TaskRef | null,
  { facts, terms }: Brief,
  news: Changed,
): Promise<Opening> {
  const name = checkNameOf(facts)
  const [{ policy: texts, issues, issues_complete }, roster, protection, required] = await Promise.all([
    terms(),
    forge.census(),
    forge.protects(facts.base_ref, name),
    forge.requires(facts.base_ref, name).catch(() => null),
  ])
  const without = isWithout(texts)
  const proposal = without ? await proposedBy(forge, facts) : null
  const governedKey = `${repository.key}:${facts.base_ref}`
  const read = await governedBy(engine, repository, proposal ?? texts)
  const governed = proposal === null ? await effective(engine, repository, forge, read, facts) : read
  if (without || governed.policy.mode === 'off') engine.governed.delete(governedKey)
  else engine.governed.add(governedKey)
  if (governed.policy.mode === 'off') {
    const stand = async (on: Forge): Promise<void> => standSwitchedOff(on, facts.head_sha, name, required)
    return { kind: 'not judged', shown: switchedOffText, stand }
  }
  if (without && proposal === null && required === false)
    return { kind: 'not judged', shown: noPolicyText, stand: nothing }

  const starter = without && proposal === null ? await forge.starter?.(facts.base_ref) : undefined
  const task = known === null ? null : (await load(engine, known)).task
  const isUntold = isMet(news, facts, task)
  const heard = isUntold ? null : movesTold(engine.moves, repository, facts)
  const { pushed_at, ...making } = await makingOf(forge, facts, news, { task, heard })
  const met = isUntold ? await metAt(engine, forge, news, facts, pushed_at) : null
  const accounts = accountsAround(making, governed, issues)
  const personOf = await peopleAround(forge, roster, accounts)
  const { builders, known: builder_known } = buildersOf(making, governed.policy.identities, personOf)
  const from = ownRef(repository, news.pull)
  const { task: own } = await load(engine, from)
  const guest = isGuest(facts, personOf(facts.author).permission) && !isTakenUp(own, { pull: news.pull })
  const moves = known?.stream === from.stream && (await isOnItsWay(engine, from, news.pull))
  // What it stopped closing meanwhile it does not get rid of.
  const closed = [...issues, ...own.sources.filter(({ number }) => number !== news.pull)]
  const first = guest ? news.pull : taskNumber(news.pull, moves ? closed : issues)
  const number = known === null || moves ? first : numberIn(known.stream)
  const ref = refOf(repository, `${repository.key}#${number}`)
  // Others may have begun this task: what counts of its texts, and who made it, is on record there.
  const { task: recorded } = await load(engine, ref)
  const leaving = moves || (movedTo(own) !== null && !recorded.joined.includes(from.stream)) ? { from, own } : null
  const brought = leaving === null ? [] : own.sources.filter((one) => !isOneOf(recorded.sources, one, news.pull))
  const before = [...recorded.sources, ...brought]
  const texted = await textsNow(forge, facts, issues, { pull: news.pull, task: number, before })
  const judged = await contractOf(engine, repository, ref.task_id, texted, facts, {
    pull: news.pull,
    task: number,
    governing: governed,
    makers: [...builders, ...recorded.builders, ...(leaving?.own.builders ?? [])],
    personOf,
    before,
    redact: engine.redact,
  })
  const noPolicy: Reason[] = !without ? [] : proposal === null ? [unruled] : [proposed(facts.base_ref)]
  const input: OpenAttempt = {
    type: 'open_attempt',
    repository: repository.key,
    pull: news.pull,
    title: facts.title,
    head_sha: facts.head_sha,
    tree_sha: facts.tree_sha,
    base_ref: facts.base_ref,
    merges_into: facts.merges_into,
    ...(facts.commits_complete ? { brings: digest(facts.commits.map(({ sha }) => sha).toSorted()) } : {}),
    merges_base: making.merges_base,
    check_name: name,
    head_branch: facts.head_branch,
    guest,
    sources: judged.sources,
    protection,
    ...(starter === undefined ? {} : { starter }),
    ...(met ?? { head_at: news.at }),
    ...(news.found !== undefined ? { found: true } : {}),
    group: null,
    contract: judged.contract,
    policy_source: { sha: texts.sha, problems: governed.problems.map(sayPlace) },
    invalid: [...governed.invalid, ...judged.invalid, ...noPolicy, ...(issues_complete ? [] : [issuesUnseen])],
    remarks: [...(governed.later === undefined ? [] : [modeLater(governed.later)]), ...judged.remarks],
    builders,
    builder_known,
    model_available: engine.verifier.available,
    census: rosterUnder(governed.policy.identities, roster).census,
    announced: null,
  }
  const place = { key: repository.key, full_name: repositoryIn(ref.task_id) }
  const waits = await waitsFor(engine, forge, place, { number, pull: news.pull, recorded, ...judged.contract })
  const closes = { pull: news.pull, issues: issues.map((one) => one.number) }
  return { kind: 'open', ref, input, leaving, waits, beside: await besideNow(engine, repository, ref, closes) }
}

/** What its task asks already, and the pull request's own text, which states no task that others share. */
const isOneOf = (sources: TaskState['sources'], { number }: TaskState['sources'][number], pull: number): boolean =>
  number === pull || sources.some((source) => source.number === number)

const unruled: Reason = { code: 'no_policy', subject: null, detail: null }

const nothing = async (): Promise<void> => undefined

/**
 * `neutral` counts as a pass, so only the default branch can say that nothing is enforced: a base that somebody made for
 * the purpose is judged as if it said `enforce`, unless the default branch does not enforce either.
 */
export async function effective(
  engine: Pick<Engine, 'aside'>,
  repository: Pick<Repository, 'key'>,
  forge: Pick<Forge, 'policy'>,
  governed: Governing,
  { base_is_default }: Pick<PullFacts, 'base_is_default'>,
): Promise<Governing> {
  if (base_is_default || governed.policy.mode === 'enforce') return governed
  const { mode } = (await governedBy(engine, repository, await forge.policy(null))).policy
  return mode === 'enforce' ? { ...governed, policy: { ...governed.policy, mode } } : governed
}

/** Switched off, a commit shows something only where a rule waits for it, and then once. */
export async function standSwitchedOff(
  forge: Forge,
  sha: string,
  name: string,
  required: boolean | null,
): Promise<void> {
  if (required === false || (await forge.stands(sha, name)) === switchedOffText.conclusion) return
  await forge.show({ kind: 'check_run', sha, name, ...switchedOffText }, null)
}

/** Nobody has told us yet that it is there: it is older than the moment when we came across it, and newer than what was told. */
const isMet = ({ by, push, pull, head_sha, base_ref }: Changed, facts: PullFacts, task: TaskState | null): boolean =>
  facts.head_sha !== head_sha ||
  facts.base_ref !== base_ref ||
  (by === null && push === null && (task === null || headNow(task, pull) !== head_sha))

/** Since when it is there, for this base. Where nobody knows, nothing that was said before now is about another commit than was told. */
async function metAt(
  { clock }: Pick<Engine, 'clock'>,
  forge: Forge,
  { pull, at, head_sha }: Changed,
  facts: PullFacts,
  pushed_at: string | null,
): Promise<Pick<OpenAttempt, 'head_at' | 'moved_at' | 'pushed_at'>> {
  const moved_at = await forge.movedAt(pull)
  const pushed = pushed_at ?? (facts.head_sha === head_sha ? at : clock.now())
  const isMoved = moved_at !== null && isFromBefore(pushed, moved_at)
  return { head_at: isMoved ? moved_at : pushed, moved_at, pushed_at: pushed_at ?? '' }
}

type Known = { readonly task: TaskState | null; readonly heard: readonly Move[] | null }

/** A push that we heard of tells who made it; of any other the branch's own record is asked. */
async function makingOf(
  forge: Forge,
  facts: PullFacts,
  news: Changed,
  { task, heard }: Known,
): Promise<Making & { readonly merges_base: boolean; readonly pushed_at: string | null }> {
  const { author, commits, commits_complete } = facts
  const { push } = news
  const follows = task?.attempts.some(({ pull, head_sha }) => pull === news.pull && head_sha === push?.before) ?? false
  const told = push === null ? [] : [{ sha: news.head_sha, before: push.before, by: push.by }]
  const known = follows && news.head_sha === facts.head_sha ? told : heard
  const record = known === null ? await forge.pushers(facts) : null
  // Whoever pushed nothing but a merge of the base had no hand in the change.
  const merged = new Map(commits.map(({ sha, merges_base }) => [sha, merges_base]))
  const isMerge = ({ sha, before }: Move): boolean => before !== null && merged.get(sha) === before
  const whole = known ?? record
  const pushes = [...(whole ?? []), ...told]
  const pushers = pushes.filter((one) => !isMerge(one)).map(({ by }) => by)
  const last = pushes.filter(({ sha }) => sha === facts.head_sha)
  const merges_base = last.length > 0 && last.every(isMerge)
  // The newest is first.
  const pushed_at = record?.find(({ sha }) => sha === facts.head_sha)?.at ?? null
  return { author, pushers, commits, commits_complete: commits_complete && whole !== null, merges_base, pushed_at }
}

function accountsAround(
  making: Making,
  { policy }: Governing,
  issues: readonly Pick<IssueText, 'edited_by' | 'edited_by_id' | 'linked_by'>[],
): Account[] {
  const met: Account[] = []
  buildersOf(making, policy.identities, (account) => {
    met.push(account)
    return { ...account, kind: 'human', permission: 'none', teams: [] }
  })
  const editors = issues.flatMap(({ edited_by: login, edited_by_id: id }) => (login === null ? [] : [{ id, login }]))
  const linkers = issues.flatMap(({ linked_by: by }) => (by === null || by === 'text' ? [] : [by]))
  return [...met, ...editors, ...linkers]
}

/** Somebody who may not write here, and did not put the commits into this repository either. */
const isGuest = ({ author, head_branch }: PullFacts, permission: Parameters<typeof atLeast>[0]): boolean =>
  !atLeast(permission, 'write') && (author.kind === 'human' || head_branch === null)
