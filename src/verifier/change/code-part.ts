// What of a line is code. A comment says what its author wants to be believed, so it proves nothing; a line of braces or
// of one structural word stands everywhere. Where the language is not known, a line that begins like a comment is one.
import type { DiffLine } from './change.ts'

type Syntax = {
  /** What begins a comment that goes to the end of its line. */
  readonly line: readonly string[]
  readonly block: readonly (readonly [string, string])[]
  /** A `#` begins one only at the start of a word, since elsewhere it is data. */
  readonly wordOnly?: boolean
  /** A single quote may stand alone: a lifetime, or the mark of a character. */
  readonly characters?: boolean
  /** Text in three quotes that no statement uses documents what surrounds it. */
  readonly docText?: boolean
}

const slashes: Syntax = { line: ['//'], block: [['/*', '*/']] }
const characters: Syntax = { ...slashes, characters: true }
const hash: Syntax = { line: ['#'], block: [] }
const words: Syntax = { ...hash, wordOnly: true }
const markup: Syntax = { line: [], block: [['<!--', '-->']] }
const dashes: Syntax = {
  line: ['--'],
  block: [
    ['/*', '*/'],
    ['{-', '-}'],
    ['--[[', ']]'],
  ],
}
const semicolon: Syntax = { line: [';'], block: [['#|', '|#']], characters: true }

