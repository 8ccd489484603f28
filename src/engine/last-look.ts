// The look at GitHub before something turns green by an attempt. Many pieces come in one answer, and such an answer may be
// older than the last push: where it does not find the attempt in its place, the place is read by itself.
import { isSamePlace } from '../core/decision/subject.ts'
import type { Attempt } from '../core/decision/model.ts'
import type { Board, LastLook } from '../ports.ts'

export async function lastLook(forge: Board, pull: number, attempt: Attempt | null): Promise<LastLook> {
  const look = await forge.lastLook(pull)
  if (attempt === null || (look.now !== null && isSamePlace(look.now, attempt))) return look
  return { ...look, now: await forge.now(pull) }
}
