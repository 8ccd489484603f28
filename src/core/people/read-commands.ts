// Reads commands out of what a person wrote. A command counts at the start of a line of a top-level paragraph and nowhere
// else; words for other bots, paths and prose stay without an answer.
import { addressAfterPrefix, addressOf, readCommand, type Address, type Incomplete } from './command-grammar.ts'
import { commandHelp, type Command } from './command.ts'
import { addressing, BODY_LENGTH_MAX, spokenIn, type SpokenParagraph } from './spoken-lines.ts'
import { visible } from '../visible.ts'

/** `text` is the line as it was written, with hidden characters made visible and its far end cut off. */
export type ReadCommand =
  | { readonly kind: 'command'; readonly command: Command; readonly text: string }
  | { readonly kind: 'unknown'; readonly word: string; readonly nearest: string | null; readonly text: string }
  | (Incomplete & { readonly text: string })
  /** There are commands in it, and nobody can tell which of them its author gave. */
  | { readonly kind: 'unreadable'; readonly text: string }

/** Where the words were written: a comment and a review are Markdown, a command line is one command. */
export type SpokenIn = 'comment' | 'review' | 'cli'

export const COMMANDS_MAX = 10
const TEXT_LENGTH_MAX = 500

/** `self`: what we are called here, where somebody may call us. */
export function readCommands(body: string, kind: SpokenIn, self: string | null = null): ReadCommand[] {
  if (kind === 'cli') return [readTyped(body)]
  const spoken = spokenIn(body)
  if (spoken === null) return unreadCommands(body)
  const all = spoken.paragraphs.flatMap((paragraph) => readParagraph(paragraph, self))
  const beyond = all.slice(COMMANDS_MAX).map(({ text }) => text)
  return [...all.slice(0, COMMANDS_MAX), ...unreadCommands([...beyond, spoken.unread].join('\n'))]
}

/** Whether a line of it begins as commands do. Everything else, and that is nearly everything, need not be read. */
export const mayCommand = (body: string): boolean => new RegExp(addressing.source, 'm').test(body)

const namedCommand = new RegExp(
  String.raw`^[ \t]*/(?:countersign|${Object.keys(commandHelp).join('|')})(?![\w/-])`,
  'im',
)

/** Of what is more, or takes more time or memory to read, than one may take. A log or a list of paths has no answer. */
export function unreadCommands(body: string): ReadCommand[] {
  const [text] = namedCommand.exec(body.slice(0, BODY_LENGTH_MAX)) ?? []
  return text === undefined ? [] : [{ kind: 'unreadable', text: text.trim() }]
}

/** On a command line the slash may be left out, and all that follows belongs to the one command. */
function readTyped(typed: string): ReadCommand {
  const [first = '', ...more] = typed.slice(0, BODY_LENGTH_MAX).trim().split('\n')
  return read(addressAfterPrefix(first.replace(/^\/(?:countersign(?=\s|$)\s*)?/i, '')), first, more)
}

function readParagraph({ lines, items }: SpokenParagraph, self: string | null): ReadCommand[] {
  const found: { readonly address: Address; readonly text: string; readonly more: string[] }[] = []
  for (const { text, opens } of lines) {
    const afterSlash = /^[ \t]*\/(.*)$/s.exec(text)?.[1]
    const isCalled = self !== null && calledIn(text)?.toLowerCase() === self.toLowerCase()
    const said = afterSlash === undefined ? (isCalled ? asksForHelp : null) : addressOf(afterSlash)
    const address = opens ? said : null
    if (address === null) found.at(-1)?.more.push(text)
    else found.push({ address, text, more: [] })
  }
  const last = found.at(-1)
  return found.map((one) => read(one.address, one.text, one.more, one === last ? items : []))
}

/** Whoever is called by a line, such as `@countersign`. Whatever follows is prose, so no act is taken from it. */
const calledIn = (line: string): string | undefined => /^[ \t]*@([\w-]+)/.exec(line)?.[1]
const asksForHelp: Address = { kind: 'known', name: 'help', rest: '' }

/** Of tasks only what is split has a list. */
function withItems(command: Command, items: readonly string[]): Command {
  if (command.name === 'goal' || command.name === 'assume') return { ...command, items }
  return command.name === 'task' && command.verb === 'split' ? { ...command, items } : command
}

function read(address: Address, line: string, more: readonly string[], items: readonly string[] = []): ReadCommand {
  const text = visible(line.trim().slice(0, TEXT_LENGTH_MAX))
  if (address.kind === 'unknown') return { ...address, text }
  const words = [address.rest, ...more].map((part) => part.trim()).join(' ')
  const command = readCommand(address.name, words)
  if ('kind' in command) return { ...command, text }
  return { kind: 'command', command: withItems(command, items), text }
}
