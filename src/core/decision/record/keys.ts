// By which names streams are found that hold something about a pull request, a commit, a tree or a goal, and a gate's work.
import type { GateName } from '../model.ts'

/** How those of a repository's pull requests begin. */
export const pullKeys = (repository: string): string => `pull:${repository}:`
export const pullKey = (repository: string, pull: number): string => `${pullKeys(repository)}${pull}`
/** The groups of the merge queue that stand on a commit. */
export const standsOnKey = (repository: string, sha: string): string => `stands-on:${repository}:${sha}`
/** The groups of the merge queue that a pull request is in. */
export const queuedKey = (repository: string, pull: number): string => `queued:${repository}:${pull}`
/** Wherever this tree is judged: a rejection of it counts in each of them. */
export const treeKey = (repository: string, tree: string): string => `tree:${repository}:${tree}`
/** The goals that an issue is or was a task of. */
export const taskOfGoalKey = (repository: string, goal: number): string => `of-goal:${repository}:${goal}`
/** The tasks that wait, or waited, for an issue. */
export const waitsForKey = (repository: string, issue: number): string => `waits-for:${repository}:${issue}`
/** The tasks whose pull requests close, or closed, an issue beside them. */
export const closesKey = (repository: string, issue: number): string => `closes:${repository}:${issue}`
/** The tasks whose pull requests stand, or stood, behind this one in the same places. */
export const behindKey = (repository: string, pull: number): string => `behind:${repository}:${pull}`
export const commitKey = (repository: string, sha: string): string => `commit:${repository}:${sha}`

/** What a gate's look at an attempt is known by. */
export const gateKey = (attemptId: string, gate: GateName): string => `${attemptId} ${gate}`
