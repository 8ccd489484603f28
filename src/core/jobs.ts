// All reading of what others wrote, as a closed table: pure functions of plain JSON, so that each can run in a thread of
// its own. What is small by its measure is read where it is; anything else is read aside, within limits.
import type { TaskScope } from './contract/task/contract.ts'
import { governing, type Governing, type PolicySources } from './contract/policy/governing.ts'
import { pathFacts, type PathFacts, type PathRules } from './contract/path-facts.ts'
import { readContract, type ContractTexts, type ReadContract } from './contract/task/read-contract.ts'
import { readPolicy } from './contract/policy/read-policy.ts'
import { declaredPaths } from './contract/overlap.ts'
import { policyFile } from './contract/scope.ts'
import { taskWords, type TaskWords } from './criteria/task-words.ts'
import type { ChangedFile, CopyProblem } from './decision/model.ts'
import type { RecordedEvent } from './decision/record/events.ts'
import { stagePeople, type StagePeople, type StageQuestion } from './people/stage-people.ts'
import { requestWords } from './requests/request-words.ts'
import type { RequestWords } from './requests/request.ts'
import { readCommands, type ReadCommand } from './people/read-commands.ts'
import { underPolicy, type Simulated } from './simulation/another-policy.ts'
import { copied } from './words/text/copied.ts'

export type Job<I, O> = {
  readonly run: (input: I) => O | Promise<O>
  /** What it may take at most, in characters of plain text that would take as long. */
  readonly work: (input: I) => number
  /** What of it nobody else needs any more: it is handed over, not copied. */
  readonly gives?: (input: I) => Uint8Array
}

/** Null where reading takes more time or memory than one text may take: what is not read is never taken for nothing. */
export type Read<I, O> = (input: I, tenant: string) => Promise<O | null>

/** What others wrote is parsed and matched here, away from the loop that everybody waits for, within limits. */
export interface Aside {
  readonly policy: Read<PolicySources, Governing>
  readonly policyCopy: Read<string, readonly CopyProblem[]>
  readonly contract: Read<ContractTexts, ReadContract>
  readonly commands: Read<CommentText, readonly ReadCommand[]>
  readonly paths: Read<PathQuestion, PathFacts>
  readonly declared: Read<DeclaredQuestion, readonly string[]>
  readonly simulation: Read<SimulationQuestion, readonly Simulated[]>
  readonly stages: Read<StageQuestion, readonly StagePeople[]>
  readonly request: Read<RequestText, RequestWords>
  readonly copied: Read<string, string>
  readonly task: Read<RequestText, TaskWords>
}

/** So much is read in milliseconds, whatever it is. */
export const SMALL_WORK_MAX = 2048

export const readPolicyJob: Job<PolicySources, Governing> = {
  run: governing,
  work: ({ own, organisation }) => textWork(own ?? '') + textWork(organisation ?? ''),
}

export const policyCopyJob: Job<string, readonly CopyProblem[]> = {
  run: (text) => {
    const reading = readPolicy(text, policyFile)
    return reading.ok ? [] : reading.problems.map(({ line, message }) => ({ line, message }))
  },
  work: textWork,
}

export const readContractJob: Job<ContractTexts, ReadContract> = {
  run: readContract,
  work: ({ own, issues, policy }) =>
    textWork(policy.verification.verifier.criteria) + sum([own, ...issues], ({ body }) => textWork(body)),
}

export type CommentText = { readonly body: string; readonly kind: 'comment' | 'review'; readonly self: string }

export const readCommandsJob: Job<CommentText, readonly ReadCommand[]> = {
  run: ({ body, kind, self }) => readCommands(body, kind, self),
  work: ({ body }) => textWork(body),
}

export type RequestText = { readonly title: string; readonly body: string }

export const requestWordsJob: Job<RequestText, RequestWords> = {
  run: ({ title, body }) => requestWords(title, body),
  work: ({ body }) => textWork(body),
}

export const copiedJob: Job<string, string> = { run: copied, work: textWork }

export const taskWordsJob: Job<RequestText, TaskWords> = {
  run: ({ title, body }) => taskWords(title, body),
  work: ({ body }) => textWork(body),
}

export type PathQuestion = { readonly files: readonly ChangedFile[]; readonly rules: PathRules }
export const pathFactsJob: Job<PathQuestion, PathFacts> = {
  run: ({ files, rules }) => pathFacts(files, rules),
  work: ({ files, rules: { scope, task_scope, protected_paths, checks, stages } }) => {
    const ofChecks = [...checks, ...stages].flatMap(({ paths = [] }) => paths)
    const patterns = [
      scope.write,
      scope.deny,
      task_scope.write ?? [],
      task_scope.deny,
      protected_paths,
      ofChecks,
    ].flat()
    return compareWork(patterns, pathsOf(files))
  },
}

/** Which of these paths a task declares that it writes. */
export type DeclaredQuestion = { readonly paths: readonly string[]; readonly scope: TaskScope }
export const declaredPathsJob: Job<DeclaredQuestion, readonly string[]> = {
  run: ({ paths, scope }) => declaredPaths(paths, scope),
  work: ({ paths, scope: { write, deny } }) => compareWork([...(write ?? []), ...deny], paths),
}

/** What a policy would have decided about a task. */
export type SimulationQuestion = PolicySources & {
  readonly task_id: string
  readonly events: readonly RecordedEvent[]
}
export const simulationJob: Job<SimulationQuestion, readonly Simulated[]> = {
  run: ({ task_id, events, ...texts }) => underPolicy(task_id, events, governing(texts).policy),
  work: ({ events }) => events.length * EVENT_WORK,
}

/** An event that is told again costs what so many characters of plain text do. */
const EVENT_WORK = 200

export const stagePeopleJob: Job<StageQuestion, readonly StagePeople[]> = {
  run: stagePeople,
  work: ({ stages, owners, touched }) => {
    const text = owners !== null && 'text' in owners ? owners.text : ''
    const patterns = [text, ...stages.flatMap(({ paths = [] }) => paths)]
    return textWork(text) + compareWork(patterns, touched ?? [])
  },
}

/** A line costs a parser what several characters do. */
const LINE_WORK = 10

export const pathsOf = (files: readonly Pick<ChangedFile, 'path' | 'previous_path'>[]): string[] =>
  files.flatMap(({ path, previous_path }) => (previous_path === null ? [path] : [path, previous_path]))

/** Characters of a path that are held against those of a pattern in the time in which one is read. */
const COMPARED_AT_ONCE = 100

export const compareWork = (patterns: readonly string[], paths: readonly string[]): number =>
  matchWork(sum(patterns, length), sum(paths, length))

export const matchWork = (signs: number, characters: number): number => (signs * characters) / COMPARED_AT_ONCE

export function textWork(text: string): number {
  // What is long is not even looked at.
  if (text.length > SMALL_WORK_MAX) return text.length
  return text.length + LINE_WORK * text.split(/\r\n|\n|\r/).length
}

function length(text: string | null): number {
  return text?.length ?? 0
}

function sum<T>(all: readonly T[], size: (one: T) => number): number {
  return all.reduce((total, one) => total + size(one), 0)
}
