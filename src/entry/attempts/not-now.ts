// Trouble that passes without anybody changing what was asked: whoever waits asks again, and all others are told.
import { statusOf } from '../../adapters/github/status.ts'
import { CannotRun } from '../cli/cases/cannot-run.ts'

export class NotNow extends CannotRun {
  /** Sooner nobody needs to ask again; 0 where nobody says. */
  readonly afterMs: number

  constructor(message: string, afterMs = 0) {
    super(message)
    this.afterMs = afterMs
  }
}

/** Whoever answers so fails, or has enough for now. What it calls wrong or missing it will call so again. */
export const passes = (status: number): boolean => status >= 500 || status === 429

/** By the header of an answer that says how many seconds. */
export const retryAfterMs = (header: string | null): number =>
  /^\d{1,6}$/.test(header ?? '') ? Number(header) * 1_000 : 0

/** What GitHub shows of something, or words for why it does not. */
export async function shown<T>(what: string, asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof CannotRun) throw error
    if (error instanceof Error && 'retryAt' in error && typeof error.retryAt === 'string')
      throw new NotNow(error.message, Math.max(0, Date.parse(error.retryAt) - Date.now()))
    if (passes(statusOf(error) ?? 0)) throw new NotNow(`GitHub does not answer about ${what} (${String(error)})`)
    throw new CannotRun(`GitHub does not show ${what} to this token (${String(error)})`)
  }
}
