// What happens at issues: one becomes a goal or a request, changes, or somebody speaks there.
import { isLead, leadWords } from '../../core/goals/judge-goal.ts'
import { issueSlot } from '../../core/decision/shown/slots.ts'
import type { News, Repository } from '../../core/news.ts'
import type { Command } from '../../core/people/command.ts'
import { atLeast } from '../../core/people/permission.ts'
import type { Saying } from '../../core/people/saying.ts'
import { isFromBefore } from '../../core/as-of.ts'
import type { ReadCommand } from '../../core/people/read-commands.ts'
import { incompleteText, unreadableText } from '../../core/words/answers.ts'
import { onlyLeadsText, saidAtIssueText } from '../../core/words/issues/goal-answers.ts'
import { goalLabelName } from '../../core/words/labels.ts'
import { eitherOrText } from '../../core/words/issues/request-page.ts'
import type { Forge } from '../../ports.ts'
import { dependenciesAgain } from '../between/dependencies.ts'
import { forgeOf, inTurn, load, type Engine, type TaskRef } from '../engine.ts'
import { goalCommanded } from '../goals/hear-goal.ts'
import { seeGoal } from '../goals/see-goal.ts'
import { settleGoal } from '../goals/settle-goal.ts'
import { actorOf } from '../attempts/intake.ts'
import { ownRef, taskOf } from '../attempts/own-task.ts'
import { record, type Told } from '../record.ts'
import { requestCommanded } from '../requests/hear-request.ts'
import { seeRequest } from '../requests/see-request.ts'
import { settleRequest } from '../requests/settle-request.ts'
import { settle } from '../settle.ts'
import { isRejection, meantBy, saysNo } from '../heard/beside.ts'
import { toldElsewhere } from '../heard/elsewhere.ts'
import { accepted, commandsIn, sceneOf, spoken } from '../heard/speak.ts'
import { waitingFor } from '../between/waiting.ts'
import { goalAt, goalRef, requestAt, requestRef } from './issue-record.ts'
import { personAt, policyOfIssues } from './policy-of-issues.ts'
import { answer, type Outcome, type Scene } from './scene.ts'
import { pullsOf } from './standing.ts'
import { numberIn } from '../../core/names.ts'

type Of<K extends News['kind']> = Extract<News, { kind: K }>

/** An issue is a goal or a request, whichever it was first; from then on what becomes of it is followed. */
export async function issueChanged(
  engine: Engine<Forge>,
  repository: Repository,
  news: Of<'issue_changed'>,
  correlation_id: string,
): Promise<void> {
  const { issue, is_goal, is_request, labelled } = news
  const [goal, request] = [goalRef(repository, issue), requestRef(repository, issue)]
  const isGoal = (await goalAt(engine, goal)).status !== 'none'
  const isRequest = (await requestAt(engine, request)).status !== 'none'
  if (isGoal) {
    await settleGoal(engine, goal, { look: true })
    if (labelled === 'request') await (await forgeOf(engine, repository)).reply(issue, eitherOrText('request'))
    return
  }
  if (isRequest) {
    await settleRequest(engine, request, { look: true })
    if (labelled === 'goal') await (await forgeOf(engine, repository)).reply(issue, eitherOrText('goal'))
    return
  }
  const told: Told = { actor: actorOf(news.by), correlation_id }
  if (news.done) await keptOpen(engine, ownRef(repository, issue), told)
  for (const waiting of await waitingFor(engine, ownRef(repository, issue))) {
    // What nobody works on here counts once its issue is closed.
    await dependenciesAgain(engine, waiting)
    await settle(engine, waiting)
  }
  if (is_goal) return goalBegun(engine, repository, news, told)
  if (!is_request) return
  await inTurn(engine, request.stream, async () => seeRequest(engine, await forgeOf(engine, repository), request, told))
  await settleRequest(engine, request)
}

/** GitHub closes the issue of what was merged, perhaps after it was opened again: what is not confirmed stays open. */
async function keptOpen(engine: Engine<Forge>, ref: TaskRef, told: Told): Promise<void> {
  const { task } = await load(engine, ref)
  const slot = issueSlot(numberIn(ref.stream))
  const attempt = task.attempts.findLast(({ merged }) => merged !== null)
  if (task.slots[slot] === undefined || attempt === undefined) return
  const shown = { slot, digest: 'closed', ref: 'closed' }
  await record(engine, ref, { type: 'show_slot', attempt_id: attempt.id, ...shown }, told)
  await settle(engine, ref)
}

