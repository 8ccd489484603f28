// YAML text to a tree with positions. The text comes from strangers, so its size, its nesting and the number of its
// values are bounded before anything expensive looks at it. Of YAML only the plain part is read: no tags, no merge keys.
import { isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, parseDocument, Parser } from 'yaml'
import type { ErrorCode, Node, YAMLError } from 'yaml'
import { flawOfAll, quoted, type Flaw } from './problem.ts'
import type { Entry, MapTree, Path, Spot, Tree } from './tree.ts'

export type YamlReading = { readonly tree: MapTree | null; readonly flaws: readonly Flaw[] }

const NESTING_MAX = 32
export type YamlLimits = {
  readonly bytes: number
  /** The words and signs that YAML is made of, a few thousand in a long policy. Null trusts the author of the file. */
  readonly tokens: number | null
  /** Values, those repeated through aliases included. */
  readonly values: number
}
export const YAML_MAX = { bytes: 256 * 1024, tokens: 50_000, values: 10_000 } as const satisfies YamlLimits

export function readYaml(text: string, limits: YamlLimits): YamlReading {
  const refused = tooLarge(text, limits.bytes) ?? (limits.tokens === null ? null : tooComplex(text, limits.tokens))
  if (refused !== null) return { tree: null, flaws: [refused] }
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    schema: 'core',
    merge: false,
    stringKeys: true,
    // Comparing all keys with each other takes seconds for a hostile file; growing the tree notices repeated keys.
    uniqueKeys: false,
    prettyErrors: false,
    // Silence would let a second document pass unnoticed.
    logLevel: 'error',
  })
  const spotAt = (offset: number): Spot => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  if (document.errors.length > 0) {
    return {
      tree: null,
      flaws: firstOfEachLine(document.errors.map((error) => syntaxFlaw(error, spotAt(error.pos[0])))),
    }
  }
  const { contents } = document
  const empty: MapTree = { kind: 'map', entries: new Map(), spot: { line: 1, column: 1 }, path: [] }
  if (contents === null || (isScalar(contents) && contents.value === null)) return { tree: empty, flaws: [] }
  const { tree, flaws, complete } = grown(contents, spotAt, limits.values)
  if (!complete) return { tree: null, flaws }
  if (tree.kind === 'map') return { tree, flaws }
  const message = 'This must be a mapping of keys to values, such as `version: 1`.'
  return { tree: null, flaws: [{ spot: tree.spot ?? { line: 1, column: 1 }, path: [], message, nearest: null }] }
}

function tooLarge(text: string, bytesMax: number): Flaw | null {
  // A character has at least one byte, so that huge texts are refused without counting their bytes.
  const fits = text.length <= bytesMax && new TextEncoder().encode(text).length <= bytesMax
  return fits ? null : flawOfAll(`This is larger than ${bytesMax / 1024} KiB, which is the most that is read.`)
}

/** Reads only the outline, without recursion: the full parser would run out of stack on deep nesting. */
function tooComplex(text: string, tokensMax: number): Flaw | null {
  const lines = new LineCounter()
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  let tokens = 0
  for (const token of new Lexer().lex(text)) {
    tokens += 1
    if (tokens > tokensMax) return flawOfAll('This has more words and signs than anybody needs here.')
    Array.from(parser.next(token))
    // The document itself is on the stack too, and so is the value that is being read.
    if (parser.stack.length > NESTING_MAX + 2) {
      const { line, col } = lines.linePos(Math.max(0, parser.offset - token.length))
      const message = `This is nested more than ${NESTING_MAX} levels deep.`
      return { spot: { line: Math.max(1, line), column: Math.max(1, col) }, path: [], message, nearest: null }
    }
  }
  return null
}

/** Words for what the parser says in terms of YAML's grammar. Its other messages are plain enough. */
const plainWords: Partial<Record<ErrorCode, string>> = {
  BAD_INDENT: 'The indentation does not fit the lines above.',
  BLOCK_AS_IMPLICIT_KEY: 'There are two keys on one line, or text with `: ` that needs quotes around it.',
  MULTILINE_IMPLICIT_KEY: 'A key must be on one line, followed by `:` and a space.',
  MULTIPLE_DOCS: 'Only one document is read; remove the `---` and what follows.',
  NON_STRING_KEY: 'Keys must be plain text.',
  TAB_AS_INDENT: 'Lines must be indented with spaces, not with tabs.',
  TAG_RESOLVE_FAILED: 'Tags, such as `!name`, are not read here. Write the plain value.',
}

