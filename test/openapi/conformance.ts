// Whether a request and its answer are what GitHub's published descriptions say: REST by OpenAPI, a query by the schema.
import { validate } from './github-schema.ts'
import { z } from 'zod'
import { isFields } from '../github/fields.ts'
import type { Exchange } from '../github/wire/server.ts'
import { findOperation, type Operation, type Parameter } from './description.ts'
import { isKnown } from './deviations.ts'
import { wrongIn, type Wrong } from './schemas.ts'

export type Violation = { readonly side: 'request' | 'answer'; readonly call: string; readonly why: string }

/** Where a download is redirected to, which on GitHub is a storage of its own. */
const isStorage = (path: string): boolean => path.startsWith('/_artifacts/') || path.startsWith('/_codeload/')

/** Everything that is wrong with one exchange. */
export function violationsOf(exchange: Exchange): readonly Violation[] {
  const { method, path } = exchange
  if (isStorage(path)) return []
  if (path === '/graphql') return wrongQuery(exchange.body)
  const call = `${method} ${path}`
  const found = findOperation(method, named(path))
  if (found === null) return [{ side: 'request', call, why: 'there is no such operation' }]
  const { operation, values } = found
  const asked = [
    ...inPath(operation, values),
    ...inQuery(operation, new URLSearchParams(exchange.query)),
    ...inBody(operation, exchange.body),
  ]
  const told = inAnswer(operation, exchange).filter((wrong) => !isKnown(operation.id, wrong))
  const words = ({ at, why }: Wrong): string => `${at} ${why}`
  return [
    ...asked.map((wrong) => ({ side: 'request', call, why: words(wrong) }) as const),
    ...told.map((wrong) => ({ side: 'answer', call, why: `${exchange.status} ${words(wrong)}` }) as const),
  ]
}

const asked = z.object({ query: z.string() })
const judged = new Map<string, readonly Violation[]>()

/** A query asks for fields of the published schema only. Its answer is made from the same schema by hand. */
function wrongQuery(body: string): readonly Violation[] {
  const { query } = asked.parse(JSON.parse(body))
  const known = judged.get(query)
  if (known !== undefined) return known
  const wrong = complaints(query).map((why) => ({ side: 'request', call: 'POST /graphql', why }) as const)
  judged.set(query, wrong)
  return wrong
}

function complaints(query: string): readonly string[] {
  try {
    return validate(query).map(({ message }) => message)
  } catch (error) {
    return [error instanceof Error ? error.message : 'it cannot be read']
  }
}

/** Where a renamed repository is redirected to: GitHub's own link, which stands for the path by name. */
const named = (path: string): string => path.replace(/^\/repositories\/\d+(?=\/|$)/, '/repos/owner/repo')

const inPath = ({ parameters }: Operation, values: Readonly<Record<string, string>>): readonly Wrong[] =>
  parameters.filter((one) => one.in === 'path').flatMap((one) => inParameter(one, values[one.name] ?? ''))

function inQuery({ parameters }: Operation, query: URLSearchParams): readonly Wrong[] {
  const known = parameters.filter((one) => one.in === 'query')
  const unknown = [...query.keys()].filter((name) => !known.some((one) => one.name === name))
  return [
    ...unknown.map((name) => ({ at: `?${name}`, rule: 'query', why: 'is no parameter of this operation' })),
    ...known.flatMap((one) => {
      const value = query.get(one.name)
      if (value !== null) return inParameter(one, value)
      return one.required ? [{ at: `?${one.name}`, rule: 'query', why: 'is missing' }] : []
    }),
  ]
}

const inParameter = ({ name, schema }: Parameter, text: string): readonly Wrong[] =>
  wrongIn(schema, typed(schema, text)).map((wrong) => ({ ...wrong, at: `{${name}} = ${text}` }))

/** Parameters are text on the wire, and described by the type that they stand for. */
function typed(schema: unknown, text: string): unknown {
  const type = isFields(schema) ? schema['type'] : undefined
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

function inBody({ body }: Operation, sent: string): readonly Wrong[] {
  if (sent === '') return body?.required === true ? [{ at: '/', rule: 'body', why: 'has no body' }] : []
  let value: unknown
  try {
    value = JSON.parse(sent)
  } catch {
    return [{ at: '/', rule: 'body', why: 'is not JSON' }]
  }
  if (body !== null) return wrongIn(body.schema, value)
  // A client may say `{}` where there is nothing to say.
  const empty = isFields(value) && Object.keys(value).length === 0
  return empty ? [] : [{ at: '/', rule: 'body', why: 'takes no body' }]
}

function inAnswer({ answers }: Operation, { status, answer }: Exchange): readonly Wrong[] {
  const described = answers.get(String(status))
  // Any request may be refused or moved, which is not repeated for each operation.
  if (described === undefined) return status >= 300 ? [] : [{ at: '/', rule: 'status', why: 'is no answer of it' }]
  if (Buffer.isBuffer(answer) || described.schema === null || status === 304) return []
  return wrongIn(described.schema, answer === null ? null : JSON.parse(JSON.stringify(answer)))
}
