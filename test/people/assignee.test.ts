// A task is begun by the account that it was assigned to, not by whoever bears its name.
import { expect, test } from 'vitest'
import { decide } from '../../src/core/decision/rules/decide.ts'
import { evolve } from '../../src/core/decision/record/evolve.ts'
import type { TaskState } from '../../src/core/decision/model.ts'
import type { Command } from '../../src/core/people/command.ts'
import type { Account } from '../../src/core/people/people.ts'
import { anAttempt, aTask } from '../words/attempts.ts'

const at = '2026-01-01T00:00:00Z'
let said = 0

function told(task: TaskState, by: Account, verb: 'assign' | 'start', text: string, named: Account | null = null) {
  const command: Command = { name: 'task', verb, text }
  const user = { ...by, kind: 'human', permission: 'admin', teams: [] } as const
  const census = { admin: 1, maintain: 0, write: 3, complete: true }
  const saying = { key: `k${(said += 1)}`, user, sha: '', source: 'comment', census, text, at, through: null } as const
  const events = decide(task, { type: 'give_command', pull: 7, command, saying: { ...saying, named } }, at)
  const state = events.reduce((before, event) => evolve(before, event, at), task)
  return { state, types: events.map(({ type }) => type) }
}

test('also after another account took that name, or the account another name', () => {
  const pending: TaskState = { ...aTask(anAttempt()), status: 'pending' }
  const nobody = told(pending, { id: 1, login: 'cleo' }, 'assign', '@mona')
  expect(nobody.types).toContain('CommandRefused')
  expect(nobody.state.assignee).toBeNull()
  const { state } = told(pending, { id: 1, login: 'cleo' }, 'assign', '@mona', { id: 2, login: 'mona' })
  expect(state).toMatchObject({ status: 'assigned', assignee: { id: 2, login: 'mona' } })
  expect(told(state, { id: 3, login: 'mona' }, 'start', '').types).toEqual(['OverrideDenied'])
  expect(told(state, { id: 2, login: 'former-mona' }, 'start', '').types).toContain('TaskStarted')
})
