// `countersign/task@1`: where a task stands by its own record, and which pull requests are attempts at it, for programs.
import { z } from 'zod'
import { documentStatuses, taskStatuses } from './attempt-schema.ts'
import { isEscalated } from '../../people/judge-task.ts'
import { conclude } from '../../decision/gate/conclude.ts'
import { blockersOf } from '../../decision/gate/blocked.ts'
import type { TaskState } from '../../decision/model.ts'
import { jsonText } from './attempt-json.ts'

export const TASK_SCHEMA = 'countersign/task@1'
const ATTEMPTS_MAX = 50

const text = z.string()
export const taskSchema = z.object({
  schema: z.literal(TASK_SCHEMA),
  task_id: text.describe('`owner/repo#n`: the issue that is closed, or the pull request itself.'),
  status: z.enum(taskStatuses),
  assignee: text.nullable(),
  builders: z.array(text).describe('Who made part of it, and may therefore not confirm it.'),
  attempts: z
    .array(
      z.object({
        pull: z.int().nullable(),
        head_sha: text,
        status: z.enum(documentStatuses),
        live: z.boolean().describe('Whether the commit is the head of an open pull request.'),
        confirmed_by: text.nullable(),
      }),
    )
    .describe('The newest last.'),
  blocked_by: z.array(text).default([]).describe('Tasks that have to be verified before it.'),
  goals: z.array(text).describe('The goals that it is a task of.'),
  sent_back: z.int().min(0).describe('How often it was not confirmed.'),
  waits_for_lead: z.boolean().describe('It was sent back so often that a lead has to decide how it goes on.'),
  truncated: z.array(text),
})
export type TaskDocument = z.output<typeof taskSchema>

export function taskJson(task: TaskState): string {
  const { task_id, status, assignee, builders, goals, sent_back } = task
  const own = task.attempts.filter(({ group }) => group === null)
  const document: TaskDocument = {
    schema: TASK_SCHEMA,
    task_id,
    status: status === 'none' ? 'pending' : status,
    assignee: assignee?.login ?? null,
    builders: builders.map(({ login }) => login),
    attempts: own.slice(-ATTEMPTS_MAX).map((attempt) => ({
      pull: attempt.pull,
      head_sha: attempt.head_sha,
      status: (attempt.decision ?? conclude(task, attempt)).status,
      live: attempt.live,
      confirmed_by: attempt.confirmed_by?.by ?? null,
    })),
    blocked_by: blockersOf(task).map(({ name }) => name),
    goals: goals.map(({ number }) => task_id.replace(/#\d+$/, `#${number}`)),
    sent_back: sent_back.length,
    waits_for_lead: isEscalated(task),
    truncated: own.length > ATTEMPTS_MAX ? ['attempts'] : [],
  }
  return jsonText(document)
}
