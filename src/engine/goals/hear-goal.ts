// What happens at issues: one becomes a goal, changes, or somebody speaks there. Commands of goals are judged with what
// GitHub says at that moment: who speaks, what the policy asks, how the default branch stands, where each task stands.
import type { Command } from '../../core/people/command.ts'
import type { Maker } from '../../core/people/people.ts'
import { atLeast } from '../../core/people/permission.ts'
import type { ReadCommand } from '../../core/people/read-commands.ts'
import { isLead, leadWords } from '../../core/goals/judge-goal.ts'
import type { News, Repository } from '../../core/news.ts'
import { atGoalOnly, createdText, notAGoalText, onlyLeadsText, saidAtIssueText } from '../../core/words/goal-answers.ts'
import { boardText } from '../../core/words/board.ts'
import { incompleteText } from '../../core/words/answers.ts'
import { goalLabelName } from '../../core/words/labels.ts'
import type { Forge } from '../../ports.ts'
import { forgeOf, inTurn, type Engine } from '../engine.ts'
import { actorOf } from '../intake.ts'
import type { Told } from '../record.ts'
import { accepted, commandsIn, refusalsAnswered } from '../speak.ts'
import { accountKey } from '../../core/people/people.ts'
import { goalAt, goalRef, tellGoal } from './goal-record.ts'
import { personAt, policyOfGoals, seeGoal, standingOf } from './see-goal.ts'
import { settleGoal } from './settle-goal.ts'

type Of<K extends News['kind']> = Extract<News, { kind: K }>

/** An issue becomes a goal by the label that a lead puts on it; from then on what becomes of it is followed. */
export async function issueChanged(
  engine: Engine<Forge>,
  repository: Repository,
  { issue, is_goal, by }: Of<'issue_changed'>,
  correlation_id: string,
): Promise<void> {
  const ref = goalRef(repository, issue)
  const { status } = await goalAt(engine, ref)
  if (status === 'none') {
    if (!is_goal) return
    const forge = await forgeOf(engine, repository)
    const governed = await policyOfGoals(engine, forge, repository)
    if (governed === null) return
    const ours = by.login === forge.self
    if (!ours && !isLead(governed.terms, await personAt(forge, by, governed.terms)))
      return forge.reply(issue, onlyLeadsText(leadWords(governed.terms)))
    const told: Told = { actor: actorOf(by), correlation_id }
    await inTurn(engine, ref.stream, () => seeGoal(engine, forge, ref, told))
  }
  await settleGoal(engine, ref, { look: status !== 'none' })
}

export async function issueSaid(
  engine: Engine<Forge>,
  repository: Repository,
  news: Of<'issue_said'>,
  correlation_id: string,
): Promise<void> {
  const commands = (await commandsIn(engine, repository, { body: news.body, kind: 'comment' })).map((read, index) => ({
    key: `${news.key}/${index}`,
    read,
  }))
  const meant = commands.filter(({ read }) => isForIssues(read))
  if (meant.length === 0) return
  const forge = await forgeOf(engine, repository)
  const governed = await policyOfGoals(engine, forge, repository)
  if (governed === null) return
  const person = await personAt(forge, news.by, governed.terms)
  // Whoever may only read here gets no answer, so that nobody is made to speak.
  if (!atLeast(person.permission, 'triage')) return
  for (const { key, read } of meant) {
    if (read.kind !== 'command') {
      if (read.kind === 'incomplete') await forge.reply(news.issue, incompleteText(read))
      continue
    }
    const scene = {
      engine,
      repository,
      forge,
      governed,
      person,
      news,
      key,
      told: { actor: actorOf(news.by), correlation_id },
    }
    const { done, reply } = await commanded(scene, read.command, read.text)
    if (done) await forge.react(news.comment, '+1')
    if (reply !== null) await forge.reply(news.issue, reply)
  }
}

/** At an issue other words may be for other bots, unless they name us. */
function isForIssues(read: ReadCommand): boolean {
  const named = /^\s*\/countersign\b/i.test(read.text)
  if (read.kind === 'command') return named || read.command.name === 'goal' || read.command.name === 'task'
  return read.kind === 'incomplete' && (named || read.name === 'goal')
}

type Scene = {
  readonly engine: Engine<Forge>
  readonly repository: Repository
  readonly forge: Forge
  readonly governed: NonNullable<Awaited<ReturnType<typeof policyOfGoals>>>
  readonly person: Awaited<ReturnType<typeof personAt>>
  readonly news: Of<'issue_said'> & { readonly by: Maker }
  readonly key: string
  readonly told: Told
}
type GoalCommand = Extract<Command, { name: 'goal' }>

/** Whether it was done, and what is still to be answered. */
type Outcome = { readonly done: boolean; readonly reply: string | null }
const answer = (reply: string): Outcome => ({ done: false, reply })

async function commanded(scene: Scene, command: Command, text: string): Promise<Outcome> {
  const { engine, repository, news } = scene
  if (command.name !== 'goal') {
    const { pull } = await standingOf(engine, repository, { number: news.issue, title: '' })
    return answer(saidAtIssueText(command.name, pull))
  }
  if (command.verb === 'create') return created(scene, command)
  const goal = await goalAt(engine, goalRef(repository, news.issue))
  if (goal.status === 'none') return answer(notAGoalText(command.verb))
  return command.verb === 'status' ? answer(boardText(goal)) : acted(scene, { ...command, verb: command.verb }, text)
}

async function created({ forge, governed, person, news, key }: Scene, { text }: GoalCommand): Promise<Outcome> {
  if (!isLead(governed.terms, person) || news.through !== null) return answer(onlyLeadsText(leadWords(governed.terms)))
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
  const { terms, policy } = governed
  const evidence = verb === 'verify' ? await forge.goals.integration(terms.integration_checks) : []
  const { census } = await forge.census()
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
