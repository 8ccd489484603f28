// What the doctor found out about one thing: how it stands, why, and the one command or link that mends it. What could not
// be looked at is unknown, and unknown is never well.
import { wordsOf } from '../../../core/error-words.ts'

export type State = 'ok' | 'warning' | 'wrong' | 'unknown'
export type Finding = {
  readonly about: string
  readonly state: State
  readonly why: string
  readonly mend: string | null
}

export const ok = (about: string, why: string): Finding => ({ about, state: 'ok', why, mend: null })
export const warning = (about: string, why: string, mend: string): Finding => ({ about, state: 'warning', why, mend })
export const wrong = (about: string, why: string, mend: string): Finding => ({ about, state: 'wrong', why, mend })
export const unknown = (about: string, why: string, mend: string | null = null): Finding => ({
  about,
  state: 'unknown',
  why,
  mend,
})

/** A look that fails has found out nothing, and keeps nobody from the others. */
export async function looked(about: string, work: () => Promise<Finding | readonly Finding[]>): Promise<Finding[]> {
  try {
    return [await work()].flat()
  } catch (error) {
    return [unknown(about, `it could not be looked at: ${wordsOf(error)}`)]
  }
}
