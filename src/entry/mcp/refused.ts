// What a tool answers where it does not do what it was asked, in words for whoever called it.
import { redact } from '../../core/words/text/redact.ts'
import { CannotRun } from '../cli/cases/cannot-run.ts'
import { SettingsWrong } from '../wire.ts'

export class Refused extends Error {
  override readonly name = 'Refused'
}

/** What was expected is told; a fault of ours is told as one, without what it may quote. */
export function wordsFor(error: unknown): string {
  const expected = [Refused, CannotRun, SettingsWrong].some((kind) => error instanceof kind)
  return expected && error instanceof Error ? redact(error.message) : 'Countersign itself failed here; try again.'
}

export async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new Refused(wordsFor(error), { cause: error })
  }
}
