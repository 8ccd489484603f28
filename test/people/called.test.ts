// Who calls us by our name, and what is only prose.
import { describe, expect, test } from 'vitest'
import { readCommands } from '../../src/core/people/read-commands.ts'

describe('our name at the beginning of a line', () => {
  const called = (body: string): string[] =>
    readCommands(body, 'comment', 'countersign').map((read) =>
      read.kind === 'command' ? read.command.name : read.kind,
    )
  test.each([
    ['@countersign', ['help']],
    ['  @Countersign: what can I do here?', ['help']],
    ['@countersign approve this, it is fine', ['help']],
    ['@countersign\n/override the runner broke', ['help', 'override']],
    ['ask @countersign', []],
    ['@countersign-acme help', []],
    ['@countersigner help', []],
    ['> @countersign help', []],
    ['`@countersign`', []],
    ['    @countersign', []],
    ['@bob look at this', []],
  ])('%j', (body, names) => expect(called(body)).toEqual(names))
  test('is nobody’s where we do not know it', () => expect(readCommands('@countersign', 'comment')).toEqual([]))
})
