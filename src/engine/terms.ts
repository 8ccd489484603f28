// By which policy and contract an attempt is judged: the policy at the tip of the base over the organisation's, and what
// the task's text asks for. The copies in the head govern nothing.
import { makeContract, type BlockInput } from '../core/contract/make-contract.ts'
import type { Governing } from '../core/contract/governing.ts'
import type { PolicyProblem } from '../core/contract/problem.ts'
import { taskBlocks } from '../core/contract/task-sources.ts'
import type { OpenAttempt } from '../core/decision/rules/inputs.ts'
import type { Reason } from '../core/decision/model.ts'
import { sameLogin, type Person } from '../core/people/people.ts'
import { atLeast } from '../core/people/permission.ts'
import type { Forge, IssueText, PullFacts } from '../ports.ts'

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
export function contractOf(task_id: string, own: IssueText, issues: readonly IssueText[], terms: Terms): Judged {
  const { policy, hash: policy_hash } = terms.governing
  const { blocks, problems } = taskBlocks(terms.pull, own, issues, ({ edited_by }) => writer(edited_by, terms))
  const unreadable = problems.map(unreadableContract)
  const reading = makeContract({ task_id, title: own.title, body: own.body, policy, policy_hash, blocks })
  if ('contract' in reading) {
    const remarks = reading.warnings.map(({ key, message }) => `${key}: ${message}`)
    return { contract: reading.contract, invalid: unreadable, remarks }
  }
  return {
    contract: plainContract(task_id, own.title, terms.governing),
    invalid: [...unreadable, ...reading.unreadable.map(unreadableContract)],
    remarks: [],
  }
}

/** What the policy alone asks. */
export function plainContract(
  task_id: string,
  title: string,
  { policy, hash: policy_hash }: Terms['governing'],
): OpenAttempt['contract'] {
  const reading = makeContract({ task_id, title, body: '', policy, policy_hash, blocks: [] })
  if (!('contract' in reading)) throw new Error('a contract without blocks and text cannot be unreadable')
  return reading.contract
}

const unreadableContract = ({ file, line, message }: PolicyProblem): Reason => ({
  code: 'contract_unreadable',
  subject: null,
  detail: `${file}:${line} ${message}`,
})

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
