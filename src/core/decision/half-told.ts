// What GitHub told by halves: an issue that it did not show, who made a commit, or a policy that nobody could read and that somebody
// may have mended since, in this repository or its organisation. Another reading may tell the rest.
import { equal } from '../canonical.ts'
import type { Reason } from './decision.ts'
import type { Attempt } from './model.ts'

/** An issue that is not seen may ask for more than those that are. */
export const issuesUnseen: Reason = {
  code: 'contract_unreadable',
  subject: null,
  detail: 'GitHub does not show every issue that the pull request closes',
}

/** How much of it is missing. */
export const untold = ({ invalid, builder_known }: Pick<Attempt, 'invalid' | 'builder_known'>): number =>
  (builder_known ? 0 : 1) + (isUnseen({ invalid }) ? 1 : 0) + (isUnruled({ invalid }) ? 1 : 0)

const isUnruled = ({ invalid }: Pick<Attempt, 'invalid'>): boolean =>
  invalid.some(({ code }) => code === 'policy_invalid')

/** Whether its task may ask for more than is known. */
export const isUnseen = ({ invalid }: Pick<Attempt, 'invalid'>): boolean =>
  invalid.some((reason) => equal(reason, issuesUnseen))
