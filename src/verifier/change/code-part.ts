// What of a line is code. A comment says what its author wants to be believed, so it proves nothing; a line of braces or
// of one structural word stands everywhere. Where the language is not known, every usual mark of a comment at the start of
// a word begins one.
import type { DiffLine } from './change.ts'

type Syntax = {
  /** What begins a comment that goes to the end of its line. */
  readonly line: readonly string[]
  readonly block: readonly (readonly [string, string])[]
  /** What begins one only at the start of a word, since elsewhere it is data. */
  readonly words?: readonly string[]
  /** What makes one of a line that begins with it. */
  readonly starts?: RegExp
  /** A single quote may stand alone: a lifetime, or the mark of a character. */
  readonly characters?: boolean
  /** Text in three quotes that no statement uses documents what surrounds it. */
  readonly docText?: boolean
}

const stars = [['/*', '*/']] as const
const notes = [['<!--', '-->']] as const
const slashes: Syntax = { line: ['//'], block: stars }
const characters: Syntax = { ...slashes, characters: true }
const hash: Syntax = { line: ['#'], block: [] }
const words: Syntax = { line: [], block: [], words: ['#'] }
const settings: Syntax = { line: [], block: [], words: ['#', ';'], starts: /^\s*!/ }
const nested: Syntax['block'] = [...stars, ['{-', '-}'], ['--[[', ']]']]
const pods: Syntax['block'] = [['=begin', '=end'], ['=pod', '=cut']] // prettier-ignore
const page: Syntax = { line: ['//'], block: [...notes, ...stars] }
const braces: Syntax['block'] = [['{{!--', '--}}'], ['{{!', '}}'], ['{{/*', '*/}}']] // prettier-ignore
const percents: Syntax['block'] = [['<%#', '%>'], ['<%--', '--%>'], ['@*', '*@']] // prettier-ignore
const signs: Syntax['block'] = [['{#', '#}'], ['{% comment %}', '{% endcomment %}']] // prettier-ignore

