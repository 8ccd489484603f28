// Reads the part of GraphQL that clients of GitHub use: operations with variables, fields with arguments and aliases,
// inline and named fragments. What it cannot read is an error that says where.
import { z } from 'zod'

export type Field = {
  readonly kind: 'field'
  readonly name: string
  readonly alias: string
  readonly args: Readonly<Record<string, unknown>>
  readonly fields: readonly Selection[]
}
type Spread = { readonly kind: 'spread'; readonly fragment: string }
type Inline = { readonly kind: 'inline'; readonly type: string | null; readonly fields: readonly Selection[] }
export type Selection = Field | Spread | Inline
export type Document = {
  readonly operation: 'query' | 'mutation'
  readonly fields: readonly Selection[]
  readonly fragments: ReadonlyMap<string, readonly Selection[]>
}

const token = /\s+|,|#[^\n]*|("""[\s\S]*?"""|"(?:\\.|[^"\\])*"|\.\.\.|[A-Za-z_]\w*|-?\d+(?:\.\d+)?|[{}()[\]:$!=@|&])/gy

export function parseDocument(source: string, variables: Readonly<Record<string, unknown>>): Document {
  const tokens = split(source)
  let at = 0
  const peek = (): string => tokens[at] ?? ''
  const next = (): string => {
    at += 1
    return tokens[at - 1] ?? ''
  }
  const expect = (wanted: string): void => {
    const got = next()
    if (got !== wanted) throw new Error(`Expected ${wanted} but found ${got === '' ? 'the end' : got}`)
  }
  const values = new Map(Object.entries(variables))

  function value(): unknown {
    const first = next()
    if (first === '$') return values.get(next())
    if (first === '[') return untilClosed(']', value)
    if (first === '{') return Object.fromEntries(untilClosed('}', pair))
    if (first.startsWith('"""')) return first.slice(3, -3)
    if (first.startsWith('"')) return String(JSON.parse(first))
    if (/^-?\d/.test(first)) return Number(first)
    if (first === 'true' || first === 'false') return first === 'true'
    return first === 'null' ? null : first
  }
  function pair(): readonly [string, unknown] {
    const name = next()
    expect(':')
    return [name, value()]
  }
  function untilClosed<T>(close: string, read: () => T): T[] {
    const items: T[] = []
    while (peek() !== close) {
      if (peek() === '') throw new Error(`Expected ${close} but found the end`)
      items.push(read())
    }
    next()
    return items
  }
  function args(): Readonly<Record<string, unknown>> {
    if (peek() !== '(') return {}
    next()
    return Object.fromEntries(untilClosed(')', pair))
  }
  function selections(): readonly Selection[] {
    if (peek() !== '{') return []
    next()
    return untilClosed('}', selection)
  }
  function selection(): Selection {
    const first = next()
    if (first !== '...') {
      const name = peek() === ':' ? (next(), next()) : first
      return { kind: 'field', name, alias: first, args: args(), fields: selections() }
    }
    if (peek() === '{') return { kind: 'inline', type: null, fields: selections() }
    const word = next()
    return word === 'on' ? { kind: 'inline', type: next(), fields: selections() } : { kind: 'spread', fragment: word }
  }
  function definitions(): void {
    expect('(')
    untilClosed(')', () => {
      expect('$')
      const name = next()
      expect(':')
      while (/^[\w[\]!]+$/.test(peek()) && peek() !== ')') next()
      if (peek() !== '=') return
      next()
      const fallback = value()
      if (!values.has(name)) values.set(name, fallback)
    })
  }

  let operation: Document['operation'] = 'query'
  let fields: readonly Selection[] = []
  const fragments = new Map<string, readonly Selection[]>()
  while (at < tokens.length) {
    if (peek() === 'fragment') {
      next()
      const name = next()
      expect('on')
      next()
      fragments.set(name, selections())
      continue
    }
    if (peek() === 'query' || peek() === 'mutation') operation = next() === 'mutation' ? 'mutation' : 'query'
    if (/^\w+$/.test(peek())) next()
    if (peek() === '(') definitions()
    if (peek() !== '{') throw new Error(`Expected { but found ${peek() === '' ? 'the end' : peek()}`)
    fields = selections()
  }
  return { operation, fields, fragments }
}

const asked = z.object({ query: z.string() })

/** The names of the fields of a mutation, from the body of a request; none where it is something else. */
export function mutatedIn(body: string): readonly string[] {
  try {
    const { operation, fields } = parseDocument(asked.parse(JSON.parse(body)).query, {})
    return operation === 'mutation' ? fields.flatMap((one) => (one.kind === 'field' ? [one.name] : [])) : []
  } catch {
    return []
  }
}

function split(source: string): readonly string[] {
  const tokens: string[] = []
  token.lastIndex = 0
  while (token.lastIndex < source.length) {
    const at = token.lastIndex
    const match = token.exec(source)
    if (match === null) throw new Error(`Cannot read ${source.slice(at, at + 20)}`)
    if (match[1] !== undefined) tokens.push(match[1])
  }
  return tokens
}
