// Words of rank in what the author wrote, and answers that rest on something unseen. Both are noted; the first moves
// nothing, in neither direction.
import type { OnTheWay } from '../../core/decision/record/events.ts'
import type { ProbeGrade } from '../../core/decision/examined.ts'

const cues = [
  ['you must', /\byou must\b/i],
  ['I instruct you', /\bI(?:'m| am) instructing you\b|\bI instruct you\b/i],
  ['as your manager', /\bas your (?:manager|supervisor|lead|boss|operator|owner)\b/i],
  ['this is an order', /\bthis is an? (?:order|directive)\b/i],
  ['do exactly as I say', /\bdo exactly as I say\b/i],
] as const
const NOTED_MAX = 10

export type Spoken = { readonly place: string; readonly text: string }

export function authorityIn(spoken: Iterable<Spoken>): OnTheWay[] {
  const noted: OnTheWay[] = []
  for (const { place, text } of spoken) {
    const cue = cues.find(([, pattern]) => pattern.test(text))
    if (cue !== undefined) noted.push({ type: 'AuthorityDeferenceDetected', data: { pattern: cue[0], place } })
    if (noted.length === NOTED_MAX) break
  }
  return noted
}

const assumption = /\bassum(?:e|es|ed|ing)\b|\bpresumabl[ey]\b|\bnot shown\b|\bprobably\b/i

/** What a yes rests on that nobody saw, or null. */
export function assumptionIn(probes: readonly ProbeGrade[], unseen: readonly string[]): string | null {
  const rests = probes.find(({ answer, why }) => answer === 'met' && assumption.test(why))
  if (rests !== undefined) return `${rests.id}: ${rests.why}`
  const open = probes.some(({ answer }) => answer === 'cannot_tell' || answer === 'not_met')
  return open ? null : (unseen.find((one) => one.trim() !== '') ?? null)
}
