// What is expected of a page: what the policy says of every change, and what the task says of this one.
import type { Contract } from '../../core/contract/task/contract.ts'
import type { VisualExpectation } from '../../core/contract/task/expectations.ts'

export const expectationsOf = ({
  policy,
  expectations,
}: Pick<Contract, 'policy' | 'expectations'>): readonly VisualExpectation[] => [
  ...(policy.security.vision.expectations ?? []),
  ...expectations,
]

/** Without a page it is of every page. */
export const isOfPage = ({ page }: Pick<VisualExpectation, 'page'>, name: string): boolean =>
  page === undefined || page === name

/** What compares a page with what the base showed of it last. */
export const comparing = (expectations: readonly VisualExpectation[], page: string): readonly VisualExpectation[] =>
  expectations.filter((one) => one.kind === 'max_difference' && isOfPage(one, page))
