// Names in code, in any language: which a line defines, which it mentions, and which definition a line stands in. Told from
// words and from indentation, since these are the same for tools that know a language and for people who do not. What is
// guessed wrongly costs room in a prompt and proves nothing.

const LINE_LENGTH_MAX = 500
const NAME_LENGTH_MIN = 3
const NAME_LENGTH_MAX = 80
/** Comments and decorators above a definition belong to it. */
const ABOVE_MAX = 8

const word = String.raw`[A-Za-z_$][\w$]*`
const defining = new RegExp(
  String.raw`(?:\b(?:function|class|interface|type|enum|struct|trait|union|def|defp|defmodule|func|fn|fun|sub|module|namespace|record|object|protocol|const|let|var|val|macro_rules|table|view|procedure)\b|#define)[*!]?\s+(?:if not exists\s+)?(?:\([^)]{0,200}\)\s*)?["'\u0060]?(${word})`,
  'i',
)
/** Of languages in which a type and a name begin a function. */
const signature = new RegExp(String.raw`^\s*(?:[\w<>[\],*&?.~:@]+\s+){0,6}[*&]?(${word})\s*\(`)
const opensBody = /(?:[{:]|=>|\()\s*$/
const control = new Set(
  'if else for while switch return catch new await throw do case yield assert print delete typeof with elif unless until when match using lock sizeof not and or in is import from export super this self'.split(
    ' ',
  ),
)
/** What follows these in parentheses is no list of parameters yet. */
const keyword = new Set(['func', 'function', 'fn', 'def', 'fun', 'async', 'get', 'set'])
/** Words that say nothing about which code is meant. */
const common = new Set(
  (
    'abstract any array async boolean break bool byte char class const constructor continue default double enum error except extends ' +
    'extern false final finally float func function get global goto implements impl import include int integer interface internal ' +
    'isinstance lambda len let list long main map mut namespace nil none null number object option override package pass private ' +
    'promise protected public raise range readonly record ref require result self set short static str string struct super test ' +
    'throws trait true try type undefined union unsigned use val value var void volatile where key name data item index true expect ' +
    'describe toBe toEqual args kwargs console log math json length push args init end'
  )
    .toLowerCase()
    .split(' '),
)

export const isTelling = (name: string): boolean =>
  name.length >= NAME_LENGTH_MIN &&
  name.length <= NAME_LENGTH_MAX &&
  !common.has(name.toLowerCase()) &&
  !control.has(name)

/** The name that a line defines, or null. */
export function definedBy(line: string): string | null {
  if (line.length > LINE_LENGTH_MAX) return null
  const method = opensBody.test(line) ? signature.exec(line)?.[1] : undefined
  const isCall = /=>\s*\{?\s*$/.test(line) && method !== 'test' && method !== 'it'
  if (method !== undefined && !isCall && !control.has(method) && !keyword.has(method)) return method
  const named = defining.exec(line)?.[1]
  return named === undefined || control.has(named) ? null : named
}

export function namesIn(code: string): string[] {
  const text = code.slice(0, LINE_LENGTH_MAX)
  return Array.from(text.matchAll(/[A-Za-z_$][\w$]*/g), ([name]) => name).filter(isTelling)
}

export type Span = { readonly from: number; readonly to: number }

/** The innermost definition around a line (from 1), with what stands above it; null outside of any. */
export function definitionAround(lines: readonly string[], at: number): (Span & { readonly name: string }) | null {
  let level = indentAt(lines, at)
  for (let row = at; row >= 1; row -= 1) {
    const line = lines[row - 1] ?? ''
    const indent = indentOf(line)
    if (indent === null || (row !== at && indent >= level)) continue
    // What closes something begins further up, at the same level, and so does what a lone brace opens.
    if (closes.test(line) || opensAlone.test(line)) {
      level = indent + 1
      continue
    }
    const name = definedBy(opensAlone.test(lines[row] ?? '') ? `${line} {` : line)
    if (name !== null) {
      const to = endOf(lines, row, indent)
      // A variable within something else is no definition that one stands in.
      const isInner = to === row && indent > 0
      if (to >= at && !isInner) return { from: startOf(lines, row), to, name }
    }
    if (indent === 0) return null
    level = indent
  }
  return null
}

const closes = /^\s*[)\]}]/

function indentOf(line: string): number | null {
  const text = line.trimStart()
  return text === '' ? null : line.length - text.length
}

/** A blank line is as deep as what follows it. */
function indentAt(lines: readonly string[], at: number): number {
  for (let row = at; row <= lines.length; row += 1) {
    const indent = indentOf(lines[row - 1] ?? '')
    if (indent !== null) return indent
  }
  return 0
}

function endOf(lines: readonly string[], row: number, indent: number): number {
  let last = row
  for (let next = row + 1; next <= lines.length; next += 1) {
    const line = lines[next - 1] ?? ''
    const own = indentOf(line)
    if (own === null) continue
    if (own < indent || (own === indent && !closes.test(line) && !opensAlone.test(line))) break
    last = next
    if (own === indent && /^\s*\}/.test(line) && !/[{(,]\s*$/.test(line)) break
  }
  return last
}

/** A brace on a line of its own begins the body of what stands above it. */
const opensAlone = /^\s*\{\s*$/

function startOf(lines: readonly string[], row: number): number {
  let first = row
  while (
    first > 1 &&
    row - first < ABOVE_MAX &&
    /^\s*(?:\/\/|\/?\*|#(?!include)|@|--|"""|\[)/.test(lines[first - 2] ?? '')
  )
    first -= 1
  return first
}
