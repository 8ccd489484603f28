// The engine's hands: the ports it works through, and the states it remembers so that one more event costs the same
// however long the history is.
import type { Tail } from '../core/decision/record/chain.ts'
import type { RecordedEvent } from '../core/decision/record/events.ts'
import { redacting } from '../core/words/text/redact.ts'
import { emptyTask, evolve } from '../core/decision/record/evolve.ts'
import { decide } from '../core/decision/rules/decide.ts'
import type { Input } from '../core/decision/rules/inputs.ts'
import type { CriteriaState } from '../core/criteria/criteria.ts'
import type { GoalState } from '../core/goals/goal.ts'
import type { RequestState } from '../core/requests/request.ts'
import { after, aMemory, loaded, nothingKept, remember, type Aggregate, type Memory } from './aggregates.ts'
import type { TaskState } from '../core/decision/model.ts'
import { noMoves, type Moves } from './heard/moves.ts'
import { doubts, type Doubts } from './rounds/doubts.ts'
import type { ResultsRead } from './heard/results-now.ts'
import type { BegunLook } from './last-look.ts'
import type { Redact } from './redaction.ts'
import type { Aside } from '../core/jobs.ts'
import type { Board, Clock, Forge, Forges, Ids, Store, Twin, Verifier } from '../ports.ts'
import type { Ears } from './ears.ts'
import type { Repository } from '../core/news.ts'
import { numberIn } from '../core/names.ts'

export type Ports<F extends Board = Board> = {
  readonly store: Store
  readonly forges: Forges<F>
  readonly verifier: Verifier
  readonly aside: Aside
  readonly clock: Clock
  readonly ids: Ids
}
export type Engine<F extends Board = Board> = Ports<F> & {
  readonly remembered: Memory<TaskState>
  readonly goals: Memory<GoalState>
  readonly requests: Memory<RequestState>
  readonly criteria: Memory<CriteriaState>
  /** Bases, as `<repository>:<branch>`, that had a policy when it was read last: what is pushed there is judged. */
  readonly governed: Set<string>
  /** Where pull requests stood when nothing judged them, by `pullKey`: until something changes nobody asks again. */
  readonly unjudged: Map<string, Unjudged>
  /** Commits of which nobody can vouch for what GitHub shows there. */
  readonly doubts: Doubts
  /** What was heard and could not be handled yet, through a fault of ours. */
  readonly unhandled: Set<string>
  /** Who moved which branch, as it was told. */
  readonly moves: Moves
  /** Last looks that were begun before what calls for them is on record, by attempt. */
  readonly looks: Map<string, BegunLook>
  /** By attempt. */
  readonly resultsRead: Map<string, ResultsRead>
  /** Pull requests that are closed, as their tasks were when all that was said there was heard. */
  readonly lookedElsewhere: Set<string>
  /** Goals that are to be looked at on GitHub when they are settled next. */
  readonly toSee: Set<string>
  /** How many such looks at a goal have begun, and which of them was the last to end well. */
  readonly goalLooks: Map<string, { readonly begun: number; readonly ended: number }>
  /** When an issue was found below a goal that does not have it, and behind how many such looks. */
  readonly seenAbove: Map<string, { readonly behind: number; readonly at: number }>
  /** Where pull requests were looked at that have the commit of another, and nothing judges them. */
  readonly unjudgedTwins: Set<string>
  /** Merge groups whose members were looked at, none of which has moved since. */
  readonly membersSeen: Set<string>
  /** Nobody else writes to the store, so that what is remembered is what is there. */
  readonly alone: boolean
  /** The last in each line of work that goes one at a time, in this process. */
  readonly lines: Map<string, Promise<void>>
  readonly apart: Apart
  /** Whether work that was begun under a name is still the only one: whoever stood still may have been given up. */
  readonly holds: (name: string) => Promise<boolean>
  /** Told of every fault of ours, which is on record as well. */
  readonly onFault: (error: unknown, where: string) => void
  /** Told of everything that came on record, with the task as it is then. */
  readonly onRecorded: OnRecorded
  /** A goal or request is to be looked at again, a moment later: a task of it has moved, or somebody approved it. */
  readonly onIssueTask: (issue: TaskRef) => void
  /** Takes secrets out of whatever is kept. */
  readonly redact: Redact
  readonly ears: Ears
  /**
   * Settles a task again a little later: something of it could not be shown yet, and nobody may tell when it can. Where it was so
   * often in vain, `triesMax`, it is left to the sweep.
   */
  readonly again: (ref: TaskRef, error?: unknown, triesMax?: number) => void
  /** Reads what a task waits for and what its pull request closes, of which nobody may have told us, in the turn of whoever asks. */
  readonly askedAgain: (ref: TaskRef, closes: Closes | null) => Promise<void>
  /** Takes in a pull request of which nobody told us, and settles the task then that waits for it. */
  readonly onTwin: (ref: TaskRef, twin: Twin) => void
}
export type OnRecorded = (ref: TaskRef, task: TaskState, events: readonly RecordedEvent[]) => void
/** Does work once no other process is at work under this name. */
export type Apart = <T>(name: string, work: () => Promise<T>) => Promise<T>
export type Unjudged = { readonly head_sha: string; readonly base_ref: string; readonly at: string }
/** A stream is named by the repository's id, so that a rename changes nothing; people know the task by its name. */
/** The issues that a pull request closes. */
export type Closes = { readonly pull: number; readonly issues: readonly number[] }
export type TaskRef = { readonly stream: string; readonly task_id: string }

