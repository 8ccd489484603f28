// The policy as JSON Schema, for editors that complete and check the file. Draft 7, since that is what they read.
import { z } from 'zod'
import { notAvailable } from './not-available.ts'
import { policySchema } from './policy.ts'

export type JsonSchema = z.core.JSONSchema.BaseSchema

export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', target: 'draft-7' })
}

export function policyJsonSchema(): JsonSchema {
  const { $schema, ...rest } = jsonSchemaOf(policySchema)
  for (const [key, why] of Object.entries(notAvailable)) markUnavailable(rest, key.split('.'), why)
  const title = 'Countersign policy'
  const description = 'What .github/countersign.yml may say. Every key is optional.'
  return { ...($schema === undefined ? {} : { $schema }), title, description, ...rest }
}

/** Editors say why a key is of no use yet, and take nothing but its default. */
function markUnavailable(schema: JsonSchema, [key = '', ...deeper]: readonly string[], why: string): void {
  const inner = schema.properties?.[key]
  if (schema.properties === undefined || typeof inner !== 'object') throw new Error(`The policy has no key ${key}`)
  if (deeper.length > 0) return markUnavailable(inner, deeper, why)
  const description = `${inner.description ?? ''} Not available yet: ${why}.`
  schema.properties[key] = { ...nothingBut(inner), description }
}

function nothingBut(schema: JsonSchema): JsonSchema {
  const { default: unused } = schema
  if (Array.isArray(unused)) return { ...schema, maxItems: 0 }
  if (unused === null || typeof unused === 'string' || typeof unused === 'boolean') return { ...schema, enum: [unused] }
  return { not: {} }
}

const LINE_LENGTH_MAX = 120

export const policySchemaText = (): string => schemaText(policyJsonSchema())

/** The text of a committed file: lists of words stay on one line where they fit, as the formatter wants it. */
export function schemaText(schema: JsonSchema): string {
  const text = JSON.stringify(schema, null, 2)
  const folded = text.replaceAll(
    /^(.*)\[\n((?:\s*(?:"[^"\n]*"|[\w.]+),?\n)+)\s*\](,?)$/gm,
    (whole, before: string, items: string, comma: string) => {
      const line = `${before}[${items.trim().split(/\n\s*/).join(' ')}]${comma}`
      return line.length <= LINE_LENGTH_MAX ? line : whole
    },
  )
  return `${folded}\n`
}
