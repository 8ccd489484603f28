// How one command is spelled: from its words to data and back. Printing a command and reading it gives the same command.
// What could be meant in two ways is refused with the usage, never guessed: an act must be exactly what its author wrote.
import { nearest } from '../nearest.ts'
import { visible } from '../visible.ts'
import {
  commandHelp,
  goalVerbs,
  isCommandName,
  requestVerbs,
  taskVerbs,
  type Command,
  type CommandName,
} from './command.ts'

/** The first word of a line, judged. The rest of the line belongs to the command. */
export type Address =
  | { readonly kind: 'known'; readonly name: CommandName; readonly rest: string }
  | { readonly kind: 'unknown'; readonly word: string; readonly nearest: string | null }

export type Incomplete = {
  readonly kind: 'incomplete'
  readonly name: CommandName
  readonly why:
    | 'unknown_flag'
    | 'missing_value'
    | 'misplaced_flag'
    | 'repeated_flag'
    | 'bad_sha'
    | 'bad_verb'
    | 'reason_too_long'
  readonly usage: string
}

export const REASON_LENGTH_MAX = 2000
const WORD_SHOWN_MAX = 50
const TYPO_DISTANCE_MAX = 1
const SUGGESTION_DISTANCE_MAX = 2
const prefix = 'countersign'

const names = Object.keys(commandHelp)
const firstWord = /^([^\t\p{Zs}]+)(?:[\t\p{Zs}]+(.*))?$/su

