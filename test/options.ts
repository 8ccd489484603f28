// What a command of the workshop can be asked for: `--help` tells it, a line for each option, and what it cannot make sense of it
// refuses in words, with exit code 2.
import { parseArgs } from 'node:util'
import { wordsOf } from '../src/core/error-words.ts'

/** `takes` names its value; what takes none is there or not. Without a `default` it may be left out. */
type Option = { readonly about: string; readonly takes?: string; readonly default?: string }

type Asked<Name extends string> = {
  readonly is: (name: Name) => boolean
  /** Empty where it was left out. */
  readonly text: (name: Name) => string
  /** A whole number, at least this. */
  readonly whole: (name: Name, least?: number) => number
  readonly pattern: (name: Name) => RegExp
  readonly refused: (words: string) => never
}

export function asked<Name extends string>(
  command: string,
  about: string,
  options: Readonly<Record<Name, Option>>,
): Asked<Name> {
  const refused = (words: string): never => {
    console.error(`${command}: ${words}. --help tells what can be asked for.`)
    process.exit(2)
  }
  const values = given(options, refused)
  if (values['help'] === true) {
    console.log(helpOf(command, about, options))
    process.exit(0)
  }
  const text = (name: Name): string => {
    const value = values[name]
    return typeof value === 'string' ? value : ''
  }
  return {
    is: (name) => values[name] === true,
    text,
    whole: (name, least = 0) => {
      const value = Number(text(name))
      const isFit = text(name).trim() !== '' && Number.isInteger(value) && value >= least
      return isFit ? value : refused(`--${name} takes a whole number from ${least}`)
    },
    pattern: (name) => {
      try {
        return new RegExp(text(name), 'i')
      } catch {
        return refused(`--${name} takes a regular expression, and ${JSON.stringify(text(name))} is none`)
      }
    },
    refused,
  }
}

function given(
  options: Readonly<Record<string, Option>>,
  refused: (words: string) => never,
): Readonly<Record<string, unknown>> {
  const flag = { type: 'boolean' } as const
  const read = Object.entries(options).map(([name, { takes, default: value }]) => {
    const withDefault = value === undefined ? {} : { default: value }
    return [name, takes === undefined ? flag : { type: 'string' as const, ...withDefault }] as const
  })
  try {
    return parseArgs({ options: { ...Object.fromEntries(read), help: flag } }).values
  } catch (error) {
    return refused(wordsOf(error))
  }
}

function helpOf(command: string, about: string, options: Readonly<Record<string, Option>>): string {
  const rows = Object.entries(options).map(([name, { takes, default: value = '', about: what }]) => ({
    left: takes === undefined ? `--${name}` : `--${name} <${takes}>`,
    right: value === '' ? what : `${what} (${value})`,
  }))
  const width = Math.max(...rows.map(({ left }) => left.length)) + 2
  const lines = rows.map(({ left, right }) => `  ${left.padEnd(width)}${right}`)
  return `npm run ${command} -- [options]\n\n${lines.join('\n')}\n\n${about}`
}
