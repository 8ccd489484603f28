// CODEOWNERS line by line, with the examples of GitHub's own page: whom it names for a path, and what is no line of it.
// https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners
import { describe, expect, test } from 'vitest'
import { costMs } from '../aside/computed.ts'
import { ownersOf, readOwners } from '../../src/core/contract/code-owners.ts'

function owners(text: string, path: string): string {
  const reading = readOwners(text)
  return 'broken' in reading ? reading.broken : ownersOf(reading.rules, path).join(' ')
}

// prettier-ignore
test.each<[string, string, string]>([
  ['* @ada', 'a/b/c.ts', 'ada'],
  ['*.js @ada # This is an inline comment.', 'a/b.js', 'ada'],
  ['*.js @ada', 'a/b.jsx', ''],
  ['*.go docs@example.com', 'x.go', 'docs@example.com'],
  ['*.txt @octo-org/octocats @bob', 'x.txt', 'octo-org/octocats bob'],
  ['/build/logs/ @ada', 'build/logs/x/y.log', 'ada'],
  ['/build/logs/ @ada', 'src/build/logs/y.log', ''],
  ['docs/* docs@example.com', 'docs/getting-started.md', 'docs@example.com'],
  ['docs/* docs@example.com', 'docs/build-app/troubleshooting.md', ''],
  ['apps/ @ada', 'src/apps/x/y.ts', 'ada'],
  ['apps/ @ada', 'apps', ''],
  ['/docs/ @ada', 'docs/a/b.md', 'ada'],
  ['/docs/ @ada', 'src/docs/b.md', ''],
  ['**/logs @ada', 'deeply/nested/logs/x.log', 'ada'],
  ['**/logs @ada', 'logs/x.log', 'ada'],
  ['/apps/ @ada\n/apps/github', 'apps/github/x.ts', ''],
  ['/apps/ @ada\n/apps/github', 'apps/other/x.ts', 'ada'],
  ['/apps/ @ada\n/apps/github @bob', 'apps/github/x.ts', 'bob'],
  ['/apps/github @bob\n/apps/ @ada', 'apps/github/x.ts', 'ada'],
  ['a\\ b/ @ada', 'a b/c.ts', 'ada'],
  ['{a,b}.ts @ada', 'a.ts', ''],
  ['{a,b}.ts @ada', '{a,b}.ts', 'ada'],
  ['A.ts @ada', 'a.ts', ''],
  ['\r\n# all of it\r\n\r\n* @ada\r\n', 'a.ts', 'ada'],
  ['', 'a.ts', ''],
])('%j: %s is of "%s"', (text, path, expected) => expect(owners(text, path)).toBe(expected))

describe('what GitHub would pass over is a mistake', () => {
  test.each([
    ['* @ada\n!a.ts @bob', 'line 2: `!a.ts` is no pattern of CODEOWNERS'],
    ['[ab].ts @bob', 'line 1: `[ab].ts` is no pattern of CODEOWNERS'],
    ['* ada', 'line 1: `ada` is no owner'],
    ['* @ada/b/c', 'line 1: `@ada/b/c` is no owner'],
  ])('%j', (text, expected) => expect(owners(text, 'a.ts')).toBe(expected))
})

test('however long it is, and whatever the paths are, it is read in time that grows with both', async () => {
  const evil = `${'*a'.repeat(200)} @ada\n`.repeat(200)
  const cost = await costMs(() => {
    expect(owners(evil, 'a'.repeat(2_000))).toBe('ada')
    expect(owners(evil, 'b'.repeat(4_000))).toBe('')
  })
  expect(cost).toBeLessThan(5_000)
})
