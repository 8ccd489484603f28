// One spelling for every JSON value, so that equal things have equal hashes.
import { createHash } from 'node:crypto'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined }

/** JSON with sorted keys and without undefined members. */
export function canonical(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  members.sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join()}}`
}

/** Whether two JSON values say the same. */
export function equal(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
    return one.every((item, place) => equal(item, other[place]))
  }
  if (!isMembers(one) || !isMembers(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && equal(one[key], other[key]))
  )
}

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export const digest = (value: unknown): string => sha256(canonical(value))
