// Whose trouble an error is. What the world does to us is waited out; anything else is a fault of ours, and is said.
import { Conflict, NotInstalled } from '../ports.ts'

/** An answer with a status, a connection that broke, a limit, or a repository that does not let us in. */
export function isOutage(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isOutage)
  if (!(error instanceof Error)) return false
  if (error instanceof NotInstalled || error instanceof Conflict) return true
  if ('status' in error || 'retryAt' in error || 'response' in error || 'headers' in error) return true
  return isNetwork(error) || (error.cause !== undefined && isOutage(error.cause))
}

/** Of a connection, or a state that a database answers with. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const networkCodes = /^(?:E(?:CONN|PIPE|HOST|NET|TIMEDOUT|AI_AGAIN)|UND_ERR|[0-9A-Z]{5}$)/

function isNetwork(error: Error): boolean {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return networkCodes.test(code) || error.name === 'AbortError' || error.name === 'TimeoutError'
}
