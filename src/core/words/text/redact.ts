// Secrets out of text that others will read: tokens of well-known forms, private keys, passwords in addresses, and
// whatever values the caller knows to be secret. Text is redacted before it is cut, or half a token would slip through.
// Hostile text costs no more than its length: no pattern can read the same stretch more than a few times, because each
// begins with fixed letters and ends at a character that it cannot contain.

import { keyForm } from '../../private-keys.ts'
import { tokenForms } from '../../secret-formats.ts'

/** From `start` up to `end`, as positions in the text. */
export type Span = { readonly start: number; readonly end: number }

export const REDACTED = '***'
/** No secret that is looked for is longer, so a stream that keeps back this much never splits one. */
export const SECRET_LENGTH_MAX = 16_384
/** Shorter values, such as `true` or `1234`, would black out half of the text. */
const VALUE_LENGTH_MIN = 8
const VALUES_MAX = 500

const forms = [
  ...tokenForms,
  /\b[Aa][Ww][Ss]_[Ss][Ee][Cc][Rr][Ee][Tt]_[Aa][Cc][Cc][Ee][Ss][Ss]_[Kk][Ee][Yy]["']?\s{0,3}[=:]\s{0,3}["']?[A-Za-z0-9/+=]{40}/,
  /[?&]sig=[A-Za-z0-9%+/=_-]{20,512}/,
  /\bhooks\.slack\.com\/services\/[A-Za-z0-9/]{20,255}/,
  // What git and curl show of a header
  /\b[Aa][Uu][Tt][Hh][Oo][Rr][Ii][Zz][Aa][Tt][Ii][Oo][Nn]["']?\s{0,3}[:=]\s{0,3}["']?(?:[Bb]asic|BASIC|[Bb]earer|BEARER|[Tt]oken)\s{1,3}[^\s"']{8,4096}/,
  // scheme://somebody:secret@host
  /(?<=:\/\/)[^\s/:@]{0,256}:[^\s/@]{1,1024}(?=@)/,
  keyForm,
]
const anyForm = new RegExp(forms.map(({ source }) => source).join('|'))
const everyForm = new RegExp(anyForm, 'g')

/** `values` are secrets that the caller knows. */
export const redact = (text: string, values: readonly string[] = []): string => redacting(values)(text)

/** For whoever redacts more than one text. */
export function redacting(values: readonly string[]): (text: string) => string {
  const lines = secretLines(values)
  return (text) => {
    const spans = spansOf(text, lines)
    return spans.length === 0 ? text : withoutSpans(text, spans)
  }
}

/** Where secrets stand, in order and without overlap. */
export const secretSpans = (text: string, values: readonly string[] = []): Span[] => spansOf(text, secretLines(values))

function spansOf(text: string, values: readonly string[]): Span[] {
  // Most texts hold none, which is told much sooner so.
  const matches = anyForm.test(text) ? text.matchAll(everyForm) : []
  const found = Array.from(matches, ({ 0: secret, index }) => ({ start: index, end: index + secret.length }))
  for (const value of values) {
    for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length)) {
      found.push({ start: at, end: at + value.length })
    }
  }
  return merged(found)
}

export function withoutSpans(text: string, spans: readonly Span[]): string {
  let from = 0
  const parts = spans.map(({ start, end }) => {
    const before = text.slice(from, start)
    from = end
    return before + REDACTED
  })
  return parts.join('') + text.slice(from)
}

/** Each line of a secret of several lines is one, since programs indent and wrap what they print. */
export function secretLines(values: readonly string[]): string[] {
  const lines = values
    .slice(0, VALUES_MAX)
    .flatMap((value) => value.split(/\r?\n/))
    .map((line) => line.trim().slice(0, SECRET_LENGTH_MAX))
    .filter((line) => line.length >= VALUE_LENGTH_MIN)
  return [...new Set(lines)]
}

function merged(spans: readonly Span[]): Span[] {
  const all: Span[] = []
  for (const span of spans.toSorted((one, other) => one.start - other.start)) {
    const last = all.at(-1)
    if (last !== undefined && span.start < last.end) {
      all[all.length - 1] = { start: last.start, end: Math.max(last.end, span.end) }
    } else all.push(span)
  }
  return all
}
