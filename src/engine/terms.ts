// By which policy and contract an attempt is judged: the policy at the tip of the base over the organisation's, and what
// the task's text asks for. The copies in the head govern nothing.
import type { BlockInput } from '../core/contract/make-contract.ts'
import { unreadPolicy, type Governing } from '../core/contract/governing.ts'
import { unreadContract } from '../core/contract/read-contract.ts'
import type { OpenAttempt } from '../core/decision/rules/inputs.ts'
import { sameLogin, type Person } from '../core/people/people.ts'
import { atLeast } from '../core/people/permission.ts'
import type { Forge, IssueText, PolicyTexts, PullFacts, Repository } from '../ports.ts'
import type { Engine } from './engine.ts'

type Judged = Pick<OpenAttempt, 'contract' | 'invalid' | 'remarks'>

/**
 * The text of the task: the issue that it is, or the pull request itself. The issue stays the task although the pull
 * request may no longer say that it closes it.
 */
export async function ownText(
  forge: Forge,
  { title, body, author }: PullFacts,
  issues: readonly IssueText[],
  { pull, number }: { readonly pull: number; readonly number: number },
): Promise<IssueText> {
  if (number === pull) return { number, title, body, edited_by: author.login }
  return issues.find((issue) => issue.number === number) ?? forge.issue(number)
}

type Terms = {
  readonly pull: number
  readonly governing: Pick<Governing, 'policy' | 'hash'>
  readonly makers: readonly string[]
  readonly people: ReadonlyMap<string, Person>
}

/** What the task asks; other issues that the pull request closes only tighten. */
export async function contractOf(
  { aside }: Pick<Engine, 'aside'>,
  repository: Pick<Repository, 'key'>,
  task_id: string,
  own: IssueText,
  issues: readonly IssueText[],
  terms: Terms,
): Promise<Judged> {
  const { policy, hash: policy_hash } = terms.governing
  const written = ({ number, title, body, edited_by }: IssueText) => ({
    number,
    title,
    body,
    ...writer(edited_by, terms),
  })
  const texts = { task_id, pull: terms.pull, own: written(own), issues: issues.map(written), policy, policy_hash }
  return (await aside.contract(texts, repository.key)) ?? unreadContract(texts)
}

/** What the policy alone asks. */
export async function plainContract(
  { aside }: Pick<Engine, 'aside'>,
  repository: Pick<Repository, 'key'>,
  task_id: string,
  title: string,
  { policy, hash: policy_hash }: Terms['governing'],
): Promise<Judged> {
  const own = { number: 0, title, body: '', edited_by: 'other' } as const
  const texts = { task_id, pull: 0, own, issues: [], policy, policy_hash }
  return (await aside.contract(texts, repository.key)) ?? unreadContract(texts)
}

/** The policy that governs, by its texts. */
export const governedBy = async (
  { aside }: Pick<Engine, 'aside'>,
  repository: Pick<Repository, 'key'>,
  texts: PolicyTexts,
): Promise<Governing> => (await aside.policy(texts, repository.key)) ?? unreadPolicy(texts)

/** Who wrote a text last, and whether commands in it may run. */
function writer(
  login: string | null,
  { governing: { policy }, makers, people }: Terms,
): Pick<BlockInput, 'edited_by' | 'may_run'> {
  const person = login === null ? undefined : people.get(login.toLowerCase())
  const may_run = person !== undefined && atLeast(person.permission, 'write')
  if (login === null || makers.some((maker) => sameLogin(maker, login))) return { edited_by: 'builder', may_run }
  const trusted = person?.kind === 'human' && atLeast(person.permission, policy.override_policy.min_permission)
  return { edited_by: trusted ? 'trusted' : 'other', may_run }
}
