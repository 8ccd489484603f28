// All reading of what others wrote, as a closed table: pure functions of plain JSON, so that each can run in a thread of
// its own. What is small by its measure is read where it is; anything else is read aside, within limits.
import { governing, type Governing, type PolicySources } from './contract/governing.ts'
import { pathFacts, type PathFacts, type PathRules } from './contract/path-facts.ts'
import { readContract, type ContractTexts, type ReadContract } from './contract/read-contract.ts'
import { readPolicy } from './contract/read-policy.ts'
import { policyFile } from './contract/scope.ts'
import type { ChangedFile, CopyProblem } from './decision/model.ts'
import { readCommands, type ReadCommand } from './people/read-commands.ts'

/** `work`: how many characters of others have to be read, at most. */
export type Job<I, O> = { readonly run: (input: I) => O | Promise<O>; readonly work: (input: I) => number }

/** So many are read in milliseconds, whatever they are. */
export const SMALL_WORK_MAX = 2048

export const readPolicyJob: Job<PolicySources, Governing> = {
  run: governing,
  work: ({ own, organisation }) => length(own) + length(organisation),
}

export const policyCopyJob: Job<string, readonly CopyProblem[]> = {
  run: (text) => {
    const reading = readPolicy(text, policyFile)
    return reading.ok ? [] : reading.problems.map(({ line, message }) => ({ line, message }))
  },
  work: length,
}

export const readContractJob: Job<ContractTexts, ReadContract> = {
  run: readContract,
  work: ({ own, issues, policy }) =>
    length(policy.verification.verifier.criteria) + sum([own, ...issues], ({ body }) => length(body)),
}

export type CommentText = { readonly body: string; readonly kind: 'comment' | 'review' }

export const readCommandsJob: Job<CommentText, readonly ReadCommand[]> = {
  run: ({ body, kind }) => readCommands(body, kind),
  work: ({ body }) => length(body),
}

export type PathQuestion = { readonly files: readonly ChangedFile[]; readonly rules: PathRules }
/** Characters of a path that are held against those of a pattern in the time in which one is read. */
const COMPARED_AT_ONCE = 100

export const pathFactsJob: Job<PathQuestion, PathFacts> = {
  run: ({ files, rules }) => pathFacts(files, rules),
  work: ({ files, rules: { scope, task_scope, protected_paths, checks } }) => {
    const ofChecks = checks.flatMap(({ paths = [] }) => paths)
    const patterns = [
      scope.write,
      scope.deny,
      task_scope.write ?? [],
      task_scope.deny,
      protected_paths,
      ofChecks,
    ].flat()
    const paths = sum(files, ({ path, previous_path }) => length(path) + length(previous_path))
    return (sum(patterns, length) * paths) / COMPARED_AT_ONCE
  },
}

function length(text: string | null): number {
  return text?.length ?? 0
}

function sum<T>(all: readonly T[], size: (one: T) => number): number {
  return all.reduce((total, one) => total + size(one), 0)
}
