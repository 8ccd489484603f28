// What is expected of a page: what the policy says of every change, and what the task says of this one.
import type { Contract } from '../../core/contract/contract.ts'
import type { VisualExpectation } from '../../core/contract/expectations.ts'

export const expectationsOf = ({ policy, expectations }: Contract): readonly VisualExpectation[] => [
  ...(policy.security.vision.expectations ?? []),
  ...expectations,
]

/** Without a page it is of every page. */
export const isOfPage = ({ page }: Pick<VisualExpectation, 'page'>, name: string): boolean =>
  page === undefined || page === name