/** An issue becomes a goal by the label that a lead puts on it, and by nothing that somebody else does to it afterwards. */
async function goalBegun(
  engine: Engine<Forge>,
  repository: Repository,
  { issue, labelled, ...news }: Of<'issue_changed'>,
  told: Told,
): Promise<void> {
  const ref = goalRef(repository, issue)
  const forge = await forgeOf(engine, repository)
  const governed = await policyOfIssues(engine, forge, repository)
  if (governed === null) return
  const isTold = labelled === 'goal'
  const by = isTold ? news.by : ((await forge.labelledBy(issue, goalLabelName, 'labeled'))?.by ?? null)
  if (by === null) return
  const ours = by.login === forge.self
  if (!ours && !isLead(governed.goal, await personAt(forge, by, governed)))
    return isTold ? forge.reply(issue, onlyLeadsText(leadWords(governed.goal))) : undefined
  await inTurn(engine, ref.stream, () => seeGoal(engine, forge, ref, told))
  await settleGoal(engine, ref)
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
  const counts = countsIn(news)
  const meant = commands.filter(({ read }) => isForIssues(read) && counts(read))
  if (meant.length === 0) return
  const forge = await forgeOf(engine, repository)
  const governed = await policyOfIssues(engine, forge, repository)
  if (governed === null) return
  const person = await personAt(forge, news.by, governed)
  const isAuthor = (await requestAt(engine, requestRef(repository, news.issue))).by?.id === person.id
  // Whoever may only read here gets no answer, so that nobody is made to speak; a request is its author's to withdraw.
  if (!atLeast(person.permission, 'triage') && !isAuthor) return
  const pulls = new Set<number>()
  for (const { key, read } of meant) {
    if (read.kind !== 'command') {
      if (read.kind === 'incomplete') await forge.reply(news.issue, incompleteText(read))
      if (read.kind === 'unreadable') await forge.reply(news.issue, unreadableText(read))
      continue
    }
    const told: Told = { actor: actorOf(news.by), correlation_id }
    const scene = { engine, repository, forge, governed, person, news, key, told }
    const { done, reply, pulls: at = [] } = await commanded(scene, read)
    if (done) await forge.react(news.comment, '+1')
    if (reply !== null && news.found === null) await forge.reply(news.issue, reply)
    for (const pull of at) pulls.add(pull)
  }
  engine.ears.taken(repository.key, news)
  for (const pull of pulls) await settledAt(engine, repository, pull)
}

/** As what is said at a pull request itself, it may be about a tree that is judged elsewhere. */
async function settledAt(engine: Engine<Forge>, repository: Repository, pull: number): Promise<void> {
  const ref = await taskOf(engine, repository, pull)
  if (ref !== null) await settle(engine, ref)
  await toldElsewhere(engine, repository, pull)
}

const ofIssues: readonly string[] = ['goal', 'request', 'task'] satisfies readonly Command['name'][]

/** At an issue other words may be for other bots, unless they name us. */
function isForIssues(read: ReadCommand): boolean {
  const named = /^\s*\/countersign\b/i.test(read.text)
  if (read.kind === 'command') return named || ofIssues.includes(read.command.name)
  if (read.kind === 'unreadable') return named || ofIssues.includes(read.text.replace('/', '').toLowerCase())
  return read.kind === 'incomplete' && (named || ofIssues.includes(read.name))
}

/**
 * What we came across late is no question any more, and what makes something new was heard if it was to be. Where it was
 * changed since, nobody knows what its author said, and only a no is believed.
 */
const countsIn =
  ({ found }: Of<'issue_said'>) =>
  (read: ReadCommand): boolean => {
    if (found === null) return true
    if (read.kind !== 'command' || !('verb' in read.command)) return false
    const { verb } = read.command
    return found === 'edited' ? saysNo(read) : verb !== 'status' && verb !== 'create'
  }

async function commanded(scene: Scene, read: Extract<ReadCommand, { kind: 'command' }>): Promise<Outcome> {
  const { command, text } = read
  if (command.name === 'goal') return goalCommanded(scene, command, text)
  if (command.name === 'request') return requestCommanded(scene, command, text)
  const { engine, repository, news } = scene
  const [pull, ...others] = await pullsOf(engine, repository, news.issue)
  if (command.name !== 'task' || pull === undefined) return answer(saidAtIssueText(command.name, pull ?? null))
  // Words from before it, which were answered then, are come across again.
  if (news.found !== null && (await isFromBeforeIt(engine, ownRef(repository, news.issue), pull, news.at)))
    return nothing
  const { done, reply } = await atItsPull(scene, pull, read)
  // Nobody says which of them a no is about, so it is about each.
  const beside = command.verb === 'reject' ? others : []
  for (const other of beside) await atItsPull({ ...scene, key: `${scene.key}/${other}` }, other, read, { again: true })
  return { done, reply, pulls: [pull, ...beside] }
}

const nothing: Outcome = { done: false, reply: null }

async function isFromBeforeIt(engine: Engine, ref: TaskRef, pull: number, at: string): Promise<boolean> {
  const { attempts } = (await load(engine, ref)).task
  const [first] = attempts.filter((one) => one.pull === pull).map(({ head_at }) => head_at)
  return first !== undefined && isFromBefore(at, first)
}

/** Said at the issue, it is about the commit that its pull request had then, and is answered where it was said. */
async function atItsPull(
  { engine, repository, forge, news, key, told }: Scene,
  pull: number,
  read: Extract<ReadCommand, { kind: 'command' }>,
  again: Pick<Saying, 'again'> = {},
): Promise<Outcome> {
  const place = { pull, by: news.by, at: news.at, isNo: isRejection(read) }
  const there = await sceneOf(engine, repository, place, told.correlation_id)
  if (there === null) return answer(saidAtIssueText('task', pull))
  // What was answered for one of them is not answered for each.
  const reply = async (body: string): Promise<void> =>
    again.again === true ? undefined : forge.reply(news.issue, body)
  const here: Forge = { ...there.forge, reply: (_pull, body) => reply(body) }
  const { at, through, found } = news
  const words = { key, source: 'comment', sha: meantBy(there, read, found), at, through, ...again } as const
  const events = await spoken(engine, { ...there, forge: here }, pull, read, words)
  return { done: accepted(events), reply: null }
}
