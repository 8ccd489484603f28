// Whose trouble an error is. What the world does to us is waited out; anything else is a fault of ours, and is said.
import { BusyElsewhere, Conflict, NotInstalled, NotShownYet } from '../ports.ts'

/** An answer that is none, a connection that broke, a limit, a repository that does not let us in, or another process at work. */
export const isOutage = (error: unknown): boolean => isThroughout(error, isOutageItself)

/** Of several errors in one each has to be it. One that names none is it not. */
export const isThroughout = (error: unknown, isIt: (one: unknown) => boolean): boolean =>
  error instanceof AggregateError
    ? error.errors.length > 0 && error.errors.every((one) => isThroughout(one, isIt))
    : isIt(error)

function isOutageItself(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ([NotInstalled, Conflict, BusyElsewhere, NotShownYet].some((kind) => error instanceof kind)) return true
  if ('retryAt' in error || error.name === 'GraphqlResponseError') return true
  if ('status' in error && typeof error.status === 'number') return isUnwell(error.status)
  return isNetwork(error) || (error.cause !== undefined && isOutage(error.cause))
}

/**
 * GitHub fails, does not know us, does not let us, is at it already or has enough of us, or something on the way to it says so: that
 * passes, with time or when somebody mends it there. What it calls wrong or missing it will call so again.
 */
const isUnwell = (status: number): boolean =>
  status < 400 || status >= 500 || [401, 403, 407, 408, 409, 421, 425, 429].includes(status)

/**
 * Of a connection, of an answer that is no HTTP, or a state that a database answers with.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const networkCodes = /^(?:E(?:CONN|PIPE|HOST|NET|TIMEDOUT|AI_AGAIN)|UND_ERR|HPE_|[0-9A-Z]{5}$)/

function isNetwork(error: Error): boolean {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return networkCodes.test(code) || error.name === 'AbortError' || error.name === 'TimeoutError'
}