function syntaxFlaw({ code, message }: YAMLError, spot: Spot): Flaw {
  const words = plainWords[code] ?? `${message.replace(/[.:]$/, '')}.`
  return { spot, path: [], message: `This is not valid YAML. ${words}`, nearest: null }
}

/** One slip of the pen makes the parser stumble several times. */
function firstOfEachLine(flaws: readonly Flaw[]): Flaw[] {
  const lines = new Set<number>()
  return flaws.filter(({ spot }) => !lines.has(spot.line) && lines.add(spot.line))
}

/** Not complete: a value could not be read, so that judging the rest would only confuse. */
type Grown = { readonly tree: Tree; readonly flaws: readonly Flaw[]; readonly complete: boolean }

function grown(contents: Node, spotAt: (offset: number) => Spot, valuesMax: number): Grown {
  const flaws: Flaw[] = []
  const anchors = new Map<string, Node>()
  let values = 0
  let complete = true

  function grow(node: unknown, path: Path, around: Spot): Tree {
    const spot = spotOf(node) ?? around
    const complain = (message: string, at = spot): Tree => {
      complete = false
      flaws.push({ spot: at, path, message, nearest: null })
      return { kind: 'scalar', value: null, spot, path }
    }
    values += 1
    if (values === valuesMax + 1) return complain(`This has more than ${valuesMax} values, repeated ones included.`)
    if (values > valuesMax) return { kind: 'scalar', value: null, spot, path }
    if (path.length > NESTING_MAX) return complain(`This is nested more than ${NESTING_MAX} levels deep.`)
    if (isAlias(node)) {
      const target = anchors.get(node.source)
      if (target === undefined)
        return complain(`${quoted(`*${node.source}`)} repeats a value that no line above names.`)
      return grow(target, path, spot)
    }
    if (!isMap(node) && !isSeq(node) && !isScalar(node)) return { kind: 'scalar', value: null, spot, path }
    if (node.tag !== undefined) return complain('Tags, such as `!name`, are not read here. Write the plain value.')
    const tree = isMap(node) ? growMap(node.items, path, spot) : isSeq(node) ? growList(node.items, path, spot) : null
    if (node.anchor !== undefined) anchors.set(node.anchor, node)
    if (tree !== null || !isScalar(node)) return tree ?? complain('This value cannot be read.')
    const { value } = node
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      return { kind: 'scalar', value, spot, path }
    }
    return complain('This value is neither text nor a number, true or false.')
  }

  function growList(items: readonly unknown[], path: Path, spot: Spot): Tree {
    return { kind: 'list', items: items.map((item, index) => grow(item, [...path, index], spot)), spot, path }
  }

  function growMap(items: readonly { key: unknown; value: unknown }[], path: Path, spot: Spot): Tree {
    const entries = new Map<string, Entry>()
    for (const { key: node, value } of items) {
      const key = isScalar(node) && typeof node.value === 'string' ? node.value : ''
      const keySpot = spotOf(node) ?? spot
      const complain = (message: string) => flaws.push({ spot: keySpot, path: [...path, key], message, nearest: null })
      const earlier = entries.get(key)
      if (key === '<<') complain('Merge keys (`<<`) are not read here. Write the keys out.')
      else if (key === '__proto__') complain('`__proto__` cannot be a key.')
      else if (earlier !== undefined) {
        complain(`${quoted(key)} is already on line ${earlier.spot?.line}. Keep one of the two.`)
      } else entries.set(key, { spot: keySpot, value: grow(value, [...path, key], keySpot) })
      if (values > valuesMax) break
    }
    return { kind: 'map', entries, spot, path }
  }

  function spotOf(node: unknown): Spot | null {
    const known = isMap(node) || isSeq(node) || isScalar(node) || isAlias(node)
    return known && node.range ? spotAt(node.range[0]) : null
  }

  const tree = grow(contents, [], { line: 1, column: 1 })
  return { tree, flaws, complete }
}
