// Which of the tasks that nobody works on waits for no other. What the App has on record of a goal counts; of other issues what
// GitHub and their blocks say, where what is closed is waited for no more.
import { builtInPolicy } from '../../core/contract/policy/policy.ts'
import { readContract } from '../../core/contract/task/read-contract.ts'
import { jsonIn } from '../../core/json.ts'
import { goalSchema, type GoalDocument } from '../../core/words/documents/goal-document.ts'
import { pullNamed } from '../attempts/pull-named.ts'
import type { IssueSeen, Issues } from './issues.ts'
import type { Call, Hands } from './row.ts'

const LOOKED_AT_MAX = 30
const NAMED_MAX = 10

export type Open = { readonly issue: IssueSeen; readonly goal: number | null }
type Blocked = { readonly task_id: string; readonly blocked_by: string[] }

export async function firstFree(
  { hands }: Call,
  issues: Issues,
  repository: string,
  tasks: readonly Open[],
): Promise<{ readonly next: Open | null; readonly blocked: Blocked[] }> {
  const boards = new Map<number, Promise<GoalDocument | null>>()
  const boardOf = (goal: number): Promise<GoalDocument | null> => {
    const board = boards.get(goal) ?? boardAt(hands, repository, goal)
    boards.set(goal, board)
    return board
  }
  const blocked: Blocked[] = []
  for (const one of tasks.slice(0, LOOKED_AT_MAX)) {
    const task_id = `${repository}#${one.issue.number}`
    const board = one.goal === null ? null : await boardOf(one.goal)
    const known = board?.tasks.find((task) => task.task_id.toLowerCase() === task_id.toLowerCase())
    const blocked_by = known === undefined ? await openBlockers(issues, repository, one.issue) : known.blocked_by
    if (blocked_by.length === 0) return { next: one, blocked: [] }
    blocked.push({ task_id, blocked_by: [...blocked_by] })
  }
  return { next: null, blocked }
}

export function waitingWords(blocked: readonly Blocked[]): string {
  const each = blocked.map(({ task_id, blocked_by }) => `${task_id} for ${blocked_by.join(' and ')}`)
  return `What nobody works on waits for other tasks: ${each.join('; ')}. Stop, and say so.`
}

async function boardAt(
  { document }: Pick<Hands, 'document'>,
  repository: string,
  number: number,
): Promise<GoalDocument | null> {
  const text = await document('goal', { repository, number })
  return text === null ? null : (goalSchema.safeParse(jsonIn(text)).data ?? null)
}

async function openBlockers(issues: Issues, repository: string, issue: IssueSeen): Promise<readonly string[]> {
  const { number, blockers } = issue
  const listed = blockers === 0 ? [] : await issues.blockedBy({ repository, number })
  const named = namedIn(repository, issue).filter((name) => !listed.includes(name))
  const here = named.filter((name) => name.toLowerCase().startsWith(`${repository.toLowerCase()}#`))
  const open = await Promise.all(here.slice(0, NAMED_MAX).map(async (name) => issues.read(pullNamed(name))))
  return [...listed, ...here.filter((_name, index) => open[index]?.open === true)]
}

function namedIn(repository: string, { number, title, body }: IssueSeen): readonly string[] {
  if (!body.includes('depends_on')) return []
  const own = { number, title, body, edited_by: 'other', may_run: false } as const
  const task_id = `${repository}#${number}`
  return readContract({ task_id, pull: 0, own, issues: [own], policy: builtInPolicy, policy_hash: '' }).contract
    .depends_on
}
