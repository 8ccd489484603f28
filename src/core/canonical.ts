// One spelling for every JSON value, so that equal things have equal hashes.
import { createHash } from 'node:crypto'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined }

/** JSON with sorted keys and without undefined members. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (member === null || typeof member !== 'object' || Array.isArray(member)) return member
    return Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
  })
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export const digest = (value: unknown): string => sha256(canonical(value))
