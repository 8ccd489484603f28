// Words of rank in what the author wrote, which are noted and move nothing, and answers that rest on something unseen.
import type { OnTheWay } from '../../core/decision/record/on-the-way.ts'
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

/** What a yes rests on that nobody saw, or null. Only the list of it counts: the words of an answer mean too much. */
export function assumptionIn(readings: readonly Named[]): string | null {
  const unsure = readings.some(({ probes }) =>
    probes.some(({ answer }) => answer !== 'met' && answer !== 'not_applicable'),
  )
  const needed = readings.flatMap(({ unseen_needed }) => unseen_needed).find((one) => one.trim() !== '')
  return unsure ? null : (needed ?? null)
}

type Named = {
  readonly probes: readonly Pick<ProbeGrade, 'answer'>[]
  readonly unseen_needed: readonly string[]
}
