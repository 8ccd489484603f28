// Patterns of a policy: how much of them there may be, so that holding them against whatever a change brings has an end, and which of
// them are refused since they can match nothing.
import { expect, test } from 'vitest'
import { PATTERN_CHARACTERS_MAX } from '../../src/core/contract/policy/path-patterns.ts'
import { readPolicy } from '../../src/core/contract/policy/read-policy.ts'
import { readTaskBlock } from '../../src/core/contract/task/task-block.ts'
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
  ['a gate', `security: { red_team: { enabled: true, paths: ${list(12_000)} } }\nscope: { deny: ${list(12_000)} }`],
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

// prettier-ignore
test.each<[string, string, string, RegExp]>([
  ['verification: { checks: [{ command: a, paths: [/src/**] }] }', '1:48', 'verification.checks[0].paths[0]', /`paths\[0\]` \(`\/src\/\*\*`\) begins with a slash/],
  ['verification: { checks: [{ command: a, paths: [] }] }', '1:47', 'verification.checks[0].paths', /names no path, so this would never apply/],
  ['review: { stages: [{ name: a, paths: [] }] }', '1:38', 'review.stages[0].paths', /names no path/],
  ['review: { stages: [{ name: a, paths: [auth/] }] }', '1:39', 'review.stages[0].paths[0]', /ends with a slash, and no path does: `auth\/\*\*`/],
  ['security: { red_team: { enabled: true, paths: [] } }', '1:47', 'security.red_team.paths', /names no path/],
  ['scope: { deny: [infra/] }', '1:17', 'scope.deny[0]', /ends with a slash/],
  ["scope: { write: ['**', '!infra/**'] }", '1:24', 'scope.write[1]', /begins with `!`, which takes nothing out here/],
  ['protected_paths: [./infra//**]', '1:19', 'protected_paths[0]', /holds `\/\/`, `.` or `..`/],
  ['protected_paths: [src/../infra/**]', '1:19', 'protected_paths[0]', /holds/],
  ['protected_paths: [../shop/**]', '1:19', 'protected_paths[0]', /holds/],
  ['verification: { tier1: { ignore: [/dist/**] } }', '1:35', 'verification.tier1.ignore[0]', /begins with a slash/],
])('a pattern that can match no path is refused: %s', (text, place, key, message) => {
  const [line, column] = place.split(':').map(Number)
  const problem = { line, column, key, message: expect.stringMatching(message) }
  expect(readPolicy(text, 'p.yml')).toMatchObject({ ok: false, problems: [problem] })
})

test.each(['scope: { deny: [/infra/**] }', 'verification: { checks: [{ command: a, paths: [] }] }'])(
  "and so it is in a task's block: %s",
  (text) => {
    const reading = readTaskBlock(text, 'a block')
    expect(reading.ok ? [] : reading.problems).toMatchObject([{ line: 1 }])
  },
)

test('one that looks like it and can match is taken, as is an empty list of what is guarded', () => {
  const patterns = JSON.stringify(['./src/**', '.github/**', '**/.x', '...', 'a..b/c', 'a!b', '{a,b}/**', '[!a]b'])
  expect(readPolicy(`scope: { write: ${patterns}, deny: [] }\nprotected_paths: []`, 'p.yml').ok).toBe(true)
  expect(readPolicy('verification: { tier1: { expected_outputs: [docs/, ./dist/] } }', 'p.yml').ok).toBe(true)
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
