// Judges values by the schemas of an OpenAPI 3.0 description. These are nearly JSON Schema: `nullable` is rewritten, and
// what only explains is left out. A schema is compiled when it is first asked for, since there are thousands.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { isFields } from '../github/fields.ts'
import { resolved } from './description.ts'

export type Wrong = { readonly at: string; readonly rule: string; readonly why: string }

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
const ajv = new Ajv({
  strict: false,
  allErrors: true,
  logger: false,
  formats: { 'date-time': dateTime, uri: (text: string) => URL.canParse(text) },
})
const compiled = new Map<unknown, ValidateFunction>()
const added = new Set<string>()

/** What is wrong with a value; nothing where it is as described. */
export function wrongIn(schema: unknown, value: unknown): readonly Wrong[] {
  const validate = compiled.get(schema) ?? compile(schema)
  return validate(value) ? [] : plain(validate.errors ?? [])
}

function compile(schema: unknown): ValidateFunction {
  const validate = ajv.compile(isFields(schema) ? { ...schemaOf(schema) } : {})
  compiled.set(schema, validate)
  return validate
}

const explaining: readonly string[] = ['example', 'examples', 'default', 'discriminator', 'description', 'title']
/** Holds schemas by name, so that its keys are no keywords. */
const named: readonly string[] = ['properties', 'patternProperties']

function schemaOf(schema: unknown): Readonly<Record<string, unknown>> {
  if (!isFields(schema)) return {}
  if (typeof schema['$ref'] === 'string')
    return { $ref: added.has(schema['$ref']) ? idOf(schema['$ref']) : add(schema['$ref']) }
  const entries = Object.entries(schema).filter(([key]) => !explaining.includes(key) && key !== 'nullable')
  const inner = Object.fromEntries(entries.map(([key, value]) => [key, rewritten(key, value)]))
  return schema['nullable'] === true ? { anyOf: [{ type: 'null' }, inner] } : inner
}

function rewritten(key: string, value: unknown): unknown {
  if (key === 'enum' || key === 'required') return value
  if (Array.isArray(value)) return value.map((one: unknown) => (isFields(one) ? schemaOf(one) : one))
  if (!isFields(value)) return value
  if (!named.includes(key)) return schemaOf(value)
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, schemaOf(one)]))
}

const idOf = (ref: string): string => ref.replace('#/components/', '').replaceAll('/', '.')

/** Known before it is rewritten, since some schemas hold themselves. */
function add(ref: string): string {
  added.add(ref)
  ajv.addSchema({ ...schemaOf(resolved({ $ref: ref })) }, idOf(ref))
  return idOf(ref)
}

/** That none of several alternatives fits says less than why each does not. */
const plain = (errors: readonly ErrorObject[]): readonly Wrong[] =>
  errors.map(({ instancePath, keyword, message = '', params }) => {
    const details = Object.entries(params).filter(([name]) =>
      ['allowedValues', 'missingProperty', 'additionalProperty'].includes(name),
    )
    const more = details.map(([, value]) => ` (${Array.isArray(value) ? value.join(', ') : String(value)})`).join('')
    return { at: instancePath === '' ? '/' : instancePath, rule: keyword, why: `${message}${more}` }
  })
