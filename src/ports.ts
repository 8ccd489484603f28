// The outside world as the engine needs it. Adapters implement these; nothing else crosses the floors.
import type { RawAnswer } from './core/decision/examined.ts'
import type { RecordedEvent } from './core/decision/record/events.ts'
import type { Input, UnavailableReport, VerdictReport } from './core/decision/rules/inputs.ts'
import type { Attempt, ChangedFile, GateName, GateRecord, Protection, StarterFile } from './core/decision/model.ts'
import type { IssueBoards, IssueText, MarkedIssue } from './core/issue-boards.ts'
import type { Shown } from './core/decision/shown/owed.ts'
import type { LastSaid, PlaceHeard, Saying, ToldResult } from './core/news.ts'
import type { CommitMade } from './core/people/builders.ts'
import type { OwnersFile } from './core/people/stage-people.ts'
import type { Maker, Person } from './core/people/people.ts'
import type { Roster } from './core/people/roster.ts'
import type { Change, FileChange } from './verifier/change/change.ts'
import type { Pages, ScreenshotsKept } from './verifier/vision/page.ts'
import type { Snapshot } from './verifier/context/look.ts'

/** Thrown by `append` when the stream is no longer at the expected version: somebody else was faster. */
export class Conflict extends Error {
  override readonly name = 'Conflict'
}

/** Thrown where another process was at work on the same thing for long, or the machine has no room: it passes, and nobody failed. */
export class BusyElsewhere extends Error {
  override readonly name = 'BusyElsewhere'
}

/** Thrown where what GitHub lists is from before something that it told us: its copies follow one another. */
export class NotShownYet extends Error {
  override readonly name = 'NotShownYet'
}

export interface Store {
  /** The events of a stream behind `after`, in order; NotOnRecord where that one has another hash than is said, or is gone. */
  readonly read: (stream: string, after?: number, hash?: string) => Promise<readonly RecordedEvent[]>
  /** All events of a stream exactly as they were stored, which is what their hashes were taken over; an Error for each that is not there. */
  readonly readRaw: (stream: string) => Promise<readonly unknown[]>
  /** The newest event of each of these streams that has one, as it was stored: it never lies in the archive. */
  readonly newest: (streams: readonly string[]) => Promise<ReadonlyMap<string, unknown>>
  /** Whole batch or nothing; versions and hashes are already sealed into the events. Rejects with Conflict. */
  readonly append: (stream: string, expectedVersion: number, events: readonly RecordedEvent[]) => Promise<void>
  /** Names of all streams, in order, a page at a time. */
  readonly streams: (after: string, limit: number) => Promise<readonly string[]>
  /** Streams in which something may be left to do, in order, a page at a time. */
  readonly open: (after: string, limit: number) => Promise<readonly OpenStream[]>
  /** Nothing is left to do in a stream of this version. Whatever is appended to it opens it again. */
  readonly finish: (stream: string, version: number) => Promise<void>
  /** The streams that hold an attempt with this key. */
  readonly find: (key: string) => Promise<readonly string[]>
  readonly close: () => Promise<void>
}

/** `at`: the time of its last event. */
export type OpenStream = { readonly stream: string; readonly version: number; readonly at: string }

/**
 * `complete`: there are no more than these. The hunks are by path, as far as they are shown. `parting`: the tree against which they
 * are counted; null where GitHub does not tell.
 */
export type FileList = {
  readonly files: readonly ChangedFile[]
  readonly complete: boolean
  readonly patches: ReadonlyMap<string, string>
  readonly parting?: string | null
}

