// Where GitHub answers otherwise than its own description says, so that an honest answer does not fit the description.
import type { Wrong } from './schemas.ts'

type Deviation = { readonly operation: RegExp; readonly at: RegExp; readonly reason: string }

const known: readonly Deviation[] = [
  {
    operation: /^apps\/list-installations$/,
    at: /^\/\d+\/account$/,
    reason: 'an account is described as a user and an enterprise at once (`allOf`), and is always one of the two',
  },
  {
    operation: /^(pulls\/(get|list)|repos\/list-pull-requests-associated-with-commit)$/,
    at: /^(\/\d+)?\/head\/repo$/,
    reason: 'a pull request outlives the fork that it came from, whose place is then null',
  },
  {
    operation: /^(pulls\/list|repos\/list-pull-requests-associated-with-commit)$/,
    at: /^\/\d+\/labels\/\d+\/description$/,
    reason: 'a label without a description has null there, as the description of a single pull request says',
  },
]

export const isKnown = (operation: string, { at }: Wrong): boolean =>
  known.some((one) => one.operation.test(operation) && one.at.test(at))
