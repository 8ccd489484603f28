// Reads the fields of a JSON body. A field of the wrong type is the caller's mistake and answered with 422; a field
// that is absent or null reads as null.
import { missing, Problem } from './problem.ts'

export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function text(fields: Fields, name: string): string | null {
  const value = fields[name] ?? null
  if (value === null || typeof value === 'string') return value
  throw wrongType(name, 'string')
}

export function neededText(fields: Fields, name: string): string {
  const value = text(fields, name)
  if (value === null) throw missing(name)
  return value
}

export function number(fields: Fields, name: string): number | null {
  const value = fields[name] ?? null
  if (value === null || typeof value === 'number') return value
  throw wrongType(name, 'integer')
}

export function neededNumber(fields: Fields, name: string): number {
  const value = number(fields, name)
  if (value === null) throw missing(name)
  return value
}

export function flag(fields: Fields, name: string): boolean | null {
  const value = fields[name] ?? null
  if (value === null || typeof value === 'boolean') return value
  throw wrongType(name, 'boolean')
}

export function record(fields: Fields, name: string): Fields | null {
  const value = fields[name] ?? null
  if (value === null || isFields(value)) return value
  throw wrongType(name, 'object')
}

export function list(fields: Fields, name: string): readonly unknown[] | null {
  const value = fields[name] ?? null
  if (value === null || Array.isArray(value)) return value
  throw wrongType(name, 'array')
}

export const records = (fields: Fields, name: string): readonly Fields[] | null =>
  list(fields, name)?.map((item) => {
    if (!isFields(item)) throw wrongType(name, 'array of objects')
    return item
  }) ?? null

export const texts = (fields: Fields, name: string): readonly string[] | null =>
  list(fields, name)?.map((item) => {
    if (typeof item !== 'string') throw wrongType(name, 'array of strings')
    return item
  }) ?? null

export function oneOf<T extends string>(fields: Fields, name: string, options: readonly T[]): T | null {
  const value = text(fields, name)
  if (value === null) return null
  const found = options.find((option) => option === value)
  if (found === undefined) {
    throw new Problem(422, `Invalid request.\n\n${value} is not a member of ${JSON.stringify(options)}.`)
  }
  return found
}

const wrongType = (name: string, type: string): Problem =>
  new Problem(422, `Invalid request.\n\nFor 'properties/${name}', the value is not of type ${type}.`)
