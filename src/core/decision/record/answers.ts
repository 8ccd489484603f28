// The raw answers of models on record. An event's hash is taken over the hash of each answer instead of its text, so that a
// text can be removed one day and the chain goes on holding; while it stands there, it has to match.
import { sha256 } from '../../canonical.ts'
import type { RawAnswer } from '../examined.ts'

type Members = Readonly<Record<string, unknown>>

/** An answer as it comes on record. */
export const kept = (answer: RawAnswer): RawAnswer => ({ ...answer, text_hash: sha256(answer.text) })

/** What of an event its hash is taken over. */
export const hashed = (event: object): object => withAnswers(event, ({ text: _text, ...rest }) => rest)

/** The event without the texts that its hash does not need. */
export const withoutAnswers = (event: object): object => withAnswers(event, (answer) => ({ ...answer, text: '' }))

/** Whether it has texts that can be removed. */
export const hasAnswers = (event: object): boolean => removable(event).some(({ text }) => text !== '')

/** Whether every text that was not removed is the one that was hashed. */
export const answersHold = (event: object): boolean =>
  removable(event).every(({ text, text_hash }) => text === '' || (isText(text) && sha256(text) === text_hash))

const removable = (event: object): readonly Members[] => (answersIn(event)?.raw ?? []).filter(isRemovable)

function withAnswers(event: object, change: (answer: Members) => Members): object {
  const found = answersIn(event)
  if (found === null) return event
  const raw = found.raw.map((answer) => (isRemovable(answer) ? change(answer) : answer))
  return { ...event, data: { ...found.data, raw } }
}

function answersIn(event: object): { readonly data: Members; readonly raw: readonly unknown[] } | null {
  if (!('data' in event) || !isMembers(event.data)) return null
  const { raw } = event.data
  return Array.isArray(raw) ? { data: event.data, raw } : null
}

/** One of an older record is part of what was hashed there. */
const isRemovable = (answer: unknown): answer is Members => isMembers(answer) && isText(answer['text_hash'])

const isText = (value: unknown): value is string => typeof value === 'string'
const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null
