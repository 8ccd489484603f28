// Which workflows run the Action, told from their text: from wherever it is published, and through those that call them.
import { describe, expect, test } from 'vitest'
import { runningAction } from '../../src/adapters/github/results/workflows.ts'

const path = '.github/workflows/a.yml'
const runs = (text: string): boolean => runningAction([{ path, text }]).includes(path)
const using = (uses: string): string => `on: pull_request
jobs:
  checks:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - uses: ${uses}
`

describe('a step that uses it', () => {
  test.each([
    'countersign/countersign@v0',
    'acme/countersign@main',
    'acme/Countersign@0123456789abcdef0123456789abcdef01234567 # v1.2.3',
    'acme/tools/countersign@v1',
    'acme/countersign/action@v1',
    '"acme/countersign@v1"',
    "'acme/countersign@v1'",
    './',
    '.',
    './.countersign',
    './.github/actions/countersign',
  ])('%s', (uses) => {
    expect(runs(using(uses))).toBe(true)
  })

  test('in flow style, in a file with Windows line ends, and by an anchor', () => {
    expect(runs('jobs: { a: { steps: [{ uses: acme/countersign@v1 }] } }')).toBe(true)
    expect(runs(using('acme/countersign@v1').replaceAll('\n', '\r\n'))).toBe(true)
    expect(
      runs('jobs:\n  a: { steps: &own [{ uses: acme/countersign@v1 }] }\n  b: { steps: *own, runs-on: x }\n'),
    ).toBe(true)
  })
})

describe('no step that uses it', () => {
  test.each([
    ['another action', using('acme/build@v1')],
    ['one with a longer name', using('acme/countersign-lint@v1')],
    ['one whose name only ends so', using('acme/not-countersign@v1')],
    ['an image', using('docker://acme/countersign:1')],
    ['an action of the repository itself', using('./.github/actions/build')],
    ['a comment', `# uses: acme/countersign@v1\n${using('acme/build@v1 # was acme/countersign@v1')}`],
    ['a command', 'jobs: { a: { steps: [{ run: "echo uses acme/countersign@v1" }] } }'],
    ['a text', 'name: uses acme/countersign@v1\njobs: { a: { steps: [{ name: "uses: acme/countersign@v1" }] } }'],
    ['an input', 'jobs: { a: { steps: [{ uses: acme/build@v1, with: { uses: acme/countersign@v1 } }] } }'],
    ['no jobs', 'uses: acme/countersign@v1\n'],
    ['jobs that are none', 'jobs: [{ steps: [{ uses: acme/countersign@v1 }] }]\n'],
    ['steps that are none', 'jobs: { a: { steps: { uses: acme/countersign@v1 } } }\n'],
    ['a file that cannot be read', `${using('acme/countersign@v1')}  - :\n bad: [`],
    ['nothing', ''],
  ])('%s', (_title, text) => {
    expect(runs(text)).toBe(false)
  })

  test('a file whose aliases multiply is not unfolded', () => {
    const lines = Array.from(
      { length: 30 },
      (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(9)}*a${at}]\n`,
    ).join('')
    const began = performance.now()
    expect(runs(`a0: &a0 x\n${lines}${using('acme/countersign@v1')}`)).toBe(false)
    expect(performance.now() - began).toBeLessThan(1_000)
  })
})

describe('a workflow that calls another', () => {
  const file = (name: string, text: string) => ({ path: `.github/workflows/${name}.yml`, text })
  const calling = (uses: string): string => `jobs: { checks: { uses: ${uses} } }\n`

  test('runs it too, over any number of calls, and in whatever order they are listed', () => {
    const files = [
      file('outer', calling('./.github/workflows/middle.yml')),
      file('middle', calling('./.github/workflows/shared.yml')),
      file('other', calling('./.github/workflows/lint.yml')),
      file('shared', using('acme/countersign@v1')),
      file('lint', using('acme/lint@v1')),
    ]
    expect(runningAction(files)).toEqual(['outer', 'middle', 'shared'].map((name) => file(name, '').path))
  })

  test('of another repository tells nothing, and one that calls itself ends', () => {
    const files = [
      file('remote', calling('acme/.github/.github/workflows/shared.yml@v1')),
      file('self', calling('./.github/workflows/self.yml')),
      file('shared', using('acme/countersign@v1')),
    ]
    expect(runningAction(files)).toEqual([file('shared', '').path])
  })
})
