// Under which keys words stand on record as heard. A comment and a review have a number; a label that is set and a review that
// is dismissed have none in a webhook, so their keys begin with what they are told by wherever GitHub tells them.
import type { Piece } from '../../../core/news.ts'

export const commentKey = (id: number): string => `comment-${id}`
export const reviewKey = (id: number): string => `review-${id}`
export const labelKey = (action: string, label: string, at: string): string => `label-${at}-${action}-${label}-`
export const dismissalKey = (review: string): string => `dismissal-${review}-`

/** The one name of these words, as a process remembers that it met them. */
export function nameOf(piece: Piece): string {
  switch (piece.kind) {
    case 'said':
    case 'issue_said':
    case 'reviewed':
      return piece.key
    case 'labelled':
      return labelKey(piece.added ? 'labeled' : 'unlabeled', piece.label, piece.at)
    case 'review_dismissed':
      return dismissalKey(piece.review_key)
  }
}

/** Whether these words are among what is on record as heard, under whichever delivery they came. */
export function isHeard(news: Piece, heard: readonly string[]): boolean {
  switch (news.kind) {
    case 'said':
    case 'issue_said':
    case 'reviewed':
      // A review that only gives commands is on record by these.
      return heard.some((key) => key === news.key || key.startsWith(`${news.key}/`))
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
