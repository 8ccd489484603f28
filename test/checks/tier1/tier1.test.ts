// The built-in checks as a whole: what fails, what only warns, what is never opened, and what the report says.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { costMs } from '../../aside/computed.ts'
import { tier1 } from '../../../src/checks/tier1/tier1.ts'
import { FILE_BYTES_MAX } from '../../../src/checks/tier1/workspace.ts'
import {
  added,
  check,
  failures,
  modified,
  patchOf,
  removed,
  renamed,
  settings,
  workspaceOf,
} from './small-workspace.ts'

test('a change without files passes without a check', async () => {
  expect(await tier1([], workspaceOf({}), settings())).toEqual({
    passed: true,
    checks: [],
    feedback: null,
    findings: [],
    warnings: [],
    annotations: [],
  })
})

test('the report names each failed check with its detail, and marks the lines', async () => {
  const commit = { 'a.json': '{\n  "a": 1,\n}', 'docs/b.md': '', 'c.txt': 'fine' }
  const { passed, checks, feedback, annotations } = await check(commit, { expected_outputs: ['README.md'] })
  expect(passed).toBe(false)
  expect(checks.map(({ name, passed }) => `${passed ? 'passed' : 'failed'} ${name}`)).toEqual([
    'failed file_exists_README.md',
    'passed file_nonempty_a.json',
    'failed syntax_a.json',
    'passed file_nonempty_c.txt',
    'failed file_nonempty_docs/b.md',
  ])
  expect(feedback).toMatchInlineSnapshot(`
    "3 built-in checks failed:
    - file_exists_README.md: Expected output 'README.md' not found
    - syntax_a.json: a.json, line 3, column 1: There is a comma before this bracket and nothing after it.
    - file_nonempty_docs/b.md: docs/b.md is empty."
  `)
  expect(annotations).toMatchInlineSnapshot(`
    [
      {
        "level": "failure",
        "line": 3,
        "message": "a.json, line 3, column 1: There is a comma before this bracket and nothing after it.",
        "path": "a.json",
      },
      {
        "level": "failure",
        "line": 1,
        "message": "docs/b.md is empty.",
        "path": "docs/b.md",
      },
    ]
  `)
})

describe('what was removed, or is the old name of something, is never opened', () => {
  test.each([
    ['removed', removed('gone.json'), []],
    ['renamed', renamed('gone.json', 'here.json'), ['here.json']],
  ])('%s', async (_title, file, expected) => {
    const opened: string[] = []
    const report = await tier1([file], workspaceOf({ 'here.json': '1' }, { opened }), settings())
    expect(opened).toEqual(expected)
    expect(report.passed).toBe(true)
  })
})

test('a file that is named as changed and is not there is a warning, and no type of file', async () => {
  const report = await tier1([modified('a.md')], workspaceOf({}), settings({ expected_file_types: ['.md'] }))
  expect(failures(report)).toEqual(["file_type_.md: No changed file is of type '.md'"])
  expect(report.warnings).toContain('Changed files were not checked, because they are not there: a.md.')
})

describe('empty files', () => {
  test.each([
    ['a.txt', '', ['file_nonempty_a.txt: a.txt is empty.']],
    ['a.txt', '\n', []],
    ['pkg/__init__.py', '', []],
    ['.gitkeep', '', []],
    ['a.json', '', ['file_nonempty_a.json: a.json is empty.']],
  ])('%s %j', async (path, content, expected) => {
    expect(failures(await check({ [path]: content }))).toEqual(expected)
  })

  test('may be allowed by a pattern, and are then not parsed', async () => {
    expect((await check({ 'x/a.json': '' }, { allow_empty: ['x/**'] })).checks).toEqual([])
  })
})

test('ignored files are left out entirely', async () => {
  const opened: string[] = []
  const workspace = workspaceOf({ 'fixtures/bad.json': '{', 'a.json': '1' }, { opened })
  const files = [added('fixtures/bad.json'), added('a.json'), removed('fixtures/a.test.ts')]
  const report = await tier1(files, workspace, settings({ ignore: ['fixtures/**'] }), { patches: new Map() })
  expect(report.passed).toBe(true)
  expect(report.findings).toEqual([])
  expect(opened).toEqual(['a.json'])
})

