// Whose texts state a task: the lowest-numbered issue that a pull request closes, or the pull request itself where it
// closes none. Other issues that it closes only tighten. The App and the Action both ask here, so that the checks that one
// expects are those that the other runs.
import type { BlockInput } from './make-contract.ts'
import type { PolicyProblem } from '../problem.ts'
import { findTaskBlock } from './task-text.ts'

/** An issue, or a pull request that is its own task. */
export type TaskText = { readonly number: number; readonly body: string }
export type TaskBlocks = { readonly blocks: readonly BlockInput[]; readonly problems: readonly PolicyProblem[] }

/** The number of the task that a new pull request is an attempt at. */
export function taskNumber(pull: number, closed: readonly Pick<TaskText, 'number'>[]): number {
  return closed.reduce<number | null>((lowest, { number }) => Math.min(lowest ?? number, number), null) ?? pull
}

/** The blocks of a task, its own before the others. A text whose block cannot be told is a problem, and has none. */
export function taskBlocks<Text extends TaskText>(
  pull: number,
  own: Text,
  closed: readonly Text[],
  writtenBy: (text: Text) => Pick<BlockInput, 'edited_by' | 'may_run'>,
): TaskBlocks {
  const others = closed.filter(({ number }) => number !== own.number)
  const sources = [
    { text: own, source: own.number === pull ? 'pull_request' : 'issue' } as const,
    ...others.map((text) => ({ text, source: 'other_issue' }) as const),
  ]
  const found = sources.map(({ text, source }) => {
    const file = `#${text.number}`
    const search = findTaskBlock(text.body, file)
    if (!search.ok) return { blocks: [], problems: search.problems }
    if (search.block === null) return { blocks: [], problems: [] }
    // Whoever wrote the pull request's own text wrote the code that runs anyway.
    const writer = writtenBy(text)
    const may_run = source === 'pull_request' || writer.may_run !== false
    return { blocks: [{ ...writer, text: search.block.text, source, may_run, file }], problems: [] }
  })
  return { blocks: found.flatMap(({ blocks }) => blocks), problems: found.flatMap(({ problems }) => problems) }
}
