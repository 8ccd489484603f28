// Which keys are valid where, read from the JSON Schema, to find the one that somebody meant.
import type { JsonSchema } from './json-schema.ts'
import type { Path } from '../tree.ts'

export type KnownKeys = {
  readonly at: (path: Path) => readonly string[]
  /** Every place of a key, dotted, with `[]` for the entries of a list. */
  readonly placesOf: (key: string) => readonly string[]
}

/** The schema is made when the first key is wrong: that takes a while, and most files have none. */
export function knownKeys(schemaNow: () => JsonSchema): KnownKeys {
  let made: { readonly schema: JsonSchema; readonly places: ReadonlyMap<string, string[]> } | null = null
  const known = () => {
    if (made !== null) return made
    const places = new Map<string, string[]>()
    const schema = schemaNow()
    collect(schema, '', places)
    made = { schema, places }
    return made
  }
  return {
    at: (path) => keysOf(path.reduce<JsonSchema | null>((inner, step) => inner && below(inner, step), known().schema)),
    placesOf: (key) => known().places.get(key) ?? [],
  }
}

function variants(schema: JsonSchema): JsonSchema[] {
  return [schema, ...(schema.anyOf ?? []).filter(isSchema)]
}

const isSchema = (value: unknown): value is JsonSchema => value !== null && typeof value === 'object'

function keysOf(schema: JsonSchema | null): string[] {
  return schema === null ? [] : variants(schema).flatMap(({ properties }) => Object.keys(properties ?? {}))
}

function below(schema: JsonSchema, step: string | number): JsonSchema | null {
  for (const { items, properties, additionalProperties } of variants(schema)) {
    const own = typeof step === 'string' && properties !== undefined && Object.hasOwn(properties, step)
    const next: unknown = typeof step === 'number' ? items : own ? properties[step] : additionalProperties
    if (isSchema(next) && !Array.isArray(next)) return next
  }
  return null
}

function collect(schema: JsonSchema, place: string, places: Map<string, string[]>): void {
  for (const { items, properties } of variants(schema)) {
    if (isSchema(items) && !Array.isArray(items)) collect(items, `${place}[]`, places)
    for (const [key, inner] of Object.entries(properties ?? {})) {
      const path = place === '' ? key : `${place}.${key}`
      places.set(key, [...(places.get(key) ?? []), path])
      if (isSchema(inner)) collect(inner, path, places)
    }
  }
}