test('a test that moves to where nobody looks counts as deleted', async () => {
  const files = [renamed('test/a.test.ts', 'attic/a.test.ts')]
  const report = await tier1(files, workspaceOf({}), settings({ ignore: ['attic/**'] }))
  expect(report.findings).toMatchObject([{ path: 'test/a.test.ts', message: 'This test file was deleted.' }])
})

describe('files that are not parsed say why', () => {
  const large = new Uint8Array(FILE_BYTES_MAX + 1).fill(0x20)
  test.each([
    ['too large', { 'a.json': large }, 'JSON was not parsed, because the file is larger than 1 MiB: a.json.'],
    ['binary', { 'a.yml': 'a\0: [' }, 'YAML was not parsed, because it is binary: a.yml.'],
    ['Python', { 'a.py': 'x' }, 'Python was not parsed, because there is no interpreter here: a.py.'],
    [
      'submodule',
      { lib: { kind: 'submodule' } },
      'Submodules were not looked into, because they are other repositories: lib.',
    ],
  ] as const)('%s', async (_title, commit, warning) => {
    const report = await check(commit)
    expect(report.passed).toBe(true)
    expect(report.warnings).toEqual([warning])
  })

  test('but nobody minds an image or a large file of another kind', async () => {
    expect((await check({ 'a.png': '\0', 'a.bin': large })).warnings).toEqual([])
  })

  test('many files of a kind are one warning', async () => {
    const commit = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`${index}.py`, 'x']))
    expect((await check(commit)).warnings).toEqual([
      'Python was not parsed, because there is no interpreter here: 0.py, 1.py, 2.py, 3.py, 4.py and 4 more.',
    ])
  })
})

test('what cannot be read does not pass', async () => {
  const report = await check({ 'a.txt': { kind: 'unavailable', why: 'permission denied' } })
  expect(failures(report)).toEqual(['file_nonempty_a.txt: a.txt could not be read: permission denied'])
})

describe('links', () => {
  test.each([
    ['sub/a', 'b', []],
    ['sub/a', '../b', []],
    ['a', '.', []],
    ['a', '../b', ['symlink_target_a: a is a link to ../b, which is outside the repository.']],
    [
      'sub/a',
      'x/../../../b',
      ['symlink_target_sub/a: sub/a is a link to x/../../../b, which is outside the repository.'],
    ],
    ['a', '/etc/passwd', ['symlink_target_a: a is a link to /etc/passwd, which is outside the repository.']],
    ['a', 'C:\\x', ['symlink_target_a: a is a link to C:\\x, which is outside the repository.']],
    ['a', '..\\x', ['symlink_target_a: a is a link to ..\\x, which is outside the repository.']],
    ['a', '.git/config', ['symlink_target_a: a is a link to .git/config, which is outside the repository.']],
    ['a', 'a', ['symlink_target_a: a is a link that could not be followed: its links lead in a circle']],
  ])('%s to %s', async (path, link, expected) => {
    expect(failures(await check({ [path]: { link } }))).toEqual(expected)
  })

  test('a link to a link that leaves is one that leaves', async () => {
    const [failure] = failures(await check({ a: { link: 'b' }, b: { link: '/etc' } }))
    expect(failure).toContain('symlink_target_a')
  })
})

test('each tool call and the return code are checks', async () => {
  const call = (tool: string, success: boolean, error: string | null) => {
    return { tool, result: { success, error, files_changed: [] } }
  }
  const tool_calls = [call('edit', true, null), call('bash', false, 'no such\nfile'), call('bash', false, null)]
  const { checks } = await tier1([], workspaceOf({}), settings(), { tool_calls, worker_exit_code: 3 })
  expect(checks).toEqual([
    { name: 'tool_edit_success', passed: true, detail: null },
    { name: 'tool_bash_success', passed: false, detail: 'no such file' },
    { name: 'tool_bash_success', passed: false, detail: 'The tool call failed and said nothing.' },
    { name: 'return_code', passed: false, detail: 'The return code was 3.' },
  ])
  expect((await tier1([], workspaceOf({}), settings(), { worker_exit_code: 0 })).passed).toBe(true)
})

