// Which criteria somebody else could judge by.
import { expect, test } from 'vitest'
import { isVague, lackingIn } from '../../src/core/contract/task/clear-criteria.ts'

// prettier-ignore
test.each<[string, boolean]>([
  ['Prices are rounded to cents', false],
  ['Login fails without a token', false],
  ['Preise werden auf Cent gerundet', false],
  ['价格必须四舍五入到分', false],
  ['It works', true],
  ['It works well and is done properly', true],
  ['Everything should be correctly implemented', true],
  ['Done', true],
  ['faster', true],
  ['a b c d', true],
  ['', true],
])('%s: vague is %s', (criterion, vague) => {
  expect(isVague(criterion)).toBe(vague)
})

test('none is told as none, and each vague one by itself', () => {
  expect(lackingIn([])).toEqual([expect.stringMatching(/^it names no acceptance criterion/)])
  expect(lackingIn(['It works', 'Prices are rounded to cents', 'Done'])).toEqual([
    'this criterion says too little to be judged by: It works',
    'this criterion says too little to be judged by: Done',
  ])
})
