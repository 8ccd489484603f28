// What was heard in a comment, as short as it can be said.
import { printCommand } from '../../src/core/people/command-grammar.ts'
import type { Command } from '../../src/core/people/command.ts'
import { readCommands } from '../../src/core/people/read-commands.ts'

export const override = (given: Partial<Extract<Command, { name: 'override' }>> = {}): Command => ({
  name: 'override',
  checks: [],
  verifier: false,
  reason: '',
  sha: null,
  ...given,
})

/** One line per answer. */
export const heard = (body: string): string[] =>
  readCommands(body, 'comment').map((read) => {
    if (read.kind === 'command') return printCommand(read.command)
    if (read.kind === 'unreadable') return `unreadable ${read.text}`
    return read.kind === 'unknown' ? `? ${read.word} -> ${read.nearest}` : `! ${read.name} ${read.why}`
  })
