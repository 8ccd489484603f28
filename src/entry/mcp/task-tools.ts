// The tools that make tasks, move them on and confirm them. Each move is a command, a review or an assignment of whoever
// calls, and there is no side door: what nobody could write on the page no tool does.
import { stringify } from 'yaml'
import { z } from 'zod'
import { digest } from '../../core/canonical.ts'
import { findTaskBlock } from '../../core/contract/task/task-text.ts'
import { fenced } from '../../core/words/text/untrusted.ts'
import { pullNamed } from '../attempts/pull-named.ts'
import { act, agent_name, asThemselves, atTheHead, issue_id, oneLine, project, task_id, told, words } from './acting.ts'
import { description, linked, nameOf } from './goal-tools.ts'
import { nextSchema, nextTask } from './next-task.ts'
import { Refused } from './refused.ts'
import { row, type Tool } from './row.ts'
import { saidSchema, type Speaking } from './speaking.ts'

const line = z.string().trim().min(1).max(500)
const lines = z.array(line).max(50).default([])
const findings = z.array(z.string()).describe('What differs from what was said, or was not done.')

export const taskTools: readonly Tool[] = [
  row({
    name: 'create_task',
    description:
      'Opens an issue that states a task: what is asked, how it is judged, and whose it is. Given a goal it is linked there, which only a lead can.',
    input: z.object({
      creator: agent_name,
      title: z.string().trim().min(1).max(256),
      assign_to: z.string().max(100).optional().describe('A login. GitHub assigns only for those who may triage.'),
      assigned_to: z.string().max(100).optional().describe('The same as assign_to.'),
      project,
      description,
      acceptance_criteria: lines.describe('Each is a question that a reviewer answers with yes or no.'),
      expected_outputs: lines.describe('Paths of files that have to be there.'),
      goal_id: issue_id.optional(),
    }),
    output: saidSchema.extend({ task_id: z.string(), findings }),
    reads: false,
    run: async (input, call) => {
      const { speaking } = await asThemselves(call, input.creator)
      const named = (input.assign_to ?? input.assigned_to)?.replace(/^@/, '')
      const body = statement(input)
      const wish = { title: input.title, body, labels: [] }
      const once = digest(['task', input.title, body, input.goal_id ?? null])
      const { issue, made_before: said_before } = await speaking.issues.make(input.project, wish, once)
      const task = { repository: input.project, number: issue.number }
      const isMissing = named !== undefined && !(await speaking.issues.assign(task, named))
      const link = input.goal_id === undefined ? null : await linked(speaking, pullNamed(input.goal_id), task)
      return told({
        outcome: 'taken',
        said_before,
        url: issue.url,
        words: `${nameOf(task)} is open. A pull request that closes it is an attempt at it.`,
        task_id: nameOf(task),
        findings: [
          ...(isMissing ? [`GitHub did not assign ${oneLine(named)}.`] : []),
          ...(link === null || link.outcome === 'taken' ? [] : [`It is in no goal: ${link.words}`]),
        ],
      })
    },
  }),
  row({
    name: 'next_task',
    description:
      'What you should do next: your own attempt that waits for a repair, else an open task of the goal or repository that nobody works on. It reserves nothing: call update_task with in_progress to take it.',
    input: z.object({ agent_name, project: project.optional(), goal_id: issue_id.optional() }),
    output: nextSchema,
    reads: true,
    run: async (input, call) => nextTask(call, input),
  }),
  row({
    name: 'update_task',
    description:
      'Moves a task on. in_progress: at an issue you take it up, at a pull request you begin what was assigned to you. review: your work is done. Approving and confirming have tools of their own.',
    input: z.object({
      agent_name,
      task_id: task_id.describe('The issue, or the pull request that works on it.'),
      status: z.enum(['pending', 'assigned', 'in_progress', 'review', 'completed', 'verified']),
    }),
    output: saidSchema,
    reads: false,
    run: async (input, call) => {
      if (input.status === 'review') return act(call, input, '/task submit')
      if (input.status !== 'in_progress') throw new Refused(otherDoors[input.status])
      const { speaking, login } = await asThemselves(call, input.agent_name)
      const named = pullNamed(input.task_id)
      const issue = await speaking.issues.read(named)
      if (issue === null) return act(call, input, '/task start')
      if (issue.is_goal || !issue.open) throw new Refused(`${nameOf(named)} is no open task.`)
      const said_before = issue.assignees.includes(login)
      if (!(await speaking.issues.claim(named, login)))
        throw new Refused(
          `${issue.assignees.join(', ') || 'Somebody else'} has ${nameOf(named)} already. Ask for next_task.`,
        )
      return told({ outcome: 'taken', said_before, url: issue.url, words: `${nameOf(named)} is yours.` })
    },
  }),
  row({
    name: 'submit_for_review',
    description:
      'Says that the work on the task is done. Only who built it can. The files you name are compared with those that changed.',
    input: z.object({
      agent_name,
      task_id,
      summary: words,
      files_changed: z.array(z.string().max(4_000)).max(500).default([]),
    }),
    output: saidSchema.extend({ findings }),
    reads: false,
    run: async (input, call) => {
      const { pull, document, speaking, url } = await atTheHead(call, input)
      const differing = await differences(speaking, pull, input.files_changed)
      if (document.task_status === 'review') {
        const words = 'It is in review already: a ready pull request is handed in by being one.'
        return told({ outcome: 'taken', said_before: true, url, words, findings: differing })
      }
      const said = await speaking.say(pull, `/task submit ${oneLine(input.summary)}`, document.head_sha)
      return told({ ...said, findings: differing })
    },
  }),
  row({
    name: 'approve_task',
    description: 'An approving review of the newest commit. Who built it cannot.',
    input: z.object({ agent_name, task_id, notes: words.default('') }),
    output: saidSchema,
    reads: false,
    run: async (input, call) => {
      const { pull, document, speaking } = await atTheHead(call, input)
      return told(await speaking.approve(pull, oneLine(input.notes), document.head_sha))
    },
  }),
  row({
    name: 'verify_task',
    description: 'Confirms a completed task, independently. Who built or approved it cannot.',
    input: z.object({ agent_name, task_id, notes: words.min(1) }),
    output: saidSchema,
    reads: false,
    run: async (input, call) => act(call, input, `/task verify ${oneLine(input.notes)}`),
  }),
  row({
    name: 'reject_verification',
    description: 'Sends a completed task back to work, and rejects its commit.',
    input: z.object({ agent_name, task_id, reason: words.min(1) }),
    output: saidSchema,
    reads: false,
    run: async (input, call) => act(call, input, `/task reject ${oneLine(input.reason)}`),
  }),
]