const syntaxes: readonly (readonly [RegExp, Syntax])[] = [
  [/\.(?:[cm]?[jt]sx?|json[c5]?|less|scss|groovy|dart|php)$/i, { ...slashes, line: ['//'] }],
  [/\.(?:java|kts?|scala|swift|c|h|cc|hh|cpp|hpp|cs|go|rs|proto|zig|v|sol|mm?)$/i, characters],
  [/\.css$/i, { line: [], block: [['/*', '*/']] }],
  [/\.(?:py|pyi|pyx|exs?|r|jl)$/i, { ...hash, docText: true }],
  [
    /\.(?:rb|rake|pl|pm|cr)$|(?:^|\/)(?:Rake|Gem)file$/i,
    {
      ...hash,
      block: [
        ['=begin', '=end'],
        ['=pod', '=cut'],
      ],
    },
  ],
  [/\.(?:sh|bash|zsh|fish|ya?ml|toml|mk|cmake|conf|cfg|properties|env|gitignore|ps1|nix|tf|hcl|graphql)$/i, words],
  [/(?:^|\/)(?:Dockerfile|Makefile|Containerfile|CODEOWNERS|\.[a-z]+ignore|\.env)[^/]*$/i, words],
  [/\.(?:sql|lua|hs|elm|ad[bs]|vhdl?)$/i, dashes],
  [/\.(?:lisp|clj[cs]?|el|scm|asm|s|ini)$/i, semicolon],
  [/\.(?:tex|erl|hrl|sty)$/i, { line: ['%'], block: [] }],
  [
    /\.(?:vue|svelte|html?|astro)$/i,
    {
      line: ['//'],
      block: [
        ['<!--', '-->'],
        ['/*', '*/'],
      ],
    },
  ],
  [/\.(?:xml|svg|xsd|xslt?|md|markdown|mdx)$/i, markup],
  [/\.(?:txt|rst|adoc|csv|tsv|lock)$/i, { line: [], block: [] }],
]
/** A longer line was written by a machine, and nobody reads it to be convinced. */
const LINE_LENGTH_MAX = 2_000
const atStart = /^\s*(?:\/\/|\/\*|\*(?=[\s/]|$)|#(?!\w)|--|;|%|<!--|"""|''')/
const hiddenNote = /^\s*\[[^\]]*\]:\s*(?:#|<>)/

/** The code of each line of one hunk, in its order. What a removed line is within is told from what the old side has. */
export function codeParts(path: string, lines: readonly DiffLine[]): string[] {
  const syntax = syntaxes.find(([pattern]) => pattern.test(path))?.[1] ?? null
  const now = side(path, syntax, lines, '-')
  const before = side(path, syntax, lines, '+')
  return lines.map(({ sign }, index) => (sign === '-' ? before : now)[index] ?? '')
}

function side(path: string, syntax: Syntax | null, lines: readonly DiffLine[], without: '+' | '-'): string[] {
  const own = lines.map(({ sign, text }) => (sign === without ? null : text.length > LINE_LENGTH_MAX ? '' : text))
  if (syntax === null) return own.map((text) => (text === null || atStart.test(text) ? '' : text))
  let within: string | null = begunBefore(syntax, own)
  return own.map((text) => {
    if (text === null) return ''
    const read = stripped(syntax, text, within)
    within = read.within
    return isNote(path, syntax, text) ? '' : read.code
  })
}

/** A hunk may begin within a block: then it ends before one begins. */
function begunBefore({ block }: Syntax, lines: readonly (string | null)[]): string | null {
  for (const text of lines) {
    if (text === null) continue
    for (const [open, close] of block) {
      const end = text.indexOf(close)
      if (end >= 0 && !text.slice(0, end).includes(open)) return close
      if (text.includes(open)) return null
    }
  }
  return null
}

/** Lines within a block comment by custom, a text that stands alone, and notes that Markdown does not show. */
function isNote(path: string, { block }: Syntax, text: string): boolean {
  if (block.some(([open]) => open === '/*') && /^\s*\*(?=[\s/]|$)/.test(text)) return true
  if (/\.(?:md|markdown|mdx)$/i.test(path)) return hiddenNote.test(text)
  return !/\.(?:txt|rst|adoc|csv|tsv|lock)$/i.test(path) && /^\s*(["'`])(?:(?!\1).)*\1;?\s*$/.test(text)
}

type Read = { readonly code: string; readonly within: string | null }

function stripped(syntax: Syntax, text: string, begun: string | null): Read {
  let within = begun
  let code = ''
  let at = 0
  while (at < text.length) {
    if (within !== null) {
      const end = text.indexOf(within, at)
      if (end < 0) return { code, within }
      at = end + within.length
      within = null
      continue
    }
    const rest = text.slice(at)
    const doc =
      syntax.docText === true && code.trim() === '' ? /^\s*(?:@\w*doc\s+)?[rRuUbBfs~]*("""|''')/.exec(rest) : null
    const block = syntax.block.find(([open]) => rest.startsWith(open))
    if (doc !== null) {
      within = doc[1] ?? '"""'
      at += doc[0].length
    } else if (block !== undefined) {
      within = block[1]
      at += block[0].length
    } else if (syntax.line.some((mark) => rest.startsWith(mark)) && begins(syntax, code)) {
      return { code, within }
    } else {
      const length = quoted(syntax, rest)
      code += rest.slice(0, length)
      at += length
    }
  }
  return { code, within }
}

const begins = ({ wordOnly }: Syntax, before: string): boolean => wordOnly !== true || /(?:^|\s)$/.test(before)

/** A text in quotes is taken as a whole; a quote that does not close on its line is a sign like any other. */
function quoted({ characters: alone }: Syntax, rest: string): number {
  const [sign = ''] = rest
  if (!['"', "'", '`'].includes(sign)) return 1
  if (sign === "'" && alone === true) return /^'(?:\\.[^']{0,8}|[^'\\])'/.exec(rest)?.[0].length ?? 1
  return /^(["'`])(?:\\.|(?!\1)[^\\])*\1/.exec(rest)?.[0].length ?? 1
}

const structural =
  /^[^\p{L}\p{N}]*(?:(?:else|end|endif|endfor|try|do|done|fi|then|begin|finally|pass|esac|default)[^\p{L}\p{N}]*)?$/u

/** Braces, signs, and words that only hold others together: they stand in any file. */
export const isStructural = (text: string): boolean => text.split('\n').every((line) => structural.test(line))
