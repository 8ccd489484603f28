// Whose blocks count for a task, and as what.
import { describe, expect, test } from 'vitest'
import { taskBlocks, taskNumber } from '../../src/core/contract/task/task-sources.ts'

const fence = '```'
const saying = (number: number, words: string) => ({ number, body: `${fence}countersign\nbrief: ${words}\n${fence}\n` })
const kept = (...args: Parameters<typeof taskBlocks>) => {
  const { blocks, problems } = taskBlocks(...args)
  return {
    blocks: blocks.map(({ text, source, file }) => [text, source, file]),
    problems: problems.map(({ file }) => file),
  }
}
const nobody = () => ({ edited_by: 'other' }) as const

test('the task is the lowest issue that is closed, or the pull request itself', () => {
  expect(taskNumber(7, [])).toBe(7)
  expect(taskNumber(7, [{ number: 12 }, { number: 9 }, { number: 10 }])).toBe(9)
})

describe('blocks', () => {
  const [nine, twelve] = [saying(9, 'nine'), saying(12, 'twelve')]

  test('of the task come first, and each other issue only tightens', () => {
    expect(kept(7, nine, [twelve, nine], nobody)).toEqual({
      blocks: [
        ['brief: nine', 'issue', '#9'],
        ['brief: twelve', 'other_issue', '#12'],
      ],
      problems: [],
    })
  })

  test('of a pull request that was its own task before it closed anything', () => {
    expect(kept(7, saying(7, 'seven'), [twelve], nobody).blocks).toEqual([
      ['brief: seven', 'pull_request', '#7'],
      ['brief: twelve', 'other_issue', '#12'],
    ])
  })

  test('of a text with two cannot be told, which takes nothing from the others', () => {
    const twice = { number: 9, body: `${nine.body}\n${nine.body}` }
    expect(kept(7, twice, [{ number: 10, body: 'no block' }, twelve], nobody)).toEqual({
      blocks: [['brief: twelve', 'other_issue', '#12']],
      problems: ['#9'],
    })
  })
})
