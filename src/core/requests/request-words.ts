// What an issue asks for, and what is too unclear in it to be judged by. Only what its text says counts, and only as a task's
// criteria would: bullets below a heading "Acceptance criteria", or the list of a block.
import { digest } from '../canonical.ts'
import { lackingIn } from '../contract/task/clear-criteria.ts'
import { findTaskBlock, headedCriteria } from '../contract/task/task-text.ts'
import { readTaskBlock } from '../contract/task/task-block.ts'
import type { RequestWords } from './request.ts'

const CRITERION_LENGTH_MAX = 500
const CRITERIA_MAX = 200

export function requestWords(title: string, body: string): RequestWords {
  const found = [...inBlock(body), ...headed(body)]
  const criteria = [...new Set(found)].slice(0, CRITERIA_MAX).map((one) => one.slice(0, CRITERION_LENGTH_MAX))
  return { title, text: digest([title, body]), criteria, lacking: lackingIn(criteria) }
}

function headed(body: string): readonly string[] {
  const search = headedCriteria(body)
  return search.ok ? search.criteria : []
}

function inBlock(body: string): readonly string[] {
  const search = findTaskBlock(body, 'the request')
  if (!search.ok || search.block === null) return []
  const reading = readTaskBlock(search.block.text, 'the request')
  return reading.ok ? reading.block.acceptance_criteria : []
}