/** `secrets`: values that are known to be some, beside those that look like it. */
export type Company = {
  readonly alone?: boolean
  readonly apart?: Apart
  readonly holds?: Engine['holds']
  readonly onFault?: (error: unknown, where: string) => void
  readonly onRecorded?: OnRecorded
  readonly onIssueTask?: Engine['onIssueTask']
  readonly secrets?: readonly string[]
  readonly ears?: Ears
  readonly again?: Engine['again']
  readonly askedAgain?: Engine['askedAgain']
  readonly onTwin?: Engine['onTwin']
}

/** Where nothing is told from outside, everything was heard. */
const allHeard: Ears = {
  isWaiting: async () => false,
  heardAll: async () => true,
  unheardUntil: async () => [],
  taken: () => undefined,
  mayHaveMissed: () => false,
}

export function engineOver<F extends Board>(ports: Ports<F>, company: Company = {}): Engine<F> {
  const { alone = false, apart = (_name, work) => work(), onFault = nothing, secrets = [] } = company
  const {
    ears = allHeard,
    again = nothing,
    holds = async () => true,
    onRecorded = nothing,
    onIssueTask = nothing,
    askedAgain = async () => undefined,
    onTwin = nothing,
  } = company
  const redact = redacting(secrets)
  return {
    ...ports,
    remembered: aMemory(),
    goals: aMemory(),
    requests: aMemory(),
    criteria: aMemory(),
    governed: new Set(),
    unjudged: new Map(),
    doubts: doubts(ports.clock),
    unhandled: new Set(),
    moves: noMoves(),
    looks: new Map(),
    resultsRead: new Map(),
    lookedElsewhere: new Set(),
    toSee: new Set(),
    goalLooks: new Map(),
    seenAbove: new Map(),
    unjudgedTwins: new Set(),
    membersSeen: new Set(),
    alone,
    lines: new Map(),
    apart,
    holds,
    onFault,
    onRecorded,
    onIssueTask,
    redact,
    ears,
    again,
    askedAgain,
    onTwin,
  }
}

/** The issue that is the task of a pull request; null where it is its own. */
export function issueOf({ stream }: TaskRef, pull: number): number | null {
  const number = numberIn(stream)
  return number === pull ? null : number
}

/** A repository is reached by any of its streams, even one without a task yet. */
export async function forgeOf(engine: Engine<Forge>, repository: Repository): Promise<Forge> {
  return engine.forges.of(`${repository.key}#0`)
}

export const tasks: Aggregate<TaskState, Input> = {
  empty: emptyTask,
  evolve,
  decide,
  remembered: ({ remembered }) => remembered,
}

type Loaded = { readonly task: TaskState; readonly tail: Tail }

/** The state of a task now. */
export async function load(engine: Engine, ref: TaskRef): Promise<Loaded> {
  const { state: task, tail } = await loaded(engine, tasks, ref)
  return { task, tail }
}

/** A task that nobody named, under the name with which it began; null where nothing is recorded. It is read once. */
export async function recall(engine: Engine, stream: string): Promise<TaskRef | null> {
  const kept = engine.remembered.get(stream)
  if (kept !== undefined) return { stream, task_id: kept.state.task_id }
  const events = await engine.store.read(stream)
  const first = events[0]
  if (first === undefined) return null
  remember(engine, tasks, stream, after(tasks, nothingKept(emptyTask(first.task_id)), events))
  return { stream, task_id: first.task_id }
}

/** After everybody who came before in this line has ended, however they ended, and nobody elsewhere is in it. */
export async function inTurn<T>({ lines, apart }: Engine, line: string, work: () => Promise<T>): Promise<T> {
  const mine = (lines.get(line) ?? Promise.resolve()).then(() => apart(line, work))
  const done = mine.then(nothing, nothing)
  lines.set(line, done)
  try {
    return await mine
  } finally {
    if (lines.get(line) === done) lines.delete(line)
  }
}

/** Resolves when whoever is in a turn now, or waits for one, of a line that begins so has ended, in this process. */
export async function endOfTurns({ lines }: Engine, begins: string): Promise<void> {
  await Promise.all([...lines].filter(([line]) => line.startsWith(begins)).map(([, done]) => done))
}

const nothing = (): void => undefined
