// What people said then, as it would be heard now: under another policy it may count for more, or for less.
import type { Command } from '../people/command.ts'
import { accountKey, type Account, type Person } from '../people/people.ts'
import type { Saying } from '../people/saying.ts'
import type { TaskState } from '../decision/model.ts'
import type { EventData, NewEvent, RecordedEvent } from '../decision/record/events.ts'
import type { Input } from '../decision/rules/inputs.ts'

type Said = NewEvent & Pick<RecordedEvent, 'at' | 'actor'>

export function saidAgain(task: TaskState, event: Said, events: readonly RecordedEvent[]): readonly Input[] {
  const attempt = task.attempts.find(({ id }) => id === event.attempt_id)
  if (attempt === undefined) return []
  const { id: attempt_id, pull, census } = attempt
  const by = (key: string, who: Account, at = event.at): Saying => ({
    key,
    user: personIn(events, who, event.actor),
    sha: event.head_sha ?? '',
    source: 'comment',
    census,
    text: '',
    at,
    through: null,
  })
  if (event.type === 'FilesListed') {
    // What its paths mean is found out anew.
    const { paths: _paths, ...listed } = event.data
    return [{ type: 'report_files', attempt_id, ...listed }]
  }
  if (event.type === 'AttemptSuperseded') {
    const { why } = event.data
    return why === 'draft' || why === 'closed' ? [{ type: 'end_attempt', attempt_id, why }] : []
  }
  if (event.type === 'HumanOverride') {
    const { key, user: login, user_id: id, source, timestamp } = event.data
    const saying = { ...by(key, { id, login }, timestamp), source }
    if (source === 'run') return [{ type: 'approve_run', pull, saying }]
    // What a review did follows from the review.
    return source === 'review' ? [] : [{ type: 'give_command', pull, command: commandOf(event.data, events), saying }]
  }
  if (event.type === 'ReviewSubmitted') {
    const { key, by: login, user_id: id, state, head_sha, tree_sha, body, at } = event.data
    const review = { state, head_sha, tree_sha, body }
    return [{ type: 'submit_review', pull, review, saying: { ...by(key, { id, login }, at), source: 'review' } }]
  }
  if (event.type === 'ReviewDismissed') {
    const { key, review, by: login, lifts } = event.data
    const saying = by(key, { id: null, login })
    const user: Person = { ...saying.user, permission: lifts ? 'admin' : 'none' }
    return [{ type: 'dismiss_review', pull, review_id: review, saying: { ...saying, user } }]
  }
  if (event.type === 'OverrideRevoked') {
    const { key, by: login, override_id, at } = event.data
    const act = attempt.acts.find(({ id }) => baseOf(id) === baseOf(override_id))
    if (act?.standing !== 'stands' || act.user !== login) return []
    return [
      { type: 'give_command', pull, command: { name: 'revoke' }, saying: by(key, { id: act.user_id, login }, at) },
    ]
  }
  if (event.type === 'TaskVerified' && event.actor.kind === 'human') {
    const { key, by: login, user_id: id, notes: text } = event.data
    return [
      { type: 'give_command', pull, command: { name: 'task', verb: 'verify', text }, saying: by(key, { id, login }) },
    ]
  }
  return []
}

const baseOf = (id: string): string => id.split('#')[0] ?? id

/** One word may have made two acts; it is told by the first of them, and heard once. */
function commandOf(act: EventData['HumanOverride'], events: readonly RecordedEvent[]): Command {
  const { override_type: type, reason } = act
  switch (type) {
    case 'DIRECT_APPROVAL':
      return { name: 'approve', reason, sha: null }
    case 'REJECTION':
      return { name: 'reject', reason, sha: null }
    case 'ACKNOWLEDGMENT':
      return { name: 'ack', reason, sha: null }
    case 'RETRY_RESET':
      return { name: 'retry', reason, sha: null }
    case 'CHECK_OVERRIDE':
    case 'VERIFIER_OVERRIDE': {
      const covers = events.flatMap((event) =>
        event.type === 'HumanOverride' && event.data.key === act.key ? event.data.covers : [],
      )
      // What covers a subject whatever it answers was said by its name.
      const named = covers.flatMap(({ subject, result }) => (result === null ? [subject] : []))
      const checks = named.flatMap((subject) =>
        subject === 'tier1' ? ['tier1'] : subject.startsWith('check:') ? [subject.slice('check:'.length)] : [],
      )
      return { name: 'override', checks, verifier: named.includes('verifier'), reason, sha: null }
    }
  }
}

/** With the permission and the teams that they had whenever the record tells of them. */
function personIn(events: readonly RecordedEvent[], { id, login }: Account, actor: RecordedEvent['actor']): Person {
  const person = { id, login, kind: actor.kind === 'human' ? 'human' : 'bot' } as const
  const own = events.flatMap((event): Pick<Person, 'permission' | 'teams'>[] => {
    if (event.type === 'ReviewSubmitted')
      return isThis({ id: event.data.user_id, login: event.data.by }, { id, login }) ? [event.data] : []
    if (event.type === 'HumanOverride')
      return isThis({ id: event.data.user_id, login: event.data.user }, { id, login })
        ? [{ permission: event.data.permission, teams: [] }]
        : []
    return []
  })
  const teams = [...new Set(own.flatMap(({ teams: names }) => names))]
  return { ...person, permission: own.at(-1)?.permission ?? 'write', teams }
}

const isThis = (one: Account, other: Account): boolean => accountKey(one) === accountKey(other)
