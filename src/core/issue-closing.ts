// How an issue came to be closed. GitHub names whoever merged a pull request as who closed what that one closes, which says
// nothing about what they wish to become of the issue.
import type { Maker } from './people/people.ts'

/** `by_merge`: a pull request or a commit closed it, with the words that do. `at`: empty where GitHub does not tell. */
export type Closing = { readonly by: Maker | null; readonly at: string; readonly by_merge: boolean }
