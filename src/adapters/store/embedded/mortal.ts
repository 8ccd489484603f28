// The death of an embedded database. Where it cannot write its log it gives up in the middle of a statement, as it must;
// PGlite then goes on calling what is left of it for ever, and the process never comes back from that. So the first call
// that ends without an answer is the last one: whatever is asked afterwards, also on the way out of that very call, is
// refused instead.
import type { PGlite } from '@electric-sql/pglite'

/** The call that answers what was asked. */
const step = '_PostgresMainLoopOnce'
/** How the database says within PGlite that a statement failed and it lives on. */
const longJump = 100

/** Calls `onDeath` once it is dead. What this returns kills it, for what it has written can no longer be trusted. */
export function mortal(db: PGlite, onDeath: (cause: unknown) => void): (cause: unknown) => void {
  const module = db.Module
  const answer = module[step]
  let dead = false
  const end = (cause: unknown): void => {
    if (dead) return
    dead = true
    const refuse = (): never => {
      throw new Error('The embedded database has ended', { cause })
    }
    Object.assign(module, {
      stackSave: refuse,
      stackRestore: refuse,
      [step]: refuse,
      _PostgresMainLongJmp: refuse,
      _PostgresSendReadyForQueryIfNecessary: refuse,
      _pq_buffer_remaining_data: refuse,
      _pgl_pq_flush: refuse,
      _IsTransactionBlock: refuse,
    })
    onDeath(cause)
  }
  module[step] = () => {
    try {
      answer()
    } catch (error) {
      if (!isLongJump(error)) end(error)
      throw error
    }
  }
  return end
}

const isLongJump = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'status' in error && error.status === longJump