test('more tool calls or files than are looked at do not pass', async () => {
  const tool_calls = Array.from({ length: 1001 }, () => ({
    tool: 'a',
    result: { success: true, error: null, files_changed: [] },
  }))
  const files = Array.from({ length: 3001 }, (_, index) => removed(`${index}`))
  const report = await tier1(files, workspaceOf({}), settings(), { tool_calls })
  expect(failures(report)).toEqual([
    'tool_calls: There are more than 1000 tool calls.',
    'file_count: 3001 files changed, and at most 3000 are checked. Split the change, or ignore what is generated.',
  ])
})

describe('hostile names are names like any other', () => {
  test.each([
    `it's "quoted".json`,
    'two\nlines.json',
    '__proto__/__proto__.json',
    '-rf.json',
    '$(id).json',
    '\u202egpj.json',
  ])('%j', async (path) => {
    const report = await check({ [path]: '{' }, { expected_outputs: [path] })
    const base = path.slice(path.lastIndexOf('/') + 1)
    expect(report.checks.map(({ name, passed }) => [name, passed])).toEqual([
      [`file_exists_${path}`, true],
      [`file_nonempty_${path}`, true],
      [`syntax_${base}`, false],
    ])
    expect(report.feedback?.split('\n')).toHaveLength(2)
    expect(report.feedback).not.toContain('\u202e')
  })
})

test('the order in which files are named changes nothing', async () => {
  const commit = {
    'a.json': '{',
    'b.json': '1',
    'c.test.ts': 'x',
    d: '',
    'e.py': 'x',
    'f.yml': 'a: [',
    g: { link: '/' },
  }
  const patches = new Map([['c.test.ts', patchOf('-expect(1).toBe(1)', '+xit("a", () => {})', '+a\u202eb')]])
  const files = Object.keys(commit).map(modified)
  const expected = await tier1(files, workspaceOf(commit), settings(), { patches })
  expect(expected.findings).toHaveLength(3)
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(files, { minLength: files.length }), async (shuffled) => {
      expect(await tier1(shuffled, workspaceOf(commit), settings(), { patches })).toEqual(expected)
    }),
    { numRuns: 50 },
  )
})

test('a thousand files take far less than five seconds', async () => {
  const row = (index: number) => `"key${index}": { "list": [1, 2, 3], "text": "words" }`
  const json = `{${Array.from({ length: 60 }, (_, index) => row(index)).join(',\n')}}`
  const yaml = Array.from({ length: 60 }, (_, index) => `key${index}:\n  - name: words\n    value: 1\n`).join('')
  const code = 'export const answer = 42\n'.repeat(80)
  const kinds = [
    ['json', json],
    ['yml', yaml],
    ['ts', code],
    ['csv', 'a,b,c\n'.repeat(300)],
  ] as const
  const commit = Object.fromEntries(
    Array.from({ length: 250 }, (_, index) => kinds.map(([type, text]) => [`src/${index}/file.${type}`, text])).flat(),
  )
  const patch = patchOf(
    ...code
      .trim()
      .split('\n')
      .map((line) => `+${line}`),
  )
  const patches = new Map(Object.keys(commit).map((path) => [path, patch]))
  const cost = await costMs(async () => {
    const report = await check(commit, { expected_outputs: ['**/file.ts', 'src/*/missing.md'] }, { patches })
    expect(failures(report)).toEqual(["file_exists_src/*/missing.md: Expected output 'src/*/missing.md' not found"])
    expect(report.checks).toHaveLength(1000 + 750 + 2)
  })
  expect(cost).toBeLessThan(5000)
})

test('what is cut from a long report is counted', async () => {
  const commit = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`${index}`, '']))
  const patches = new Map(Object.keys(commit).map((path) => [path, patchOf('+a\u202eb')]))
  const report = await check(commit, {}, { patches })
  expect(report.findings).toHaveLength(200)
  expect(report.annotations).toHaveLength(500)
  expect(report.feedback).toContain('- and 500 more')
  expect(report.warnings).toEqual([
    'There are 400 more findings, less grave than those that are listed.',
    '300 more places are not marked in the files.',
  ])
})
