// Under which keys words stand on record as heard. A comment and a review have a number; a label that is set and a review that
// is dismissed have none in a webhook, so their keys begin with what they are told by wherever GitHub tells them.
import type { Words } from '../../core/news.ts'

export const labelKey = (action: string, label: string, at: string): string => `label-${at}-${action}-${label}-`
export const dismissalKey = (review: string): string => `dismissal-${review}-`

/** Whether these words are among what is on record as heard, under whichever delivery they came. */
export function isHeard(news: Words, heard: readonly string[]): boolean {
  switch (news.kind) {
    case 'said':
      return heard.some((key) => key.startsWith(`${news.key}/`))
    case 'reviewed':
      return heard.includes(news.key)
    case 'labelled': {
      // A webhook tells when the pull request changed, the list when the label did; that is the same moment, not the same second.
      const keys = secondsAround(news.at).map((at) => labelKey(news.added ? 'labeled' : 'unlabeled', news.label, at))
      return heard.some((key) => keys.some((begin) => key.startsWith(begin)))
    }
    case 'review_dismissed':
      return heard.some((key) => key.startsWith(dismissalKey(news.review_key)))
  }
}

const secondsAround = (at: string): readonly string[] =>
  [-2, -1, 0, 1, 2].map((by) => new Date(Date.parse(at) + by * 1_000).toISOString().replace('.000Z', 'Z'))
