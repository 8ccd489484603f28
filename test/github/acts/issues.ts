// Issues are opened, edited, closed, labelled and assigned. What happens to a pull request's labels and assignees is
// told as news of the pull request, not of the issue.
import type { Account, Issue, IssueEvent, Label, Reaction, Repo } from '../model.ts'
import { labelProblem } from '../lengths.ts'
import { invalid } from '../problem.ts'
import { user } from '../shapes/account.ts'
import { issue as showIssue, label as showLabel } from '../shapes/issue.ts'
import { found, isPull, type World } from '../world.ts'
import { markClosed, newIssue, type OpenIssue } from './new-issue.ts'
import { tellPull } from './pulls.ts'

export function openIssue(world: World, repo: Repo, options: OpenIssue): Issue {
  const issue = newIssue(world, repo, options)
  repo.issues.set(issue.number, issue)
  tellIssue(world, repo, issue, 'opened', options.author)
  return issue
}

export function tellIssue(
  world: World,
  repo: Repo,
  issue: Issue,
  action: string,
  sender: Account,
  more: object = {},
): void {
  if (isPull(issue)) tellPull(world, repo, issue, action, sender, more)
  else
    world.emit(
      'issues',
      { account: repo.owner, repo, sender },
      { action, issue: showIssue(world, repo, issue), ...more },
    )
}

export type IssueEdit = { readonly title?: string; readonly body?: string | null }

export function editIssue(world: World, repo: Repo, issue: Issue, edit: IssueEdit, sender: Account): void {
  const changes = {
    ...(edit.title !== undefined && edit.title !== issue.title ? { title: { from: issue.title } } : {}),
    ...(edit.body !== undefined && edit.body !== issue.body ? { body: { from: issue.body ?? '' } } : {}),
  }
  if (Object.keys(changes).length === 0) return
  if ('body' in changes) issue.edits.push({ editor: sender, at: world.now(), before: issue.body ?? '' })
  if ('title' in changes) note(world, issue, sender, { event: 'renamed', from: issue.title, to: edit.title ?? '' })
  issue.title = edit.title ?? issue.title
  issue.body = edit.body === undefined ? issue.body : edit.body
  issue.updatedAt = world.now()
  tellIssue(world, repo, issue, 'edited', sender, { changes })
}

/** `closer`: the pull request that does it with its merge. Whoever merged that is named as the sender all the same. */
export function closeIssue(
  world: World,
  repo: Repo,
  issue: Issue,
  sender: Account,
  { reason = 'completed', closer = null }: { reason?: Issue['stateReason']; closer?: number | null } = {},
): void {
  if (issue.state === 'closed') return
  markClosed(world, issue, sender)
  note(world, issue, sender, { event: 'closed', closer })
  issue.stateReason = reason
  tellIssue(world, repo, issue, 'closed', sender)
}

export function reopenIssue(world: World, repo: Repo, issue: Issue, sender: Account): void {
  if (issue.state === 'open') return
  issue.state = 'open'
  issue.stateReason = 'reopened'
  issue.closedAt = null
  issue.closedBy = null
  issue.updatedAt = world.now()
  note(world, issue, sender, { event: 'reopened' })
  tellIssue(world, repo, issue, 'reopened', sender)
}

export type LabelFields = { readonly name: string; readonly color?: string; readonly description?: string | null }

export function createLabel(world: World, repo: Repo, { name, color, description }: LabelFields): Label {
  if (repo.labels.has(name.toLowerCase())) throw invalid('Label', 'name')
  const problem = labelProblem(name, description ?? null)
  if (problem !== null) throw problem
  const label = { id: world.nextId(), name, color: color ?? 'ededed', description: description ?? null }
  repo.labels.set(name.toLowerCase(), label)
  return label
}

/** GitHub takes it off every issue without a word. */
export function deleteLabel(repo: Repo, name: string): void {
  const label = found(repo.labels.get(name.toLowerCase()))
  for (const { labels } of repo.issues.values()) labels.delete(label.name)
  repo.labels.delete(name.toLowerCase())
}

/** A label that the repository does not have yet is made on the way. */
export function addLabel(world: World, repo: Repo, issue: Issue, name: string, sender: Account): void {
  const label = repo.labels.get(name.toLowerCase()) ?? createLabel(world, repo, { name })
  if (issue.labels.has(label.name)) return
  issue.labels.add(label.name)
  noteLabel(world, issue, 'labeled', label, sender)
  tellIssue(world, repo, issue, 'labeled', sender, { label: showLabel(world, repo, label) })
}

export function removeLabel(world: World, repo: Repo, issue: Issue, name: string, sender: Account): void {
  const label = found(repo.labels.get(name.toLowerCase()))
  if (!issue.labels.delete(label.name)) return
  noteLabel(world, issue, 'unlabeled', label, sender)
  tellIssue(world, repo, issue, 'unlabeled', sender, { label: showLabel(world, repo, label) })
}

function noteLabel(
  world: World,
  issue: Issue,
  event: 'labeled' | 'unlabeled',
  { name: label }: Label,
  by: Account,
): void {
  issue.updatedAt = world.now()
  note(world, issue, by, { event, label })
}

type Happened = Extract<IssueEvent, { event: 'closed' | 'reopened' | 'renamed' } | { label: string }>
type Noted<E extends IssueEvent = Happened> = E extends IssueEvent ? Omit<E, 'id' | 'by' | 'at'> : never

function note(world: World, issue: Issue, by: Account, event: Noted): void {
  issue.events.push({ id: world.nextId(), by, at: world.now(), ...event })
}

export function setLabels(world: World, repo: Repo, issue: Issue, names: readonly string[], sender: Account): void {
  const wanted = names.map((name) => name.toLowerCase())
  for (const name of issue.labels) {
    if (!wanted.includes(name.toLowerCase())) removeLabel(world, repo, issue, name, sender)
  }
  for (const name of names) addLabel(world, repo, issue, name, sender)
}

export function assign(world: World, repo: Repo, issue: Issue, people: readonly Account[], sender: Account): void {
  for (const account of people) {
    if (issue.assignees.has(account)) continue
    issue.assignees.add(account)
    tellIssue(world, repo, issue, 'assigned', sender, { assignee: user(world, account) })
  }
}

export function unassign(world: World, repo: Repo, issue: Issue, people: readonly Account[], sender: Account): void {
  for (const account of people) {
    if (!issue.assignees.delete(account)) continue
    tellIssue(world, repo, issue, 'unassigned', sender, { assignee: user(world, account) })
  }
}

/** The same person reacting the same way again changes nothing; `created` says whether this was the first time. */
export function react(world: World, given: Reaction[], user: Account, content: string) {
  const known = given.find((one) => one.user === user && one.content === content)
  if (known !== undefined) return { reaction: known, created: false }
  const reaction = { id: world.nextId(), user, content, createdAt: world.now() }
  given.push(reaction)
  return { reaction, created: true }
}
