// Patterns of a policy: how much of them there may be, so that holding them against whatever a change brings has an end.
import { expect, test } from 'vitest'
import { PATTERN_CHARACTERS_MAX } from '../../src/core/contract/policy/policy-rules.ts'
import { readPolicy } from '../../src/core/contract/policy/read-policy.ts'
import { compiled } from '../../src/core/linear-pattern.ts'
import { defaultFail, defaultPass } from '../../src/verifier/weighing/pattern.ts'

const list = (characters: number): string =>
  JSON.stringify(Array.from({ length: characters / 400 }, (_, index) => `${index}`.padEnd(400, 'a')))

test.each([
  ['scope', `scope: { write: ${list(12_000)}, deny: ${list(12_000)} }`],
  ['protected paths and scope', `scope: { deny: ${list(12_000)} }\nprotected_paths: ${list(12_000)}`],
  [
    'checks',
    `verification: { checks: [{ command: a, paths: ${list(12_000)} }, { command: b, paths: ${list(12_000)} }] }`,
  ],
  ['tier 1', `verification: { tier1: { ignore: ${list(12_000)}, allow_empty: ${list(12_000)} } }`],
  [
    'hidden text',
    `verification: { verifier: { hidden_text_allowed: ${list(12_000)} } }\nscope: { deny: ${list(12_000)} }`,
  ],
])('path patterns have a limit together, with those of %s', (_where, text) => {
  const reading = readPolicy(text, 'policy.yml')
  const message = `together; ${PATTERN_CHARACTERS_MAX} are the most`
  expect(reading).toMatchObject({ ok: false, problems: [{ message: expect.stringContaining(message) }] })
})

test('as many as that are read', () => {
  expect(readPolicy(`scope: { deny: ${list(12_000)} }\nprotected_paths: ${list(7_200)}`, 'p.yml').ok).toBe(true)
})

test.each([
  [defaultPass, true],
  [defaultFail, true],
  [String.raw`\d{4}-\d{2}-\d{2}: (?:yes|no){1,3}`, true],
  ['x{400}', true],
  ['x{600}', false],
  ['x{2,600}', false],
  ['x{600,}', false],
  ['((a{10}){10}){10}', false],
  ['(?:abc){200}', false],
  ['[a-z]{100}'.repeat(6), false],
  [String.raw`\p{Greek}{501}`, false],
  [String.raw`\Q[\E(?:aaaa){400}]`, false],
  [String.raw`\{600}[{600}]`, true],
  ['(', false],
])('the pattern %s can be used: %s', (pattern, expected) => {
  expect(compiled(pattern) !== null).toBe(expected)
})
