// Whether text is YAML: any number of documents, with whatever tags their readers know. Nothing is built from it; what
// its aliases would grow to is counted instead, so that a file which explodes in its reader's memory is refused here.
import { Composer, isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, Parser } from 'yaml'
import type { Document, ParsedNode } from 'yaml'
import type { TextFlaw } from '../text.ts'

/** The words and signs that YAML is made of. Beyond it reading takes seconds. */
const TOKENS_MAX = 400_000
const NESTING_MAX = 100
/** Values of one document, those repeated through aliases included. */
const VALUES_MAX = 1_000_000

export type YamlReading = { readonly flaw: TextFlaw | null } | { readonly notParsed: string }

export function readYaml(text: string): YamlReading {
  const lines = new LineCounter()
  // What is never closed is noticed behind the last line, where nobody can look.
  const last = Math.max(0, text.trimEnd().length - 1)
  const flawAt = (offset: number, message: string): YamlReading => {
    const { line, col } = lines.linePos(Math.max(0, Math.min(offset, last)))
    return { flaw: { line: Math.max(1, line), column: Math.max(1, col), message } }
  }
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  const outline: Parameters<Composer['next']>[0][] = []
  let tokens = 0
  // At the very end of a text the parser takes an escaped quote for a closing one.
  for (const token of new Lexer().lex(text.endsWith('\n') ? text : `${text}\n`)) {
    tokens += 1
    if (tokens > TOKENS_MAX) return { notParsed: 'it has too many values' }
    for (const part of parser.next(token)) outline.push(part)
    // The full parser would run out of stack on deep nesting.
    if (parser.stack.length > NESTING_MAX) {
      return flawAt(parser.offset - token.length, `This is nested more than ${NESTING_MAX} levels deep.`)
    }
  }
  for (const part of parser.end()) outline.push(part)
  // Comparing all keys with each other takes seconds for a hostile file; counting the values notices repeated keys.
  const composer = new Composer({ schema: 'core', uniqueKeys: false, prettyErrors: false, logLevel: 'silent' })
  for (const document of composer.compose(outline, true, text.length)) {
    const [error] = document.errors
    if (error !== undefined) return flawAt(error.pos[0], `${error.message.replace(/[.:]$/, '')}.`)
    const flaw = flawOfValues(document)
    if (flaw !== null) return flawAt(flaw.offset, flaw.message)
  }
  return { flaw: null }
}

type Flaw = { readonly offset: number; readonly message: string }

function flawOfValues(document: Document.Parsed): Flaw | null {
  /** How many values each anchor stands for. One that is still being read contains itself, which readers can tell. */
  const anchored = new Map<string, number>()
  let flaw: Flaw | null = null
  const complain = (node: { range?: readonly number[] | null | undefined }, message: string): number => {
    flaw ??= { offset: node.range?.[0] ?? 0, message }
    return 1
  }

  function weigh(node: ParsedNode | null): number {
    if (node === null || flaw !== null) return 1
    if (isAlias(node)) {
      return anchored.get(node.source) ?? complain(node, `No value above is named \`&${node.source.slice(0, 60)}\`.`)
    }
    if (node.anchor !== undefined) anchored.set(node.anchor, 1)
    const weight = isMap(node)
      ? weighMap(node.items)
      : isSeq(node)
        ? node.items.reduce((sum, item) => sum + weigh(item), 1)
        : 1
    if (weight > VALUES_MAX) return complain(node, `With its aliases this has more than ${VALUES_MAX} values.`)
    if (node.anchor !== undefined) anchored.set(node.anchor, weight)
    return weight
  }

  function weighMap(items: readonly { key: ParsedNode; value: ParsedNode | null }[]): number {
    const keys = new Set<string>()
    return items.reduce((sum, { key, value }) => {
      if (isScalar(key) && key.value !== '<<') {
        const written = `${typeof key.value} ${key.tag} ${String(key.value)}`
        if (keys.has(written)) complain(key, 'This key is already in the same mapping.')
        keys.add(written)
      }
      return sum + weigh(key) + weigh(value)
    }, 1)
  }

  weigh(document.contents)
  return flaw
}
