// Replies repeat a command in words: whatever is printed is read as the same command.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { printCommand } from '../../src/core/people/command-grammar.ts'
import { goalVerbs, requestVerbs, taskVerbs, type Command } from '../../src/core/people/command.ts'
import { readCommands } from '../../src/core/people/read-commands.ts'
import { visible } from '../../src/core/visible.ts'

describe('printing', () => {
  const word = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    .map(spaced)
    .filter((text) => text !== '')
  const awkward = fc.constantFrom('--check', '--', '—', '"', "'", '`', '<!--', '\\', '/override', '@ada', '|', '***')
  const text = fc.array(fc.oneof(word, awkward), { maxLength: 6 }).map((words) => words.join(' '))
  const sha = fc.option(fc.stringMatching(/^[0-9a-f]{7,40}$/))
  const checks = fc.uniqueArray(fc.oneof(word, awkward, fc.constant('unit tests')), { maxLength: 3 })
  const command: fc.Arbitrary<Command> = fc.oneof(
    fc.record({ name: fc.constant('override' as const), checks, verifier: fc.boolean(), reason: text, sha }),
    fc.record({ name: fc.constantFrom('approve', 'reject', 'ack', 'retry'), reason: text, sha }),
    fc.record({ name: fc.constant('reason' as const), reason: text }),
    fc.record({ name: fc.constantFrom('revoke', 'verify', 'status', 'context', 'log', 'help') }),
    fc.record({
      name: fc.constant('assume' as const),
      text,
      items: fc.array(fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,3}$/), { maxLength: 3 }),
    }),
    fc.record({ name: fc.constant('task' as const), verb: fc.constantFrom(...taskVerbs), text }),
    fc.record({
      name: fc.constant('goal' as const),
      verb: fc.constantFrom(...goalVerbs),
      text,
      items: fc.array(fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,3}$/), { maxLength: 3 }),
    }),
    fc.record({ name: fc.constant('request' as const), verb: fc.constantFrom(...requestVerbs), text }),
  )

  test('what is printed is read as the same command', () => {
    fc.assert(
      fc.property(command, (given) => {
        expect(readCommands(printCommand(given), 'comment')).toMatchObject([{ kind: 'command', command: given }])
      }),
      { numRuns: 2000 },
    )
  })

  test('the words of an override', () => {
    const given = {
      name: 'override' as const,
      checks: ['test', 'unit tests'],
      verifier: true,
      sha: 'abcdef1',
      reason: 'flaky',
    }
    expect(printCommand(given)).toBe('/override --check test --check "unit tests" --verifier --sha abcdef1 flaky')
  })
})

/** As reasons are kept: nothing hidden, single spaces. */
function spaced(text: string): string {
  return visible(text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Z}]+/gu, ' ').trim())
}
