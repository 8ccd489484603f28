// Path patterns in linear time. Patterns and paths both come from people who may be hostile, and the usual glob
// libraries compile to backtracking regular expressions, so these are compiled for RE2 instead.
import { RE2JS, RE2JSException } from 're2js'

const compiled = new Map<string, RE2JS>()
const COMPILED_MAX = 10_000

const atoms = /\\(.)|\*\*\/|\*\*|\*|\?|\[[!^]?\]?[^\]]*\]|[{},]|[^\\*?[{},]+|./gsu

/** `*` and `?` stay within a directory, `**` crosses them, `[a-z]` and `{a,b}` are what they are in a shell. */
export function matchesGlob(pattern: string, path: string): boolean {
  let expression = compiled.get(pattern)
  if (expression === undefined) {
    if (compiled.size >= COMPILED_MAX) compiled.clear()
    expression = compile(pattern)
    compiled.set(pattern, expression)
  }
  return expression.matches(path)
}

export function matchesAny(patterns: readonly string[], path: string): boolean {
  return patterns.some((pattern) => matchesGlob(pattern, path))
}

/** Whether it may match something that lies below a path, which it does where as much of it as ends at a slash matches the path. */
export function reachesBelow(pattern: string, path: string): boolean {
  const hidesSlash = /\{[^}]*\//.test(pattern)
  return hidesSlash || [...pattern.matchAll(/\//g)].some(({ index }) => matchesGlob(pattern.slice(0, index), path))
}

/** What cannot be a pattern, such as `[z-a]` or an open brace, means itself, as in a shell. */
function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(translate(pattern), RE2JS.DOTALL)
  } catch (error) {
    if (error instanceof RE2JSException) return RE2JS.compile(RE2JS.quote(pattern))
    throw error
  }
}

function translate(pattern: string): string {
  let depth = 0
  const parts = Array.from(pattern.replace(/^\.\//, '').matchAll(atoms), ([atom, escaped]) => {
    if (escaped !== undefined) return RE2JS.quote(escaped)
    if (atom === '**/') return '(?:.*/)?'
    if (atom === '**') return '.*'
    if (atom === '*') return '[^/]*'
    if (atom === '?') return '[^/]'
    if (atom === '{') return ((depth += 1), '(?:')
    if (atom === '}' && depth > 0) return ((depth -= 1), ')')
    if (atom === ',' && depth > 0) return '|'
    if (atom.startsWith('[') && atom.length > 2) return characterClass(atom)
    return RE2JS.quote(atom)
  })
  return depth === 0 ? parts.join('') : RE2JS.quote(pattern)
}

function characterClass(atom: string): string {
  const negated = /^\[[!^]/.test(atom)
  const members = atom.slice(negated ? 2 : 1, -1)
  // A dash at either end is itself, also beside the slash that a negated class leaves out.
  const escaped = members.replaceAll(/[\\[\]^&~|]|^-|-$/g, String.raw`\$&`)
  return `[${negated ? '^/' : ''}${escaped}]`
}