/** Where an attempt is shown, and what answers the questions that its state leaves open. */
export interface Board {
  /** Makes a slot show this. `ref` is where it was shown last; the same thing twice is one thing. */
  readonly show: (shown: Shown, ref: string | null) => Promise<{ ref: string | null }>
  /** An open, ready pull request as it is now, read for this question in one go; null where it is not open and ready. */
  readonly now: (pull: number) => Promise<PullNow | null>
  /** What became of a pull request, read now; null where nothing of this number is one. */
  readonly kindOf: (pull: number) => Promise<PullState['kind'] | null>
  /** As `now`, with what people said there and at its issue last: the look before it turns green. */
  readonly lastLook: (pull: number, issue: number | null) => Promise<LastLook>
  /** The policy at the tip of a branch, or of the default branch, and the organisation's default below it. */
  readonly policy: (branch: string | null) => Promise<PolicyTexts>
  /** The policy as a commit itself has it, or null where it has none. */
  readonly policyCopy: (head: Pick<Attempt, 'head_sha'>) => Promise<string | null>
  readonly codeOwners: (branch: string) => Promise<OwnersFile | null>
  /** What a team or an e-mail address is called as a reviewer; null where it is nobody that we can see. */
  readonly reviewerCalled: (name: string) => Promise<string | null>
  readonly changedFiles: (head: Pick<Attempt, 'pull' | 'head_sha' | 'merges_into'>) => Promise<FileList>
  /** What has been reported about an attempt so far. Rejects with NotShownYet where it is without what was told. */
  readonly results: (attempt: Attempt, told?: readonly ToldResult[]) => Promise<readonly Input[]>
  /** The pull requests that were merged as a commit, those first, and those that have it as their head. */
  readonly pullsBehind: (sha: string) => Promise<readonly Behind[]>
}

/** One repository on GitHub, seen through the installation that lets us in. */
export interface Forge extends Board, IssueBoards {
  readonly self: string
  /** Says at once that a commit is going to be judged, before anything about it has been read. */
  readonly announce: (sha: string, name: string) => Promise<{ ref: string | null }>
  /** The change as the verifier reads it: every listed file with its hunks. */
  readonly change: (attempt: Attempt) => Promise<Change>
  /** The files of the attempt's commit, of which these changed. */
  readonly snapshot: (attempt: Attempt, files: readonly FileChange[]) => Promise<Snapshot>
  readonly screenshots: ScreenshotsKept
  /** Models that the commits of a pull request name as their makers. */
  readonly declaredModels: (pull: number) => Promise<readonly string[]>
  /** A pull request and by which terms it is judged. */
  readonly brief: (heard: Heard, options?: BriefOptions) => Promise<Brief>
  /** Whoever moved the branch of a pull request, as GitHub keeps it; null where it does not tell all of them. */
  readonly pushers: (facts: PullFacts) => Promise<readonly PushMade[] | null>
  /** When its base became another one last; null where it never did. */
  readonly movedAt: (pull: number) => Promise<string | null>
  /** All that people said about a pull request since then, the oldest first; since ever, where that is empty. */
  readonly saidSince: (where: Pick<PlaceHeard, 'is' | 'number'>, since: string) => Promise<readonly Saying[]>
  readonly stateOf: (pull: number) => Promise<PullState>
  readonly openPulls: () => Promise<readonly OpenPull[]>
  /** Null where it is gone. */
  readonly issue: (number: number) => Promise<IssueText | null>
  /** The pull requests that the merge queue put between the tip of a branch and a commit. */
  readonly pullsAhead: (branch: string, head_sha: string) => Promise<readonly number[]>
  /** Whether the rules of a branch require a check of this name; null where they cannot be seen. */
  readonly requires: (branch: string, check: string) => Promise<boolean | null>
  /** Our check runs on a commit, read now, newest first: the newest of each name, and all that have not ended. Null where it is gone. */
  readonly runs: (sha: string) => Promise<readonly RunSeen[] | null>
  /** What our newest finished check run of this name on a commit concluded; null where there is none. */
  readonly stands: (sha: string, name: string) => Promise<string | null>
  /** Whether these rules take it from this App alone; null where they cannot be seen. */
  readonly protects: (branch: string, check: string) => Promise<Protection | null>
  /** In which attempt a workflow run is, counted from 1. */
  readonly runAttempt: (run: number) => Promise<number>
  /** Who let a workflow run of this attempt begin that had waited for that; null where nobody did. */
  readonly approverOf: (attempt: Attempt, run: number) => Promise<Maker | null>
  /** Files that a repository without a policy may begin with, and where they are created; empty where nobody can tell. */
  readonly starter?: (branch: string) => Promise<readonly StarterFile[]>
  readonly census: () => Promise<Roster>
  /** Somebody's permission, read now: what was remembered may refuse, never grant. */
  readonly person: (who: Maker, teams: readonly string[]) => Promise<Person>
  readonly reply: (pull: number, body: string) => Promise<void>
  readonly react: (commentId: number, reaction: 'eyes' | '+1' | '-1') => Promise<void>
  readonly removeLabel: (pull: number, label: string) => Promise<void>
}

