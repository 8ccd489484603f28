// JSON, and the dialect with comments and trailing commas that many tools read. Written by hand because the built-in
// parser knows no comments and does not always say where it stumbled. It keeps no values and never recurses.
import { flawAt, type TextFlaw } from '../text.ts'

export type JsonDialect = 'json' | 'jsonc'

type Token = {
  readonly kind: '{' | '}' | '[' | ']' | ':' | ',' | 'text' | 'scalar' | 'end'
  readonly start: number
  readonly end: number
}
type Flaw = { readonly problem: string; readonly start: number }
/** `first_…`: right after the bracket, where closing it is fine. `…`: after a comma, where it is only tolerated. */
type Expected = 'value' | 'first_item' | 'item' | 'first_key' | 'key' | 'colon' | 'comma' | 'end'

export function jsonFlaw(text: string, dialect: JsonDialect): TextFlaw | null {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  let at = 0
  for (;;) {
    const token = nextToken(text, at, dialect)
    if ('problem' in token) return flawAt(text, token.start, token.problem)
    const next = step(expected, token, open, dialect)
    if (next === 'done') return null
    if (next === null) {
      // Behind the last line there is none to look at.
      const place = token.kind === 'end' ? text.trimEnd().length : token.start
      return flawAt(text, place, complaint(expected, token, text))
    }
    expected = next
    at = token.end
  }
}

function step(
  expected: Expected,
  { kind }: Token,
  open: ('{' | '[')[],
  dialect: JsonDialect,
): Expected | 'done' | null {
  const afterValue = (): Expected => (open.length === 0 ? 'end' : 'comma')
  const close = (): Expected => (open.pop(), afterValue())
  const trailing = dialect === 'jsonc'
  switch (expected) {
    case 'value':
    case 'first_item':
    case 'item':
      if (kind === '{') return (open.push('{'), 'first_key')
      if (kind === '[') return (open.push('['), 'first_item')
      if (kind === 'text' || kind === 'scalar') return afterValue()
      return kind === ']' && (expected === 'first_item' || (expected === 'item' && trailing)) ? close() : null
    case 'first_key':
    case 'key':
      if (kind === 'text') return 'colon'
      return kind === '}' && (expected === 'first_key' || trailing) ? close() : null
    case 'colon':
      return kind === ':' ? 'value' : null
    case 'comma': {
      const inside = open.at(-1)
      if (kind === ',') return inside === '{' ? 'key' : 'item'
      return kind === (inside === '{' ? '}' : ']') ? close() : null
    }
    case 'end':
      return kind === 'end' ? 'done' : null
  }
}

const wanted = {
  value: 'a value',
  first_item: 'a value or `]`',
  item: 'a value',
  first_key: 'a key in double quotes or `}`',
  key: 'a key in double quotes',
  colon: '`:`',
  comma: 'a comma or the closing bracket',
  end: 'the end of the file',
} as const satisfies Record<Expected, string>

function complaint(expected: Expected, { kind, start, end }: Token, text: string): string {
  if ((expected === 'item' && kind === ']') || (expected === 'key' && kind === '}')) {
    return 'There is a comma before this bracket and nothing after it.'
  }
  const found = kind === 'end' ? 'the file ends here' : `here is \`${text.slice(start, Math.min(end, start + 40))}\``
  return `Expected ${wanted[expected]}, but ${found}.`
}

const signs = ['{', '}', '[', ']', ':', ','] as const
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y
const word = /(?:true|false|null)(?![\w$])/y

function nextToken(text: string, from: number, dialect: JsonDialect): Token | Flaw {
  const begin = skipBlank(text, from, dialect)
  if (typeof begin !== 'number') return begin
  const first = text[begin]
  if (first === undefined) return { kind: 'end', start: begin, end: begin }
  const sign = signs.find((one) => one === first)
  if (sign !== undefined) return { kind: sign, start: begin, end: begin + 1 }
  if (first === '"') return stringToken(text, begin)
  for (const pattern of [number, word]) {
    pattern.lastIndex = begin
    if (pattern.test(text)) return { kind: 'scalar', start: begin, end: pattern.lastIndex }
  }
  if (first === "'") return { problem: 'Text needs double quotes.', start: begin }
  return { problem: `Unexpected ${/[\w$.+-]/.test(first) ? 'word or number' : 'character'}.`, start: begin }
}

const blank = /[ \t\r\n]*/y

function skipBlank(text: string, from: number, dialect: JsonDialect): number | Flaw {
  let at = from
  for (;;) {
    blank.lastIndex = at
    blank.test(text)
    at = blank.lastIndex
    const isLine = text.startsWith('//', at)
    if (!isLine && !text.startsWith('/*', at)) return at
    if (dialect === 'json') return { problem: 'Comments are not part of JSON.', start: at }
    const end = text.indexOf(isLine ? '\n' : '*/', at + 2)
    if (end === -1 && !isLine) return { problem: 'This comment is never closed.', start: at }
    at = end === -1 ? text.length : end + (isLine ? 1 : 2)
  }
}

const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

function stringToken(text: string, start: number): Token | Flaw {
  let at = start + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return { kind: 'text', start, end: at + 1 }
    if (code === 0x0a || code === 0x0d) break
    if (code < 0x20) return { problem: 'A control character must be written as an escape.', start: at }
    if (code !== 0x5c) at += 1
    else {
      escape.lastIndex = at
      if (!escape.test(text)) return { problem: 'This escape is not one that JSON knows.', start: at }
      at = escape.lastIndex
    }
  }
  return { problem: 'This text is never closed with a double quote.', start }
}