// prettier-ignore
const syntaxes: readonly (readonly [RegExp, Syntax])[] = [
  [/\.(?:[cm]?[jt]sx?|json[c5]?|less|s[ac]ss|styl|groovy|gradle|dart|d)$/i, slashes],
  [/\.(?:php\d?|phtml)$/i, { line: ['//'], block: [...stars, ...notes, ['{{--', '--}}']], words: ['#'] }],
  [/\.(?:java|kts?|scala|swift|c|h|cc|hh|cpp|hpp|cxx|cs|go|rs|proto|zig|v|sv|sol|mm|glsl|wgsl|cu|thrift)$/i, characters],
  [/\.m$/i, { ...characters, words: ['%'] }],
  [/\.css$/i, { line: [], block: stars }],
  [/\.(?:py|pyi|pyx|exs?|r|jl|star|bzl|gd|coffee)$|(?:^|\/)(?:BUILD|WORKSPACE)(?:\.bazel)?$/i, { ...hash, docText: true }],
  [/\.nim$/i, { ...hash, block: [['#[', ']#']], docText: true }],
  [/\.(?:rb|rake|pl|pm|cr|gemspec|ru)$|(?:^|\/)(?:Rake|Gem|Vagrant|Pod|Fast|Brew)file$/i, { ...hash, block: pods }],
  [/\.(?:tf|tfvars|hcl|nix)$/i, { line: [], block: stars, words: ['#', '//'] }],
  [/\.ps[dm]?1$/i, { ...words, block: [['<#', '#>']] }],
  [/\.(?:sh|bash|zsh|fish|ya?ml|toml|mk|cmake|conf|env|gitignore|graphql|gql|awk|tcl)$/i, words],
  [/(?:^|\/)(?:Dockerfile|Makefile|Containerfile|CODEOWNERS|CMakeLists|\.[a-z]+ignore|\.env)[^/]*$/i, words],
  [/\.(?:ini|cfg|properties|editorconfig|gitconfig|service)$/i, settings],
  [/\.(?:p?sql)$/i, { line: ['--'], block: stars, words: ['#'] }],
  [/\.(?:lua|hs|elm|ad[bs]|vhdl?)$/i, { line: ['--'], block: nested }],
  [/\.(?:lisp|clj[cs]?|el|scm|rkt)$/i, { line: [';'], block: [['#|', '|#']], characters: true }],
  [/\.(?:asm|s)$/i, { line: [';'], block: stars, words: ['#', '//'], characters: true }],
  [/\.(?:tex|erl|hrl|sty)$/i, { line: ['%'], block: [] }],
  [/\.(?:vb|vbs|bas|frm)$/i, { line: ["'"], block: [], starts: /^\s*rem\b/i }],
  [/\.(?:bat|cmd)$/i, { line: [], block: [], words: ['::'], starts: /^\s*@?\s*rem\b/i }],
  [/\.(?:f|for|f\d\d)$/i, { line: ['!'], block: [], starts: /^[cC*](?:\s|$)/ }],
  [/\.(?:mli?|fs[ix]?)$/i, { line: ['//'], block: [['(*', '*)']], characters: true }],
  [/\.(?:pas|dpr)$/i, { line: ['//'], block: [['(*', '*)'], ['{', '}']] }],
  [/\.(?:vue|svelte|astro)$/i, page],
  [/\.html?$/i, { ...page, block: [...page.block, ['{# ', '#}']] }],
  [/\.(?:hbs|handlebars|mustache|tmpl|gotmpl)$/i, { ...page, block: [...braces, ...page.block] }],
  [/\.(?:erb|ejs|jsp|aspx?|cshtml|razor)$/i, { ...page, block: [...percents, ...page.block] }],
  [/\.(?:twig|jinja2?|j2|njk|liquid)$/i, { ...page, block: [...signs, ...page.block] }],
  [/\.(?:xml|svg|xsd|xslt?|md|markdown|mdx|csproj|plist|xaml)$/i, { line: [], block: notes }],
  [/\.(?:txt|rst|adoc|csv|tsv|lock)$/i, { line: [], block: [] }],
]
/** Of a language that is not known, whatever usually begins a comment ends what is code. */
// prettier-ignore
const unknown: Syntax = {
  line: [],
  block: [],
  words: ['//', '/*', '#', '--', ';', '%', '::', '<!--', '{#', '{{!', '<%#', '(*', '"""', "'''"],
  starts: /^\s*(?:\*(?=[\s/]|$)|@?rem\b|['!])/i,
}
/** A longer line was written by a machine, and nobody reads it to be convinced. */
const LINE_LENGTH_MAX = 2_000
const hiddenNote = /^\s*\[[^\]]*\]:\s*(?:#|<>)/

/** The code of each line of one hunk, in its order. What a removed line is within is told from what the old side has. */
export function codeParts(path: string, lines: readonly DiffLine[]): string[] {
  const syntax = syntaxes.find(([pattern]) => pattern.test(path))?.[1] ?? unknown
  const now = side(path, syntax, lines, '-')
  const before = side(path, syntax, lines, '+')
  return lines.map(({ sign }, index) => (sign === '-' ? before : now)[index] ?? '')
}

function side(path: string, syntax: Syntax, lines: readonly DiffLine[], without: '+' | '-'): string[] {
  const own = lines.map(({ sign, text }) => (sign === without ? null : text.length > LINE_LENGTH_MAX ? '' : text))
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
function isNote(path: string, { block, starts }: Syntax, text: string): boolean {
  if (starts?.test(text) === true) return true
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
    } else if (begins(syntax, rest, code)) {
      return { code, within }
    } else {
      const length = quoted(syntax, rest)
      code += rest.slice(0, length)
      at += length
    }
  }
  return { code, within }
}

const begins = ({ line, words: marks = [] }: Syntax, rest: string, before: string): boolean =>
  line.some((mark) => rest.startsWith(mark)) ||
  (/^\s?$/.test(before.slice(-1)) && marks.some((mark) => rest.startsWith(mark)))

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