/** Thrown while a repository does not let us in: nothing can be shown there, and nothing is lost. */
export class NotInstalled extends Error {
  override readonly name = 'NotInstalled'
}

/** A check run of ours as GitHub has it. */
export type RunSeen = {
  readonly ref: string
  readonly name: string
  /** What it was given to carry when it was written, which says what it shows. */
  readonly mark: string | null
  /** Null while it has not ended. */
  readonly conclusion: string | null
}
/** A name on a commit, under which a check run stands. */
export type RunPlace = { readonly repository: string; readonly sha: string; readonly name: string }
/** What stands at many places, asked for together. */
export type LookAtRuns = (places: readonly RunPlace[]) => Promise<{
  /** For each place, newest first; null where it could not be read. */
  readonly seen: readonly (readonly RunSeen[] | null)[]
  readonly failed: readonly unknown[]
}>
/** What is open in many repositories, asked for together. */
export type LookAtPulls = (repositories: readonly string[]) => Promise<ReadonlyMap<string, RepositoryListed>>
/** `pulls`: null where they have to be asked for by themselves. */
export type RepositoryListed = { readonly pulls: readonly PullListed[] | null; readonly marked: readonly MarkedIssue[] }
/** `rollup`: all that is reported about the head in one word, whoever reported it; null where that is nothing. */
export type PullListed = OpenPull & { readonly rollup: string | null }

/** Finds the repository of a stream; rejects with NotInstalled. */
export type Forges<F extends Board> = { readonly of: (stream: string) => Promise<F> }

export type PullState = UnmergedNow | { readonly kind: 'merged'; readonly by: Maker }
type UnmergedNow = { readonly kind: 'open' | 'draft' | 'closed'; readonly now: PullNow }
/** By which base a pull request is judged: that of its stack, where it is in one. */
export type BaseNow = {
  readonly base_ref: string
  readonly base_is_default: boolean
  /** The branch that it merges into. */
  readonly merges_into: string
}
/** Who moved a branch to a commit. */
/** `before`: what the branch was at; null where it was not there. */
export type PushMade = { readonly sha: string; readonly before: string | null; readonly by: Maker; readonly at: string }
export type PullNow = BaseNow & { readonly head_sha: string; readonly updated_at: string }
/**
 * `now`: null where it is not open and ready. `said`: null where it has to be read by itself. `twins`: null where what was told is
 * about another commit.
 */
export type LastLook = {
  readonly now: PullNow | null
  readonly said: LastSaid | null
  /** What was said at the issue of its task, where that was asked for. */
  readonly at_issue: LastSaid | null
  /** The issues that it closes, null where not all are told; and which stand above those and above that of its task. */
  readonly closes: readonly number[] | null
  readonly above: readonly { readonly issue: number; readonly goal: number }[]
  readonly twins: readonly Twin[] | null
}
/** Another pull request, open and ready, with the same commit. */
export type Twin = PullNow & { readonly pull: number }
/**
 * A pull request by which a commit came. `ready`: it is open and no draft. `below`: of a stack, the pull requests that it brings
 * along; null where the commit stands on another one than their heads.
 */
