// Who may change a goal and confirm what it delivers. Confirming cannot be handed on: a machine never does, whoever's token
// it holds, and a list of states is no test of the whole.
import type { NewEvent } from '../decision/record/events.ts'
import { isOvertaken } from '../overtaken.ts'
import type { GoalVerb } from '../people/command.ts'
import { refuse } from '../people/judge.ts'
import type { Saying } from '../people/saying.ts'
import { atLeast } from '../people/permission.ts'
import { sameLogin, type Person } from '../people/people.ts'
import { isIn } from '../people/separation.ts'
import type { GoalState, GoalTerms } from './goal.ts'

/** A check of the integrated product, as it stands on the default branch. */
export type StandingCheck = { readonly check: string; readonly conclusion: string | null; readonly sha: string }

export type GoalAct = {
  readonly verb: Exclude<GoalVerb, 'create' | 'status'>
  readonly text: string
  readonly items: readonly string[]
  readonly saying: Saying
  /** By the policy of the default branch now. */
  readonly terms: GoalTerms
  /** Apps whose words count as those of the person with whose token they write. */
  readonly apps: readonly string[]
  readonly evidence: readonly StandingCheck[]
}

/** What links and unlinks is a lead's; GitHub is told first, and what it says then is what counts. */
export function judgeGoal(goal: GoalState, act: GoalAct): NewEvent {
  const barred = notLead(act)
  if (barred !== null) return barred
  switch (act.verb) {
    case 'link':
    case 'unlink':
      return linked(goal, act)
    case 'verify':
      return confirmed(goal, act)
    case 'reject':
      return sentBack(goal, act)
  }
}

const from = ({ saying }: GoalAct) => ({ attempt: null, saying })

export const isLead = ({ lead }: Pick<GoalTerms, 'lead'>, user: Person): boolean =>
  user.kind === 'human' &&
  atLeast(user.permission, 'write') &&
  (lead.length > 0 ? isIn(lead, user) : user.permission === 'admin')

export const leadWords = ({ lead }: Pick<GoalTerms, 'lead'>): readonly string[] =>
  lead.length > 0 ? lead : ['an admin']

function notLead(act: GoalAct): NewEvent | null {
  const { terms, saying, apps } = act
  const { user, through } = saying
  const who = leadWords(terms)
  if (user.kind === 'bot') return refuse(from(act), 'OVERRIDE_NOT_PERMITTED', 'bot', null, who)
  if (through !== null && !apps.some((app) => sameLogin(app, through)))
    return refuse(from(act), 'OVERRIDE_NOT_PERMITTED', 'through_app', through, who)
  return isLead(terms, user) ? null : refuse(from(act), 'OVERRIDE_NOT_PERMITTED', 'not_in_role', 'roles.lead', who)
}

/** GitHub keeps which issues are whose; what is asked here is done there, and counts once it is seen there. */
function linked(goal: GoalState, act: GoalAct): NewEvent {
  const { verb, text, terms, saying } = act
  const number = taskNamed(text)
  if (number === null) return refuse(from(act), 'USER_COMMAND_REFUSED', 'no_task_named', null, [])
  const isKnown = goal.tasks.some((task) => task.number === number)
  const name = `#${number}`
  if (number === goal.number) return refuse(from(act), 'USER_COMMAND_REFUSED', 'goals_do_not_nest', name, [])
  if (verb === 'unlink' && !isKnown) return refuse(from(act), 'USER_COMMAND_REFUSED', 'not_linked', name, [])
  if (verb === 'link' && !isKnown && goal.tasks.length >= terms.max_tasks)
    return refuse(from(act), 'USER_COMMAND_REFUSED', 'too_many_tasks', String(terms.max_tasks), [])
  if (isOvertaken(goal.asked[number] ?? '', saying))
    return refuse(from(act), 'USER_COMMAND_REFUSED', 'overtaken', null, [])
  const data = { key: saying.key, by: saying.user.login, number, linked: verb === 'link', at: saying.at }
  return { type: 'GoalTaskAsked', attempt_id: null, head_sha: null, data }
}

/** `#12`, and nothing else: another repository's issue is judged by another policy. */
function taskNamed(text: string): number | null {
  const [, digits] = /^#?(\d{1,9})$/.exec(text.trim()) ?? []
  return digits === undefined ? null : Number(digits)
}

function confirmed(goal: GoalState, act: GoalAct): NewEvent {
  const { text, saying, terms, evidence } = act
  if (goal.status !== 'pending_verify')
    return refuse(from(act), 'USER_COMMAND_REFUSED', 'undeclared_transition', `${goal.status} to verified`, [])
  if (isOvertaken(goal.delivered_at, saying)) return refuse(from(act), 'USER_COMMAND_REFUSED', 'overtaken', null, [])
  if (text.trim() === '') return refuse(from(act), 'USER_COMMAND_REFUSED', 'notes_missing', null, [])
  const failing = terms.integration_checks.filter(
    (name) => evidence.find(({ check }) => check === name)?.conclusion !== 'success',
  )
  if (failing.length > 0)
    return refuse(from(act), 'USER_COMMAND_REFUSED', 'integration_not_green', failing.map(told).join(', '), [])
  const { key, user } = saying
  const proof = evidence.map(({ check, conclusion, sha }) => `${check}: ${conclusion ?? 'none'} on ${sha.slice(0, 7)}`)
  const data = { key, by: user.login, user_id: user.id, notes: text, evidence: proof, at: saying.at }
  return { type: 'GoalVerified', attempt_id: null, head_sha: null, data }

  function told(name: string): string {
    return `${name} (${evidence.find(({ check }) => check === name)?.conclusion ?? 'not reported'})`
  }
}

/** Nor does a no come too late where somebody has confirmed the same meanwhile. */
function sentBack(goal: GoalState, act: GoalAct): NewEvent {
  const { text, saying, items } = act
  if (goal.status !== 'pending_verify' && goal.status !== 'verified')
    return refuse(from(act), 'USER_COMMAND_REFUSED', 'undeclared_transition', `${goal.status} to active`, [])
  if (isOvertaken(goal.delivered_at, saying)) return refuse(from(act), 'USER_COMMAND_REFUSED', 'overtaken', null, [])
  if (text.trim() === '') return refuse(from(act), 'USER_COMMAND_REFUSED', 'reason_missing', null, [])
  const { key, user } = saying
  const data = { key, by: user.login, user_id: user.id, reason: text, fixes: items, at: saying.at }
  return { type: 'GoalRejected', attempt_id: null, head_sha: null, data }
}
