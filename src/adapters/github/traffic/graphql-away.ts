// GraphQL may be away while REST is not: its hour is spent, or it fails by itself, as it does more often. What REST tells too is read
// over REST then.
import { isRefusedQuery, statusOf } from '../status.ts'
import { NoAnswer } from './no-answer.ts'
import { isSpentOnGraphql } from './pacing.ts'

/** Of an error of a question over GraphQL. Where all of GitHub fails REST says so; a connection that broke says nothing. */
export const isGraphqlAway = (error: unknown): boolean =>
  isSpentOnGraphql(error) || error instanceof NoAnswer || (isAnswered(error) && (statusOf(error) ?? 0) >= 500)

const isAnswered = (error: unknown): boolean =>
  error instanceof Error && 'response' in error && error.response !== undefined

/** It does not tell what was asked, and REST may. */
export const isUntold = (error: unknown): boolean =>
  isRefusedQuery(error) || statusOf(error) === 404 || isGraphqlAway(error)
