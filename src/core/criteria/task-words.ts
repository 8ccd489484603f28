// What the text of an issue says as that of a task: whether it holds a task's block, and what is too unclear in its criteria.
import { readTaskBlock } from '../contract/task/task-block.ts'
import { findTaskBlock } from '../contract/task/task-text.ts'
import type { PolicyProblem } from '../contract/problem.ts'
import { requestWords } from '../requests/request-words.ts'

export type TaskWords = { readonly has_block: boolean; readonly lacking: readonly string[] }

export function taskWords(title: string, body: string): TaskWords {
  const search = findTaskBlock(body, 'its text')
  if (!search.ok) return { has_block: true, lacking: search.problems.map(unread) }
  const { block } = search
  const reading = block === null ? null : readTaskBlock(block.text, 'its block')
  if (reading?.ok === false) return { has_block: true, lacking: reading.problems.map(unread) }
  return { has_block: block !== null, lacking: requestWords(title, body).lacking }
}

const unread = ({ file, line, message }: PolicyProblem): string => `${file} cannot be read, at line ${line}: ${message}`

/** Where reading takes too long, what is not read is never taken for clear. */
export const unreadWords: TaskWords = {
  has_block: true,
  lacking: ['its text takes too long to read: shorten it'],
}