export type Behind = PullNow & {
  readonly pull: number
  readonly ready: boolean
  readonly below: readonly (Pick<PullNow, 'head_sha' | 'base_ref'> & { readonly pull: number })[] | null
}
/** Where its head and its base were heard to be. */
export type Heard = { readonly pull: number; readonly head_sha: string; readonly base_ref: string }
/** `anew`: not from where an older state was just read. */
export type BriefOptions = { readonly anew?: boolean }
export type PullFacts = BaseNow & {
  readonly number: number
  readonly title: string
  readonly body: string
  readonly open: boolean
  readonly draft: boolean
  readonly head_sha: string
  readonly tree_sha: string
  readonly conflicts: boolean
  readonly author: Maker
  /** Who changed the text last; null where nobody but its author did. */
  readonly editor: Maker | null
  /** The branch that it comes from, where it lies in this repository. */
  readonly head_branch: string | null
  readonly commits: readonly CommitMade[]
  readonly commits_complete: boolean
}
export type Brief = {
  readonly facts: PullFacts
  /** Our check runs on the commit that was asked about which nothing was shown in yet, newest first. */
  readonly queued: readonly RunSeen[]
  /** The policy of its base, and the issues of its own repository that it closes, with their texts. */
  readonly terms: () => Promise<{
    readonly policy: PolicyTexts
    readonly issues: readonly IssueText[]
    /** GitHub named all that it closes. */
    readonly issues_complete: boolean
  }>
}
export type OpenPull = BaseNow & {
  readonly number: number
  readonly head_sha: string
  readonly draft: boolean
  readonly created_at: string
  readonly updated_at: string
}
export type PolicyTexts = {
  readonly sha: string
  readonly own: string | null
  readonly organisation: string | null
}

export type VerifierAnswer =
  | ({ readonly type: 'report_verdict' } & VerdictReport)
  | ({ readonly type: 'report_unavailable' } & UnavailableReport)
export type GateAnswer = Omit<GateRecord, 'id'> & { readonly elapsed_ms: number; readonly raw?: readonly RawAnswer[] }

export interface Verifier {
  /** Whether there is a model to ask. */
  readonly available: boolean
  /** Before anything is recorded: refuses to judge its own work, and says what is handed over. */
  readonly prepare?: (
    attempt: Attempt,
    sessionId: string,
    stream: string,
  ) => Promise<{ readonly tier: 2 | 3; readonly handoff_hash: string }>
  /** Null where the answer takes long and comes back as something that is heard. */
  readonly verify: (attempt: Attempt, sessionId: string, stream: string) => Promise<VerifierAnswer | null>
  /** Nobody waits any longer for what is being verified of this attempt. */
  readonly abort?: (attemptId: string) => void
  /** Null where the answer takes long and comes back as something that is heard, or where nobody waits for it any more. */
  readonly judgeGate: (
    attempt: Attempt,
    gate: GateName,
    sessionId: string,
    stream: string,
  ) => Promise<GateAnswer | null>
}

/** What the built-in verifier needs to know about an attempt beside the attempt itself. */
export interface Evidence {
  /** The three-dot diff of base and head, with every file that is listed. */
  readonly change: (attempt: Attempt, stream: string) => Promise<Change>
  /** The files that its commit has; left out, nothing but the change is shown. */
  readonly snapshot?: (attempt: Attempt, files: readonly FileChange[], stream: string) => Promise<Snapshot>
  /** What its screenshots show; left out, nobody can look at any. */
  readonly pages?: (attempt: Attempt, stream: string) => Promise<Pages>
  /** Everything on record about the task, raw answers included. */
  readonly past: (attempt: Attempt, stream: string) => Promise<readonly RecordedEvent[]>
  /** Models that commit trailers name as makers of the change. */
  readonly declaredModels: (attempt: Attempt, stream: string) => Promise<readonly string[]>
}

/** Fresh identities. */
export type Ids = { readonly next: () => string }

/** Now, as ISO text in UTC. */
export type Clock = { readonly now: () => string }
