// What every store asks of a batch before it touches anything: one stream, versions without a gap, an unbroken chain.
// A batch that fails here was put together wrongly; no repetition can help, so it is not a Conflict.
import { type Tail, genesis } from '../../core/decision/record/chain.ts'
import type { RecordedEvent } from '../../core/decision/record/events.ts'
import { behindKey, closesKey, waitsForKey } from '../../core/decision/record/keys.ts'
import { commitKey, pullKey, queuedKey, standsOnKey, taskOfGoalKey, treeKey } from '../../core/decision/record/keys.ts'
import { repositoryIn } from '../../core/names.ts'

/** A page of the largest events must still fit into one JavaScript string (half a gigabyte). */
export const eventBytesMax = 2 * 1024 * 1024
export const pageEventsMax = 250

export type Batch = {
  readonly stream: string
  /** The event that the batch was sealed to follow. */
  readonly follows: Tail
  readonly bodies: readonly string[]
  /** What the stream can be found by from now on. */
  readonly keys: readonly string[]
}

/** The batch in the form that is stored, or null when there is nothing to store. */
export function packBatch(stream: string, expectedVersion: number, events: readonly RecordedEvent[]): Batch | null {
  const [first] = events
  if (first === undefined) return null
  const follows: Tail = { version: expectedVersion, hash: expectedVersion === 0 ? genesis : first.prev_hash }
  let tail = follows
  const bodies = events.map((event) => {
    const problem = batchProblem(stream, tail, event)
    if (problem !== null) throw new Error(`Event ${event.id} cannot be appended to ${stream}: ${problem}`)
    tail = event
    return packEvent(event)
  })
  return { stream, follows, bodies, keys: [...new Set(events.flatMap(keysOf))] }
}

/** An attempt is looked for by its pull request and by its commit, a task by its goal. */
export function keysOf(event: RecordedEvent): string[] {
  const repository = repositoryIn(event.stream)
  if (event.type === 'TaskOfGoal') return [taskOfGoalKey(repository, event.data.goal)]
  if (event.type === 'DependenciesSeen')
    return event.data.on.flatMap(({ number }) => (number === null ? [] : [waitsForKey(repository, number)]))
  if (event.type === 'BesideSeen') return event.data.issues.map(({ number }) => closesKey(repository, number))
  if (event.type === 'AheadSeen') return event.data.pulls.map(({ pull }) => behindKey(repository, pull))
  if (event.type !== 'AttemptStarted' || event.head_sha === null) return []
  const commit = commitKey(repository, event.head_sha)
  const { pull, group, tree_sha } = event.data
  const tree = tree_sha === '' ? [] : [treeKey(repository, tree_sha)]
  if (group === null) return [pullKey(repository, pull), commit, ...tree]
  const members = [...group.beside, group.pull].map((member) => queuedKey(repository, member))
  return [commit, standsOnKey(repository, group.base_sha), ...members]
}

function batchProblem(stream: string, tail: Tail, event: RecordedEvent): string | null {
  if (event.stream !== stream) return `it was sealed for ${event.stream}`
  if (event.version !== tail.version + 1) return `it has version ${event.version} and would follow ${tail.version}`
  if (event.prev_hash !== tail.hash) return `it names ${event.prev_hash} as the hash before it, which is ${tail.hash}`
  return null
}

function packEvent(event: RecordedEvent): string {
  const body = JSON.stringify(event)
  const bytes = Buffer.byteLength(body)
  if (bytes <= eventBytesMax) return body
  throw new Error(`Event ${event.id} is ${bytes} bytes long; the store takes events up to ${eventBytesMax} bytes`)
}
