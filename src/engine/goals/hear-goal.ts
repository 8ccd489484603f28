// Words at the issue of a goal, judged with what GitHub says at that moment: who speaks, what the policy asks, how the default
// branch stands, where each task stands.
import type { Command } from '../../core/people/command.ts'
import { rosterUnder } from '../../core/people/roster.ts'
import type { Repository } from '../../core/news.ts'
import { isLead, leadWords } from '../../core/goals/judge-goal.ts'
import { atGoalOnly, createdText, notAGoalText, onlyLeadsText } from '../../core/words/issues/goal-answers.ts'
import { boardText } from '../../core/words/issues/board.ts'
import { goalLabelName } from '../../core/words/labels.ts'
import { accountKey } from '../../core/people/people.ts'
import type { Forge } from '../../ports.ts'
import { inTurn, type Engine } from '../engine.ts'
import type { Told } from '../record.ts'
import { accepted, refusalsAnswered } from '../heard/speak.ts'
import { goalAt, goalRef, tellGoal } from '../issues/issue-record.ts'
import { answer, type Outcome, type Scene } from '../issues/scene.ts'
import { standingOf } from '../issues/standing.ts'
import { settleGoal } from './settle-goal.ts'

type GoalCommand = Extract<Command, { name: 'goal' }>

export async function goalCommanded(scene: Scene, command: GoalCommand, text: string): Promise<Outcome> {
  const { engine, repository, news } = scene
  if (command.verb === 'create') return created(scene, command)
  const goal = await goalAt(engine, goalRef(repository, news.issue))
  if (goal.status === 'none') return answer(notAGoalText(command.verb))
  return command.verb === 'status' ? answer(boardText(goal)) : acted(scene, { ...command, verb: command.verb }, text)
}

async function created({ forge, governed, person, news, key }: Scene, { text }: GoalCommand): Promise<Outcome> {
  if (!isLead(governed.goal, person) || news.through !== null) return answer(onlyLeadsText(leadWords(governed.goal)))
  if (text === '') return answer(atGoalOnly.title)
  const number = await forge.goals.make({
    title: text,
    body: createdText(person.login),
    labels: [goalLabelName],
    mark: key,
  })
  return { done: true, reply: `#${number}` }
}

async function acted(
  { engine, repository, forge, governed, person, news, key, told }: Scene,
  { verb, text, items }: GoalCommand & { readonly verb: Exclude<GoalCommand['verb'], 'create' | 'status'> },
  spoken: string,
): Promise<Outcome> {
  const ref = goalRef(repository, news.issue)
  // The last task may have moved a moment ago: what is confirmed is how everything stands now.
  if (verb === 'verify' || verb === 'reject') await settleGoal(engine, ref, { look: true })
  const { goal: terms, policy } = governed
  const evidence = verb === 'verify' ? await forge.goals.integration(terms.integration_checks) : []
  const { census } = rosterUnder(policy.identities, await forge.census())
  const { at, through } = news
  const saying = { key, user: person, sha: '', source: 'comment', census, text: spoken, at, through } as const
  const before = (await goalAt(engine, ref)).refusals[accountKey(person)] ?? 0
  const { apps } = policy.identities
  const { events } = await inTurn(engine, ref.stream, async () => {
    if (verb === 'verify') await tasksNow(engine, repository, ref, told)
    return tellGoal(engine, ref, { type: 'give_goal_command', verb, text, items, saying, terms, apps, evidence }, told)
  })
  await refusalsAnswered(forge, news.issue, person, events, before)
  await settleGoal(engine, ref)
  return { done: accepted(events), reply: null }
}

async function tasksNow(
  engine: Engine<Forge>,
  repository: Repository,
  ref: ReturnType<typeof goalRef>,
  told: Told,
): Promise<void> {
  const { tasks } = await goalAt(engine, ref)
  const now = await Promise.all(tasks.map((task) => standingOf(engine, repository, task)))
  await tellGoal(engine, ref, { type: 'report_tasks', tasks: now }, told)
}