/** Who is spoken to by a line that began with a slash: null for other bots, paths and prose. */
export function addressOf(afterSlash: string): Address | null {
  const [, word = '', rest = ''] = firstWord.exec(afterSlash) ?? []
  const name = word.toLowerCase()
  if (name === prefix) return addressAfterPrefix(rest.replace(/^\//, ''))
  if (isCommandName(name)) return { kind: 'known', name, rest }
  if (name.includes('/')) return null
  const near = nearest(name, [...names, prefix], TYPO_DISTANCE_MAX)
  return near === null ? null : { kind: 'unknown', word: shown(word), nearest: near }
}

/** After `/countersign` nobody else can be meant, so every word is answered; on its own it asks for help. */
export function addressAfterPrefix(words: string): Address {
  const [, word = 'help', rest = ''] = firstWord.exec(words) ?? []
  const name = word.toLowerCase()
  if (isCommandName(name)) return { kind: 'known', name, rest }
  return { kind: 'unknown', word: shown(word), nearest: nearest(name, names, SUGGESTION_DISTANCE_MAX) }
}

const shown = (word: string): string => visible(word.slice(0, WORD_SHOWN_MAX))

/** Reads what follows the name of a command: its flags or verb, then free text. */
export function readCommand(name: CommandName, words: string): Command | Incomplete {
  const rest = visible(words).trim()
  switch (name) {
    case 'override':
      return readOverride(rest)
    case 'approve':
    case 'reject':
    case 'ack':
    case 'retry': {
      const flags = readFlags(name, ['sha'], rest)
      if ('why' in flags) return flags
      return bounded(name, flags.reason, (reason) => ({ name, reason, sha: flags.sha }))
    }
    case 'reason':
      return bounded(name, rest, (reason) => ({ name, reason }))
    case 'revoke':
    case 'verify':
    case 'status':
    case 'context':
    case 'log':
    case 'help':
      return { name }
    case 'assume':
      return bounded(name, rest, (text) => ({ name, text, items: [] }))
    case 'task':
      return readVerb(name, taskVerbs, rest, (verb, text) => ({ name, verb, text }))
    case 'goal':
      return readVerb(name, goalVerbs, rest, (verb, text) => ({ name, verb, text, items: [] }))
    case 'request':
      return readVerb(name, requestVerbs, rest, (verb, text) => ({ name, verb, text }))
  }
}

const incomplete = (name: CommandName, why: Incomplete['why']): Incomplete => ({
  kind: 'incomplete',
  name,
  why,
  usage: commandHelp[name].usage,
})

function bounded(name: CommandName, words: string, command: (text: string) => Command): Command | Incomplete {
  const text = words.replace(/\s+/gu, ' ').trim()
  return text.length > REASON_LENGTH_MAX ? incomplete(name, 'reason_too_long') : command(text)
}

function readVerb<V extends string>(
  name: CommandName,
  verbs: readonly V[],
  words: string,
  command: (verb: V, text: string) => Command,
): Command | Incomplete {
  const [, word = '', text = ''] = firstWord.exec(words) ?? []
  const verb = verbs.find((known) => known === word.toLowerCase())
  return verb === undefined ? incomplete(name, 'bad_verb') : bounded(name, text, (trimmed) => command(verb, trimmed))
}

function readOverride(rest: string): Command | Incomplete {
  const flags = readFlags('override', ['check', 'verifier', 'sha'], rest)
  if ('why' in flags) return flags
  const { checks, verifier, sha } = flags
  return bounded('override', flags.reason, (reason) => ({ name: 'override', checks, verifier, reason, sha }))
}

type Flag = 'check' | 'verifier' | 'sha'
type Flags = {
  readonly checks: readonly string[]
  readonly verifier: boolean
  readonly sha: string | null
  readonly reason: string
}

// Phones turn two hyphens into a dash. A dash on its own ends the flags, as it does in a shell.
const flagWord = /^(?:--|[–—]-?)([^=\s]*)(=|\s+|$)/u
const quotedValue = /^(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|[“„]([^“”]*)[“”])(?:\s+|$)/u
const bareValue = /^(?!["'“„–—]|--)(\S+)(?:\s+|$)/u
const lateFlag = /\s(?:--|[–—])(?:check|verifier|sha)(?=[\s=]|$)/u
const shaPattern = /^[0-9a-f]{7,40}$/i

function readFlags(name: CommandName, allowed: readonly Flag[], words: string): Flags | Incomplete {
  const checks = new Set<string>()
  let verifier = false
  let sha: string | null = null
  let rest = words
  for (let match = flagWord.exec(rest); match !== null; match = flagWord.exec(rest)) {
    const [all, word = '', end = ''] = match
    rest = rest.slice(all.length)
    if (word === '' && end !== '=') return { checks: [...checks], verifier, sha, reason: rest }
    const flag = allowed.find((known) => known === word.toLowerCase())
    if (flag === undefined || (flag === 'verifier' && end === '=')) return incomplete(name, 'unknown_flag')
    if (flag === 'verifier') {
      verifier = true
      continue
    }
    const taken = takeValue(rest)
    if (taken === null) return incomplete(name, 'missing_value')
    rest = taken.rest
    if (flag === 'check') {
      checks.add(taken.value)
      continue
    }
    if (sha !== null) return incomplete(name, 'repeated_flag')
    if (!shaPattern.test(taken.value)) return incomplete(name, 'bad_sha')
    sha = taken.value.toLowerCase()
  }
  // A flag behind the reason would silently widen an act that was meant to be narrow.
  if (lateFlag.test(rest)) return incomplete(name, 'misplaced_flag')
  return { checks: [...checks], verifier, sha, reason: rest }
}

function takeValue(words: string): { readonly value: string; readonly rest: string } | null {
  const match = quotedValue.exec(words) ?? bareValue.exec(words)
  if (match === null) return null
  const [all, one, other, third] = match
  const isQuoted = words.startsWith('"')
  const raw = one ?? other ?? third ?? ''
  const value = isQuoted ? raw.replace(/\\(["\\])/g, '$1') : raw
  return value === '' ? null : { value, rest: words.slice(all.length) }
}

/** The command as a person would write it, on one line: replies offer it to be repeated for a newer commit. */
export function printCommand(command: Command): string {
  switch (command.name) {
    case 'override': {
      const checks = command.checks.flatMap((check) => ['--check', printValue(check)])
      return words('/override', ...checks, command.verifier ? '--verifier' : '', ...printReason(command))
    }
    case 'approve':
    case 'reject':
    case 'ack':
    case 'retry':
      return words(`/${command.name}`, ...printReason(command))
    case 'reason':
      return words('/reason', command.reason)
    case 'revoke':
    case 'verify':
    case 'status':
    case 'context':
    case 'log':
    case 'help':
      return `/${command.name}`
    case 'assume':
      return withList(words('/assume', command.text), command.items)
    case 'goal':
    case 'task':
      return withList(words(`/${command.name}`, command.verb, command.text), command.items)
    case 'request':
      return words(`/${command.name}`, command.verb, command.text)
  }
}

const withList = (line: string, items: readonly string[] = []): string =>
  [line, ...items.map((item) => `- ${item}`)].join('\n')

const words = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ')

function printReason({ reason, sha }: { readonly reason: string; readonly sha: string | null }): string[] {
  return [sha === null ? '' : `--sha ${sha}`, flagWord.test(reason) || lateFlag.test(reason) ? '--' : '', reason]
}

const printValue = (value: string): string =>
  /^[\w.:/@][\w.:/@-]*$/.test(value) ? value : `"${value.replace(/["\\]/g, String.raw`\$&`)}"`
