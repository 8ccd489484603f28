// Whether a table is one: every row has as many fields as the first. Quoted fields may hold separators and line breaks.
import { flawAt, type TextFlaw } from '../text.ts'

export function csvFlaw(text: string): TextFlaw | null {
  const [header = ''] = text.split('\n', 1)
  const separator = [',', ';', '\t', '|'].find((sign) => header.includes(sign)) ?? ','
  return tableFlaw(text, separator, true)
}

/** Some programs quote fields in such a table, for others a quote is a letter like any other. */
export function tsvFlaw(text: string): TextFlaw | null {
  const flaw = tableFlaw(text, '\t', true)
  return flaw === null ? null : tableFlaw(text, '\t', false)
}

function tableFlaw(text: string, separator: string, quotes: boolean): TextFlaw | null {
  let width: number | null = null
  let at = 0
  while (at < text.length) {
    const start = at
    let fields = 0
    for (let isLast = false; !isLast;) {
      const field = endOfField(text, at, separator, quotes)
      if ('problem' in field) return flawAt(text, field.start, field.problem)
      fields += 1
      isLast = text[field.end] !== separator
      at = field.end + (text.startsWith('\r\n', field.end) ? 2 : 1)
    }
    // A line with nothing on it is no row.
    if (/^[\r\n]/.test(text.slice(start, start + 1))) continue
    width ??= fields
    if (fields !== width) {
      return flawAt(text, start, `This row has ${counted(fields)}, the first one has ${counted(width)}.`)
    }
  }
  return null
}

const counted = (fields: number): string => (fields === 1 ? '1 field' : `${fields} fields`)

type Field = { readonly end: number } | { readonly problem: string; readonly start: number }

function endOfField(text: string, start: number, separator: string, quotes: boolean): Field {
  let at = start
  if (quotes && text[at] === '"') {
    for (at += 1; ; at += 2) {
      at = text.indexOf('"', at)
      if (at === -1) return { problem: 'This field is never closed with a double quote.', start }
      if (text[at + 1] !== '"') break
    }
    at += 1
    if (isEnd(text, at, separator)) return { end: at }
    return { problem: 'There is text after the closing quote. Quotes within a field are written twice.', start: at }
  }
  while (!isEnd(text, at, separator)) at += 1
  return { end: at }
}

function isEnd(text: string, at: number, separator: string): boolean {
  const sign = text[at]
  return sign === undefined || sign === separator || sign === '\n' || sign === '\r'
}
