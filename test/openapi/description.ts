// GitHub's published description of its REST interface, as far as the tests ask for it. Read once per process.
// https://github.com/github/rest-api-description
import { readFileSync } from 'node:fs'
import { isFields, type Fields } from '../github/fields.ts'
import { descriptionFile } from './description-file.ts'

export type Parameter = {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: unknown
}
export type Operation = {
  readonly id: string
  readonly parameters: readonly Parameter[]
  /** The body as JSON, or null where the operation takes none. */
  readonly body: { readonly required: boolean; readonly schema: unknown } | null
  /** By status. The schema is null where an answer of that status has no JSON in it. */
  readonly answers: ReadonlyMap<string, { readonly schema: unknown }>
}
export type Found = { readonly operation: Operation; readonly values: Readonly<Record<string, string>> }
type Template = {
  readonly pattern: RegExp
  readonly names: readonly string[]
  /** How much of the path is spelled out: what is more specific counts before what is less. */
  readonly fixed: number
  readonly item: Fields
}

const description = fieldsOf(JSON.parse(readFileSync(descriptionFile, 'utf8')))
const templates = Object.entries(fieldsOf(description['paths']))
  .map(([path, item]) => templateOf(path, fieldsOf(item)))
  .toSorted((one, other) => other.fixed - one.fixed)

/** What `#/components/…` stands for. */
export function resolved(value: unknown): Fields {
  const fields = fieldsOf(value)
  const { $ref: ref } = fields
  if (typeof ref !== 'string') return fields
  let target: unknown = description
  for (const name of ref.replace('#/', '').split('/')) target = fieldsOf(target)[name]
  return fieldsOf(target)
}

/** The operation behind a request, or null where GitHub describes none. */
export function findOperation(method: string, path: string): Found | null {
  for (const { pattern, names, item } of templates) {
    const operation = item[method.toLowerCase()]
    const match = operation === undefined ? null : pattern.exec(path)
    if (match === null) continue
    const values = names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? '')])
    return { operation: operationOf(fieldsOf(operation)), values: Object.fromEntries(values) }
  }
  return null
}

function templateOf(path: string, item: Fields): Template {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)
  const several = new Set(
    Object.values(item)
      .filter(isFields)
      .flatMap((operation) => listOf(operation['parameters']).map(resolved))
      .filter((parameter) => parameter['x-multi-segment'] === true)
      .map(({ name }) => name),
  )
  const source = path
    .split(/\{([^}]+)\}/)
    .map((part, index) =>
      index % 2 === 0 ? part.replace(/[.+?^$()|[\]\\]/g, '\\$&') : several.has(part) ? '(.+)' : '([^/]+)',
    )
    .join('')
  return { pattern: new RegExp(`^${source}$`), names, fixed: path.replace(/\{[^}]+\}/g, '').length, item }
}

const read = new Map<Fields, Operation>()

function operationOf(fields: Fields): Operation {
  const known = read.get(fields)
  if (known !== undefined) return known
  const body = fields['requestBody'] === undefined ? null : resolved(fields['requestBody'])
  const operation: Operation = {
    id: String(fields['operationId']),
    parameters: listOf(fields['parameters'])
      .map(resolved)
      .map(({ name, in: place, required, schema }) => ({
        name: String(name),
        in: String(place),
        required: required === true,
        schema,
      })),
    body: body === null ? null : { required: body['required'] === true, schema: jsonSchemaOf(body) },
    answers: new Map(
      Object.entries(fieldsOf(fields['responses'])).map(([status, answer]) => [
        status,
        { schema: jsonSchemaOf(resolved(answer)) },
      ]),
    ),
  }
  read.set(fields, operation)
  return operation
}

const jsonSchemaOf = ({ content }: Fields): unknown =>
  isFields(content) && isFields(content['application/json']) ? content['application/json']['schema'] : null

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function fieldsOf(value: unknown): Fields {
  if (!isFields(value)) throw new Error('The description of the REST interface is not shaped as expected')
  return value
}
