// What the task asks of a run beyond the policy: its blocks only add and tighten here, whoever wrote them. A check is a
// command, and an issue may be anybody's, so one that an issue adds runs only where its last author may write to the
// repository; whoever wrote the pull request's own text wrote the code that runs anyway.
import type { Access } from '../src/adapters/github/access.ts'
import { personNow } from '../src/adapters/github/people/collaborators.ts'
import { orUnseen } from '../src/adapters/github/status.ts'
import type { VisualExpectation } from '../src/core/contract/task/expectations.ts'
import { makeContract, type BlockInput } from '../src/core/contract/task/make-contract.ts'
import type { Policy } from '../src/core/contract/policy/policy.ts'
import type { PolicyProblem } from '../src/core/contract/problem.ts'
import { taskBlocks, taskNumber } from '../src/core/contract/task/task-sources.ts'
import { atLeast } from '../src/core/people/permission.ts'
import { runWords } from '../src/core/words/run/run-words.ts'
import type { IssueText } from '../src/core/issue-boards.ts'
import type { Subject } from './event.ts'

export type Asked =
  | {
      readonly policy: Policy
      /** What is expected of screenshots beyond the policy. */
      readonly expectations: readonly VisualExpectation[]
      /** Worth a line on the summary page. */
      readonly notes: readonly string[]
      /** Worth an annotation too. */
      readonly warnings: readonly string[]
    }
  | { readonly problems: readonly PolicyProblem[] }

/** `closed` is null where the token may not see the issues that the pull request closes. */
export async function askedBy(
  access: Access,
  subject: Subject & { readonly pull: number },
  closed: readonly IssueText[] | null,
  policy: Policy,
): Promise<Asked> {
  const { pull, title, body } = subject
  const issues = closed ?? []
  const task = taskNumber(pull, issues)
  const own = issues.find(({ number }) => number === task) ?? { number: pull, title, body, edited_by: null }
  const { blocks, problems } = taskBlocks(pull, own, issues, () => ({ edited_by: 'builder' }))
  if (problems.length > 0) return { problems }
  const names: string[][] = [checkNames(policy)]
  let tightened = policy
  let expectations: readonly VisualExpectation[] = []
  for (const [index] of blocks.entries()) {
    const some = blocks.slice(0, index + 1)
    const reading = makeContract({ task_id: `#${task}`, title: own.title, body: own.body, policy, blocks: some })
    if (!('contract' in reading)) return { problems: reading.unreadable }
    ;({ policy: tightened, expectations } = reading.contract)
    names.push(checkNames(tightened))
  }
  const added = blocks.map((block, index) => {
    const known = new Set(names[index])
    return { block, checks: (names[index + 1] ?? []).filter((name) => !known.has(name)) }
  })
  const left = await unvouched(access, added, issues)
  const unrun = new Set(left.flatMap(({ checks }) => checks))
  const checks = tightened.verification.checks.filter(({ name }) => !unrun.has(name))
  return {
    policy: { ...tightened, verification: { ...tightened.verification, checks } },
    expectations,
    notes: closed === null ? [runWords.issuesUnseen] : [],
    warnings: left.map(({ block, checks }) => runWords.notVouchedFor(block.file ?? '', checks)),
  }
}

const checkNames = ({ verification }: Policy): string[] =>
  verification.checks.flatMap(({ name, command }) => (command === undefined ? [] : [name]))

type Added = { readonly block: BlockInput; readonly checks: readonly string[] }

/** Those whose author may not write here. Nobody is asked about where nothing is added. */
async function unvouched(access: Access, added: readonly Added[], issues: readonly IssueText[]): Promise<Added[]> {
  const asked = added.filter(({ block, checks }) => block.source !== 'pull_request' && checks.length > 0)
  const left = await Promise.all(
    asked.map(async (one) => {
      const author = issues.find(({ number }) => `#${number}` === one.block.file)?.edited_by ?? null
      const person =
        author === null ? null : await orUnseen(personNow(access, { id: null, login: author, kind: 'human' }, []))
      return person !== null && atLeast(person.permission, 'write') ? [] : [one]
    }),
  )
  return left.flat()
}