const otherDoors = {
  pending: 'A task is not set back to pending; whoever has it is taken off its issue on GitHub.',
  assigned: 'A lead assigns a task: on GitHub, or with `/task assign @login`. To take it yourself, set in_progress.',
  completed: 'A task is completed by an approval of somebody who did not build it: approve_task.',
  verified: 'A task is verified by the word of somebody who neither built nor approved it: verify_task.',
} as const

type Stated = {
  readonly description: string
  readonly acceptance_criteria: readonly string[]
  readonly expected_outputs: readonly string[]
}

/** What is asked, and the block that says how it is judged. One that nobody could read is not written. */
function statement({ description: text, acceptance_criteria, expected_outputs }: Stated): string {
  const block = {
    ...(acceptance_criteria.length === 0 ? {} : { acceptance_criteria }),
    ...(expected_outputs.length === 0 ? {} : { expected_outputs }),
  }
  const parts = [text.trim(), ...(Object.keys(block).length === 0 ? [] : [fenced(stringify(block).trimEnd(), 'countersign')])] // prettier-ignore
  const body = parts.filter((part) => part !== '').join('\n\n')
  const found = findTaskBlock(body, 'the description')
  if (found.ok) return body
  throw new Refused(found.problems.map(({ message }) => message).join(' '))
}

async function differences(
  { changedFiles }: Speaking,
  pull: ReturnType<typeof pullNamed>,
  named: readonly string[],
): Promise<string[]> {
  if (named.length === 0) return []
  const changed = await changedFiles(pull)
  return [
    ...changed.filter((path) => !named.includes(path)).map((path) => `${path} changed and was not named.`),
    ...named.filter((path) => !changed.includes(path)).map((path) => `${path} was named and did not change.`),
  ]
}
