// Answers a GraphQL request from plain objects: a field is a value, or a function of its arguments. A field that the
// schema below lacks is an error in the answer, as on GitHub, and never a silent null.
import { isFields, number, record, text } from '../fields.ts'
import { Problem } from '../problem.ts'
import { found } from '../world.ts'
import { ok, type Answer, type Call } from '../wire/call.ts'
import { parseDocument, type Document, type Field, type Selection } from './parse.ts'
import { mutations } from './mutations.ts'
import { queries } from './schema.ts'

export type Node = { readonly [name: string]: unknown }

type Trouble = { readonly type: string; readonly path: readonly string[]; readonly message: string }

export function answerGraphql(call: Call): Answer {
  const query = text(call.body, 'query')
  if (query === null) return failed('A query attribute must be specified and must be a string.')
  const trouble: Trouble[] = []
  try {
    const document = parseDocument(query, record(call.body, 'variables') ?? {})
    const cost = costOf(document)
    const root = document.operation === 'query' ? queries(call, cost) : mutations(call)
    const data = pick(root, document.fields, document, [], trouble)
    return { ...ok(trouble.length === 0 ? { data } : { data, errors: trouble }), cost }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) throw error
    return failed(error instanceof Error ? error.message : 'The query cannot be read.')
  }
}

/**
 * A point for each hundred lists that the question may have to look through, however many there are in fact.
 * https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
 */
function costOf(document: Document): number {
  const lists = (fields: readonly Selection[], times: number): number =>
    fields.reduce((sum, one) => {
      if (one.kind === 'spread') return sum + lists(found(document.fragments.get(one.fragment)), times)
      if (one.kind === 'inline') return sum + lists(one.fields, times)
      const size = number(one.args, 'first') ?? number(one.args, 'last')
      return sum + (size === null ? lists(one.fields, times) : times + lists(one.fields, times * size))
    }, 0)
  return Math.max(1, Math.round(lists(document.fields, 1) / 100))
}

const failed = (message: string): Answer => ok({ errors: [{ message }] })

function pick(
  node: Node,
  fields: readonly Selection[],
  document: Document,
  path: readonly string[],
  trouble: Trouble[],
): Node {
  return Object.fromEntries(
    spread(node, fields, document).map((field) => {
      const here = [...path, field.alias]
      return [field.alias, resolve(node, field, document, here, trouble)] as const
    }),
  )
}

function spread(node: Node, fields: readonly Selection[], document: Document): readonly Field[] {
  return fields.flatMap((one) => {
    switch (one.kind) {
      case 'field':
        return [one]
      case 'spread':
        return spread(node, found(document.fragments.get(one.fragment)), document)
      case 'inline':
        return one.type === null || one.type === node['__typename'] ? spread(node, one.fields, document) : []
    }
  })
}

function resolve(node: Node, field: Field, document: Document, path: readonly string[], trouble: Trouble[]): unknown {
  if (!(field.name in node)) {
    const type = typeof node['__typename'] === 'string' ? node['__typename'] : 'this type'
    trouble.push({ type: 'undefinedField', path, message: `Field '${field.name}' doesn't exist on type '${type}'` })
    return null
  }
  const value = node[field.name]
  try {
    const result: unknown = typeof value === 'function' ? Reflect.apply(value, null, [field.args]) : value
    return shape(result, field, document, path, trouble)
  } catch (error) {
    const message = error instanceof Error ? error.message : 'Something went wrong'
    const status = error instanceof Problem ? error.status : null
    const type = status === 404 ? 'NOT_FOUND' : status === 403 ? 'FORBIDDEN' : 'UNPROCESSABLE'
    trouble.push({ type, path, message })
    return null
  }
}

function shape(value: unknown, field: Field, document: Document, path: readonly string[], trouble: Trouble[]): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => shape(item, field, document, path, trouble))
  return isFields(value) && field.fields.length > 0 ? pick(value, field.fields, document, path, trouble) : value
}
