// What the paths of a change mean under its contract. Patterns are held against paths once, when the files are listed, and
// what came of it is on record: every later decision reads that.
import type { ChangedFile, ScopeViolation } from '../decision/model.ts'
import type { Contract } from './task/contract.ts'
import { concerns, protectedPaths, scopeViolations, touched } from './scope.ts'

export type PathFacts = {
  /** Whether all of it is known. Where it is not, somebody must look, and every check applies. */
  readonly known: boolean
  readonly violations: readonly ScopeViolation[]
  /** Paths whose change somebody entitled must acknowledge. */
  readonly guarded: readonly string[]
  /** Names of the checks that apply to what changed. */
  readonly applying: readonly string[]
  /** Names of the review stages whose paths changed; where the record does not say, all of them. */
  readonly stages?: readonly string[]
  /** Names of the gates whose paths changed; a gate without paths is not among them. */
  readonly gates?: readonly string[]
}
/** What of a contract the paths are held against. */
export type PathRules = {
  readonly scope: { readonly write: readonly string[]; readonly deny: readonly string[] }
  readonly task_scope: Contract['task_scope']
  readonly protected_paths: readonly string[]
  readonly checks: readonly OfPaths[]
  readonly stages: readonly OfPaths[]
  readonly gates?: readonly OfPaths[]
}
type OfPaths = { readonly name: string; readonly paths?: readonly string[] | undefined }

export const pathRules = ({ policy, task_scope }: Pick<Contract, 'policy' | 'task_scope'>): PathRules => ({
  scope: { write: policy.scope.write, deny: policy.scope.deny },
  task_scope,
  protected_paths: policy.protected_paths,
  checks: policy.verification.checks.map(({ name, paths }) => ({ name, paths })),
  stages: policy.review.stages.map(({ name, paths }) => ({ name, paths })),
  ...gatesOfPaths(policy),
})

function gatesOfPaths({ security: { red_team } }: Contract['policy']): Pick<PathRules, 'gates'> {
  return red_team.enabled && red_team.paths !== undefined
    ? { gates: [{ name: 'red_team', paths: red_team.paths }] }
    : {}
}

export function pathFacts(files: readonly ChangedFile[], rules: PathRules): PathFacts {
  const { scope, task_scope, protected_paths, checks, stages, gates } = rules
  const all = touched(files)
  const applying = (some: readonly OfPaths[]): string[] =>
    some.filter(({ paths }) => paths === undefined || all.some((one) => concerns(paths, one))).map(({ name }) => name)
  return {
    known: true,
    violations: scopeViolations(files, [scope, { write: task_scope.write ?? ['**'], deny: task_scope.deny }]),
    guarded: protectedPaths(files, protected_paths),
    applying: applying(checks),
    stages: applying(stages),
    ...(gates === undefined ? {} : { gates: applying(gates) }),
  }
}

/** Where the patterns could not be held against the paths within the limits. */
export const unknownPaths = ({ checks, stages, gates }: PathRules): PathFacts => ({
  known: false,
  violations: [],
  guarded: [],
  applying: checks.map(({ name }) => name),
  stages: stages.map(({ name }) => name),
  ...(gates === undefined ? {} : { gates: gates.map(({ name }) => name) }),
})
