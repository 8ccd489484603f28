// The weather of a database: it does not answer, has no connection or no room left, takes no writes for now, or does not let
// us in, or is just being made anew. It passes without anybody changing what we were told, so whoever asked waits and asks again.
// All else that a database says is an answer, and stays the error that it is.
import { wordsOf } from '../../core/error-words.ts'

export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway'
  /** As a server says it whose connection is gone, for whoever tells the world's trouble from ours by codes. */
  readonly code = '08006'
}

/** What to throw for what a driver threw. */
export const awayOr = (error: unknown): unknown =>
  isAway(error) || !isWeather(error) ? error : new DatabaseAway(wordsOf(error), { cause: error })

/** Wherever it stands in an error. */
export function isAway(error: unknown): boolean {
  if (error instanceof DatabaseAway) return true
  if (error instanceof AggregateError && error.errors.some(isAway)) return true
  return error instanceof Error && error.cause !== undefined && isAway(error.cause)
}

/** Whether it says so wherever it stands in an error: by the state of SQL that names it. */
export function isState(error: unknown, state: string): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && error.code === state) || isState(error.cause, state)
}

/** Whether a database says it, be it of its weather or of what it was asked. */
export function isOfDatabase(error: unknown): boolean {
  if (error instanceof AggregateError && error.errors.some(isOfDatabase)) return true
  if (!(error instanceof Error)) return false
  return isAway(error) || ('code' in error && 'severity' in error) || isOfDatabase(error.cause)
}

/** There is a database, and nothing of ours in it. */
export const NO_TABLE = '42P01'
export const NO_DATABASE = '3D000'

const systemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'EADDRNOTAVAIL',
  'ENOBUFS',
  'ENOMEM',
  'EPROTO',
  'ENOENT',
  'ENOSPC',
  'EDQUOT',
  'EMFILE',
  'ENFILE',
])
/**
 * Connections, accounts that may not connect, whoever has to give way to others, resources, an operator's intervention and the
 * system's own trouble; whoever stood still in a transaction for too long; what takes no writes for now, or not from our account, or is
 * locked; and a database or a table that was there.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const sqlStates = /^(08|28|40|53|57|58)|^(25006|25P03|25P04|42501|55P03|3D000|42P01)$/
/** A certificate that is over, or that nobody here trusts, and what else keeps two from speaking TLS. */
const tlsCodes = /^(CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|ERR_(TLS|SSL|OSSL)_)/
/** What the driver says in words alone. */
const driverWords =
  /^(The server does not support SSL|Connection terminated|timeout e|Query read timeout|Client (has|was) |Cannot use a pool)/

function isWeather(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isWeather)
  // An error of PGlite is none of Error's own.
  if (typeof error !== 'object' || error === null) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    [sqlStates, tlsCodes].some((codes) => codes.test(code)) ||
    systemCodes.has(code) ||
    ('message' in error && driverWords.test(String(error.message)))
  )
}
