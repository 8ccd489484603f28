// A look at SQL that is less than parsing, and is never called more: quotes, comments and parentheses that are not
// closed, and commas with nothing after them. The dialect says what is a quote and what a comment.
import { flawAt, type TextFlaw } from '../text.ts'

type Dialect = {
  readonly backslashes: boolean
  readonly quotes: string
  readonly brackets: boolean
  readonly dollars: boolean
  readonly hashes: boolean
  readonly nested: boolean
}
const plain = { backslashes: false, quotes: `'"`, brackets: false, dollars: false, hashes: false, nested: false }
const postgres = { ...plain, dollars: true, nested: true }
const mysql = { ...plain, backslashes: true, quotes: `'"\``, hashes: true }
const tsql = { ...plain, brackets: true, nested: true }

const dialects = new Map<string, Dialect>([
  ['ansi', plain],
  ['postgres', postgres],
  ['postgresql', postgres],
  ['mysql', mysql],
  ['mariadb', mysql],
  ['sqlite', { ...plain, quotes: `'"\``, brackets: true }],
  ['tsql', tsql],
  ['mssql', tsql],
])

export type SqlReading = { readonly flaw: TextFlaw | null } | { readonly notParsed: string }

export function readSql(text: string, dialectName: string): SqlReading {
  const dialect = dialects.get(dialectName.toLowerCase())
  if (dialect !== undefined) return { flaw: balanceFlaw(text, dialect) }
  return { notParsed: `the dialect is not one of ${[...dialects.keys()].join(', ')}` }
}

type Piece = { readonly end: number } | { readonly problem: string }

function balanceFlaw(text: string, dialect: Dialect): TextFlaw | null {
  const open: number[] = []
  let comma: number | null = null
  let statement = 0
  let at = 0
  const unclosed = (): TextFlaw | null => {
    const [first] = open
    if (first !== undefined) return flawAt(text, first, 'This parenthesis is never closed.')
    return comma === null ? null : flawAt(text, comma, 'There is nothing after this comma.')
  }
  while (at < text.length) {
    const skipped = endOfBlank(text, at, dialect)
    if ('problem' in skipped) return flawAt(text, at, skipped.problem)
    if (skipped.end > at) {
      at = skipped.end
      continue
    }
    const sign = text[at]
    if (sign === ';') {
      const flaw = unclosed()
      if (flaw !== null) return flaw
      at = dialect.dollars ? endOfCopiedRows(text, statement, at + 1) : at + 1
      statement = at
      continue
    }
    if (sign === ')') {
      if (comma !== null) return flawAt(text, comma, 'There is nothing after this comma.')
      if (open.pop() === undefined) return flawAt(text, at, 'This closes a parenthesis that was never opened.')
    }
    if (sign === '(') open.push(at)
    comma = sign === ',' ? at : null
    const piece = endOfPiece(text, at, dialect)
    if ('problem' in piece) return flawAt(text, at, piece.problem)
    at = piece.end
  }
  return unclosed()
}

const blank = /\s+/y

/** Where white space or a comment ends, or the place itself when there is none. */
function endOfBlank(text: string, at: number, { hashes, nested }: Dialect): Piece {
  blank.lastIndex = at
  if (blank.test(text)) return { end: blank.lastIndex }
  if (text.startsWith('--', at) || (hashes && text[at] === '#')) {
    const end = text.indexOf('\n', at)
    return { end: end === -1 ? text.length : end }
  }
  if (!text.startsWith('/*', at)) return { end: at }
  const edge = /\/\*|\*\//g
  edge.lastIndex = at + 2
  for (let depth = 1; ;) {
    const found = edge.exec(text)
    if (found === null) return { problem: 'This comment is never closed.' }
    if (found[0] === '*/') depth -= 1
    else if (nested) depth += 1
    if (depth === 0) return { end: edge.lastIndex }
  }
}

const name = /[\p{L}\p{N}_][\p{L}\p{N}_$]*/uy
const dollarQuote = /\$(?:[\p{L}_][\p{L}\p{N}_]{0,62})?\$/uy

function endOfPiece(text: string, at: number, dialect: Dialect): Piece {
  const sign = text[at] ?? ''
  if (dialect.quotes.includes(sign)) return endOfQuote(text, at, sign, sign === '`' ? false : dialect.backslashes)
  if (dialect.brackets && sign === '[') return endOfQuote(text, at, ']', false)
  if (dialect.dollars && sign === '$') {
    dollarQuote.lastIndex = at
    const [tag] = dollarQuote.exec(text) ?? []
    if (tag === undefined) return { end: at + 1 }
    const end = text.indexOf(tag, at + tag.length)
    return end === -1 ? { problem: `This quote is never closed with \`${tag}\`.` } : { end: end + tag.length }
  }
  name.lastIndex = at
  if (!name.test(text)) return { end: at + 1 }
  const end = name.lastIndex
  // E'…' is the one kind of text in which Postgres reads backslashes.
  const isEscaped = dialect.dollars && end === at + 1 && /e/i.test(sign) && text[end] === "'"
  return isEscaped ? endOfQuote(text, end, "'", true) : { end }
}

function endOfQuote(text: string, start: number, closing: string, backslashes: boolean): Piece {
  for (let at = start + 1; at < text.length; at += 1) {
    if (backslashes && text[at] === '\\') at += 1
    else if (text[at] === closing) {
      if (text[at + 1] !== closing) return { end: at + 1 }
      at += 1
    }
  }
  return { problem: `This quote is never closed with \`${closing === '`' ? 'a backtick' : closing}\`.` }
}

/** A dump of Postgres carries rows as they are after `COPY … FROM stdin;`, up to a line with `\.`. */
function endOfCopiedRows(text: string, start: number, after: number): number {
  if (!/\bcopy\s[^;]{0,2000}\sfrom\s+stdin\b/i.test(text.slice(start, after).slice(-4000))) return after
  const end = text.indexOf('\n\\.', after)
  return end === -1 ? text.length : end + 3
}
