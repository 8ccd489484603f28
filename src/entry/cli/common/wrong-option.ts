// What is wrong with how a command was called, in one style for all of them, with the nearest word that there is.
import { nearest } from '../../../core/nearest.ts'
import { visible } from '../../../core/visible.ts'

const NEAR = 2

/** `error`: what the reading of arguments threw; anything else is thrown on. */
export function wrongOption(error: unknown, options: readonly string[]): string {
  if (!(error instanceof TypeError)) throw error
  const unknown = /^Unknown option '(-{1,2}[^']*)'/.exec(error.message)?.[1]
  if (unknown === undefined) return error.message.replace(/\.$/, '')
  return noOption(unknown, options)
}

export function noOption(given: string, options: readonly string[]): string {
  const meant = nearest(given.replace(/^-+/, ''), options, NEAR)
  return `there is no option \`${visible(given)}\`${meant === null ? '' : ` (did you mean \`--${meant}\`?)`}`
}
