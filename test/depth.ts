// What has more cases than a suite has time for: a share of them runs with every change, all of them in `npm run long`, which
// takes each file that asks this.
const isDeep = process.env['TEST_DEPTH'] === 'all'

/** How many histories or texts are tried of those that nobody can count. */
export const tries = (few: number): number => few * (isDeep ? 10 : 1)

/** Each so-and-so-many-th of a table, from the one at that place on. */
export const shareOf = <T>(every: number, cases: readonly T[], from = 0): readonly T[] =>
  isDeep ? cases : cases.filter((_, place) => place % every === from % every)
