// By which policy and contract an attempt is judged: the policy at the tip of the base over the organisation's, and what
// the task's texts ask for. The copies in the head govern nothing, and what a builder edits later changes nothing.
import type { BlockInput } from '../../core/contract/task/make-contract.ts'
import { unreadPolicy, type Governing, type PolicySources } from '../../core/contract/policy/governing.ts'
import { unreadContract, type ContractTexts, type ReadContract } from '../../core/contract/task/read-contract.ts'
import { taskNumber } from '../../core/contract/task/task-sources.ts'
import type { OpenAttempt } from '../../core/decision/rules/inputs.ts'
import type { TaskSource } from '../../core/decision/model.ts'
import { mayBeSame, type Account } from '../../core/people/people.ts'
import { atLeast } from '../../core/people/permission.ts'
import type { IssueText } from '../../core/issue-boards.ts'
import type { Forge, PullFacts } from '../../ports.ts'
import type { Repository } from '../../core/news.ts'
import type { Engine } from '../engine.ts'
import type { Redact } from '../redaction.ts'
import type { PersonOf } from './people.ts'

type Judged = Pick<OpenAttempt, 'contract' | 'invalid' | 'remarks' | 'sources'>

export type Terms = {
  readonly pull: number
  /** The task that the pull request is an attempt at; a guest's is the pull request, whatever it closes. */
  readonly task: number
  readonly governing: Pick<Governing, 'policy' | 'hash'>
  readonly makers: readonly Account[]
  readonly personOf: PersonOf
  /** The texts as they counted for the attempt before, without secrets; empty for the first. */
  readonly before: readonly TaskSource[]
  readonly redact: Redact
}

/** What states the task now: the pull request's own text, and the issues that it closes, with what is on record of them. */
export async function textsNow(
  forge: Forge,
  facts: PullFacts,
  issues: readonly IssueText[],
  { pull, task, before }: Pick<Terms, 'pull' | 'task' | 'before'>,
): Promise<readonly IssueText[]> {
  const closed = issues.filter(({ number }) => number !== pull)
  // The issue stays the task although the pull request may no longer say that it closes it.
  const known = [task, ...before.map(({ number }) => number)].filter((number) => number !== pull)
  const missing = [...new Set(known)].filter((number) => !closed.some((issue) => issue.number === number))
  const texts = [...closed, ...(await Promise.all(missing.map((number) => issueOr(forge, number, before))))]
  const isOwnTask = taskNumber(pull, texts) === pull || before.some(({ number }) => number === pull)
  return isOwnTask ? [ownText(pull, facts), ...texts] : texts
}

/** What is on record of an issue that is gone still counts, and loosens nothing. */
async function issueOr(forge: Forge, number: number, before: readonly TaskSource[]): Promise<IssueText> {
  const found = await forge.issue(number)
  if (found !== null) return found
  const known = before.find((source) => source.number === number)
  if (known === undefined) throw new Error(`The issue #${number} that states the task is gone`)
  const { title, body } = known
  return { number, title, body, edited_by: null, edited_by_id: null, linked_by: null, open: false }
}

function ownText(number: number, { title, body, author, editor }: PullFacts): IssueText {
  const by = editor ?? author
  return { number, title, body, edited_by: by.login, edited_by_id: by.id, linked_by: 'text', open: true }
}

/** What the task asks; other issues that the pull request closes only tighten. */
export async function contractOf(
  { aside }: Pick<Engine, 'aside'>,
  repository: Pick<Repository, 'key'>,
  task_id: string,
  texts: readonly IssueText[],
  facts: PullFacts,
  terms: Terms,
): Promise<Judged> {
  const { policy, hash: policy_hash } = terms.governing
  const counted = texts.map((text) => countedText(text, facts, terms))
  const sources = counted.map(({ source }) => source)
  const noted = counted.flatMap(({ note }) => note ?? [])
  const isOwn = sources.some(({ number }) => number === terms.task)
  const closed = sources.filter(({ number }) => number !== terms.pull)
  const number = isOwn ? terms.task : taskNumber(terms.pull, closed)
  const own = sources.find((one) => one.number === number) ?? sources[0]
  if (own === undefined) throw new Error(`Nothing states the task ${task_id}`)
  const written: ContractTexts = { task_id, pull: terms.pull, own, issues: sources, policy, policy_hash }
  const read = (await aside.contract(written, repository.key)) ?? unreadContract(written)
  return { ...read, remarks: [...noted, ...read.remarks], sources }
}

type Counted = { readonly source: TaskSource; readonly note: string | null }

/**
 * A text as it counts. Edits count from the next attempt on, and only when somebody made them who made no part of the
 * change; the title has no editor that GitHub tells, so it stays what it was.
 */
function countedText(text: IssueText, facts: PullFacts, terms: Terms): Counted {
  const { number, title, body } = text
  const before = terms.before.find((source) => source.number === number)
  const writer = writerOf(text, facts, terms)
  if (before === undefined || terms.redact(body) === before.body) {
    const note =
      before === undefined || before.title === terms.redact(title) ? null : `#${number}: its new title does not count`
    return { source: { number, title: before?.title ?? title, body, ...writer }, note }
  }
  if (writer.edited_by !== 'builder') return { source: { number, title: before.title, body, ...writer }, note: null }
  const who = text.edited_by ?? 'somebody whom GitHub does not tell'
  const note = `#${number}: the edit by ${who}, who may have made a part of this change, does not count`
  return { source: { ...before, edited_by: before.edited_by === 'trusted' ? 'other' : before.edited_by }, note }
}

/** Who wrote a text last: whether its words may loosen what the policy asks, and whether commands in it may run. */
function writerOf(
  { number, edited_by: login, edited_by_id: id, linked_by, open }: IssueText,
  facts: PullFacts,
  { governing: { policy }, makers, personOf, pull }: Terms,
): { edited_by: NonNullable<BlockInput['edited_by']>; may_run: boolean } {
  const person = login === null ? null : personOf({ id, login })
  const may_run = person !== null && atLeast(person.permission, 'write')
  if (login === null || makers.some((maker) => mayBeSame(maker, { id, login })))
    return { edited_by: 'builder', may_run }
  const { min_permission } = policy.override_policy
  const isEntitled = (account: Account): boolean => {
    const { kind, permission } = personOf(account)
    return kind === 'human' && atLeast(permission, min_permission)
  }
  // Its words loosen only while somebody entitled stands behind both the words and the link to them.
  const linker = linked_by === 'text' ? (facts.editor ?? facts.author) : linked_by
  const linked = number === pull || (linker !== null && isEntitled(linker))
  const trusted = open && linked && isEntitled({ id, login })
  return { edited_by: trusted ? 'trusted' : 'other', may_run }
}

/** What the policy alone asks. */
export async function plainContract(
  { aside }: Pick<Engine, 'aside'>,
  repository: Pick<Repository, 'key'>,
  task_id: string,
  title: string,
  { policy, hash: policy_hash }: Terms['governing'],
): Promise<ReadContract> {
  const own = { number: 0, title, body: '', edited_by: 'other' } as const
  const texts = { task_id, pull: 0, own, issues: [], policy, policy_hash }
  return (await aside.contract(texts, repository.key)) ?? unreadContract(texts)
}

/** The policy that governs, by its texts. */
export const governedBy = async (
  { aside }: Pick<Engine, 'aside'>,
  repository: Pick<Repository, 'key'>,
  texts: PolicySources,
): Promise<Governing> => (await aside.policy(texts, repository.key)) ?? unreadPolicy(texts)
