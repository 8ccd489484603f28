// Signs that tests say less than before: each sign in each language, and what looks alike and is none.
import { describe, expect, test } from 'vitest'
import { tier1 } from '../../../src/checks/tier1/tier1.ts'
import type { ChangedFile } from '../../../src/core/decision/model.ts'
import { added, failures, modified, patchOf, removed, renamed, settings, workspaceOf } from './small-workspace.ts'
import { costMs } from '../../aside/computed.ts'

async function findingsOf(file: ChangedFile, patch?: string): Promise<string[]> {
  const patches = patch === undefined ? undefined : new Map([[file.path, patch]])
  const { findings } = await tier1([file], workspaceOf({}), settings(), { patches })
  return findings.map(({ line, severity, message }) => `${severity} ${line} ${message}`)
}

// In parts, or the test that looks for such words would find them here.
const alone = 'only'

describe('a test that is left out', () => {
  test.each([
    ['a.test.ts', "it.skip('adds', () => {})"],
    ['a.test.ts', "  test.concurrent.skip('adds', () => {})"],
    ['a.test.ts', "describe.skip.each([1])('adds', () => {})"],
    ['a.test.ts', "it.todo('adds')"],
    ['a.spec.js', "xit('adds', () => {})"],
    ['src/__tests__/a.jsx', "xdescribe('adds', () => {})"],
    ['test/a.mjs', 't.skip()'],
    ['tests/test_a.py', '@pytest.mark.skip(reason="slow")'],
    ['tests/test_a.py', '    @pytest.mark.xfail'],
    ['tests/test_a.py', "@unittest.skipIf(True, 'x')"],
    ['tests/test_a.py', "        self.skipTest('x')"],
    ['a_test.go', '\tt.Skip("flaky")'],
    ['a_test.go', '\tt.SkipNow()'],
    ['src/lib.rs', '    #[ignore]'],
    ['src/lib.rs', '    #[ignore = "slow"]'],
    ['src/test/java/ATest.java', '    @Disabled("flaky")'],
    ['src/test/java/ATest.java', '    @Ignore'],
    ['src/test/kotlin/ATest.kt', '@Disabled'],
    ['ATests.cs', '[Fact(Skip = "flaky")]'],
    ['ATests.cs', '[Ignore("flaky")]'],
    ['spec/a_spec.rb', "  xit 'adds' do"],
    ['spec/a_spec.rb', '    skip'],
    ['tests/ATest.php', "$this->markTestSkipped('x');"],
    ['Tests/ATests.swift', 'throw XCTSkip("x")'],
    ['test/a_test.exs', '  @tag :skip'],
    ['a_test.cc', 'TEST(A, DISABLED_Adds) {'],
  ])('%s %s', async (path, line) => {
    expect(await findingsOf(modified(path), patchOf(' x', `+${line}`))).toEqual(['MEDIUM 2 This leaves a test out.'])
  })
})

test('one that was left out before excuses one, not two', async () => {
  const patch = patchOf("-it.skip('a')", "+  it.skip('a')", "+  it.skip('a')")
  expect(await findingsOf(modified('a.test.ts'), patch)).toEqual(['MEDIUM 2 This leaves a test out.'])
})

describe('a test that runs alone', () => {
  test.each([
    ['a.test.ts', `it.${alone}('adds', () => {})`],
    ['a.test.ts', `describe.${alone}('adds', () => {})`],
    ['a.test.ts', "fit('adds', () => {})"],
    ['spec/a_spec.rb', "  fit 'adds' do"],
    ['tests/a_test.php', `it('adds')->${alone}();`],
  ])('%s %s', async (path, line) => {
    expect(await findingsOf(modified(path), patchOf(`+${line}`))).toEqual([
      'HIGH 1 This runs one test alone and leaves the others out.',
    ])
  })
})

describe('what is no sign', () => {
  test.each([
    ['a test that is still left out', 'a.test.ts', ["-it.skip('a', run)", "+  it.skip('a', run)"]],
    ['a test that runs again', 'a.test.ts', ["-it.skip('a', run)", "+it('a', run)"]],
    ['rows that are skipped', 'a.test.ts', ['+const rest = rows.skip(3)', '+stream.skip(1)']],
    ['a comment', 'a.test.ts', ['+// it.skip would hide this']],
    ['words in a document', 'test/README.md', ['+Use `it.skip` for that.']],
    ['as many assertions', 'a.test.ts', ['-expect(a).toBe(1)', '+expect(a).toBe(2)']],
    ['assertions outside of tests', 'src/a.ts', ['-assert(a)']],
    ['an import', 'a.test.ts', ["-import assert from 'node:assert'", '-import { expect } from "vitest"']],
    ['assertions in a fixture', 'test/fixtures/a.js', ['-expect(1).toBe(1)']],
    ['a higher threshold', 'vitest.config.ts', ['-      lines: 80,', '+      lines: 90,']],
    ['another number in the configuration', 'package.json', ['-  "port": 80', '+  "port": 8']],
    ['a timeout', 'vitest.config.ts', ['-  testTimeoutThreshold: 20,', '+  testTimeoutThreshold: 10,']],
    ['a version', 'package.json', ['-    "coverage": "3.2.1"', '+    "coverage": "3.1.0"']],
    ['a block that moves', 'vitest.config.ts', ['-lines: 80', ' x', '+  lines: 80']],
    ['lines of a program', 'src/a.js', ['-lines: 80', '+lines: 8']],
  ])('%s', async (_title, path, lines) => {
    expect(await findingsOf(modified(path), patchOf(...lines))).toEqual([])
  })
})

describe('fewer assertions', () => {
  test.each([
    ['a.test.ts', '  expect(a).toEqual(b)'],
    ['a.test.ts', '  expectTypeOf<A>().toEqual<B>()'],
    ['a.test.ts', '  assert.equal(a, b)'],
    ['tests/test_a.py', '    assert a == b'],
    ['tests/test_a.py', '    self.assertEqual(a, b)'],
    ['a_test.go', '\t\tt.Errorf("no")'],
    ['a_test.go', '\trequire.NoError(t, err)'],
    ['tests/a.rs', '    assert_eq!(a, b);'],
    ['ATest.java', '    assertThat(a).isEqualTo(b);'],
    ['ATests.cs', '    Assert.Equal(a, b);'],
    ['spec/a_spec.rb', '    expect(a).to eq(b)'],
    ['a_test.cc', '  EXPECT_EQ(a, b);'],
    ['ATests.swift', '  XCTAssertEqual(a, b)'],
  ])('%s %s', async (path, line) => {
    const patch = patchOf(' x', `-${line}`, `-${line}`, `+${line}`, `+// ${line}`)
    expect(await findingsOf(modified(path), patch)).toEqual(['MEDIUM 2 2 assertions were removed here and 1 added.'])
  })
})

describe('lowered thresholds', () => {
  test.each([
    ['vitest.config.ts', '      lines: 80,', '      lines: 70,', 'The threshold `lines` went from 80 to 70.'],
    ['package.json', '  "branches": 80.5,', '  "branches": 80,', 'The threshold `branches` went from 80.5 to 80.'],
    ['pyproject.toml', 'fail_under = 90', 'fail_under = 0', 'The threshold `fail_under` went from 90 to 0.'],
    ['pyproject.toml', 'addopts = "--cov-fail-under=90"', '', 'The threshold `cov-fail-under`, which was 90, is gone.'],
    [
      '.github/workflows/ci.yml',
      '  run: pytest --cov-fail-under 90',
      '  run: pytest --cov-fail-under 50',
      'The threshold `cov-fail-under` went from 90 to 50.',
    ],
    ['codecov.yml', '        target: 80%', '        target: 8%', 'The threshold `target` went from 80 to 8.'],
    ['codecov.yml', '        threshold: 1%', '        threshold: 50%', 'The threshold `threshold` went from 1 to 50.'],
    ['jest.config.js', "  'statements': 90", "  'statements': 9", 'The threshold `statements` went from 90 to 9.'],
  ])('%s %s', async (path, before, after, words) => {
    const lines = after === '' ? [`-${before}`] : [`-${before}`, `+${after}`]
    expect(await findingsOf(modified(path), patchOf(' x', ...lines))).toEqual([`HIGH 2 ${words}`])
  })
})

describe('files as a whole', () => {
  const gone = 'HIGH 1 This test file was deleted.'
  const rewritten = 'MEDIUM 1 This snapshot was rewritten.'
  test.each<[string, ChangedFile, string | undefined, string[]]>([
    ['a deleted test', removed('src/a.test.ts'), undefined, [gone]],
    ['a deleted test in Go', removed('pkg/a_test.go'), undefined, [gone]],
    ['a deleted test in Java', removed('src/main/ATest.java'), undefined, [gone]],
    ['a deleted file that is no test', removed('src/latest.ts'), undefined, []],
    ['a deleted fixture', removed('test/fixtures/a.js'), undefined, []],
    ['a deleted snapshot', removed('a/__snapshots__/a.snap'), undefined, ['MEDIUM 1 This snapshot was deleted.']],
    ['a moved test', renamed('src/a.test.ts', 'test/a.test.ts'), undefined, []],
    [
      'a test that is none any more',
      renamed('pkg/a_test.go', 'pkg/a_test.go.off'),
      undefined,
      ['HIGH 1 This was the test file pkg/a_test.go; under its new name no test is expected.'],
    ],
    ['a snapshot, unseen', modified('a/__snapshots__/a.test.ts.snap'), undefined, [rewritten]],
    ['a snapshot, rewritten', modified('a.snap'), patchOf('-a', '+b'), [rewritten]],
    ['a snapshot with a new entry', modified('a.snap'), patchOf(' a', '+b'), []],
    ['a new snapshot', added('a.snap'), patchOf('+b'), []],
    ['a renamed snapshot', renamed('a.snap', 'b.snap'), '', []],
    ['a renamed snapshot, unseen', renamed('a.snap', 'b.snap'), undefined, [rewritten]],
  ])('%s', async (_title, file, patch, expected) => {
    expect(await findingsOf(file, patch)).toEqual(expected)
  })
})

describe('what the findings lead to', () => {
  const files = [modified('a.test.ts')]
  const patches = new Map([['a.test.ts', patchOf("+xit('a', run)")]])

  test('nothing fails by default, and the line is marked', async () => {
    const report = await tier1(files, workspaceOf({ 'a.test.ts': 'x' }), settings(), { patches })
    expect(report.passed).toBe(true)
    expect(report.annotations).toEqual([
      { path: 'a.test.ts', line: 1, level: 'warning', message: 'This leaves a test out.' },
    ])
  })

  test('where policy says so, they fail', async () => {
    const strict = settings({ weakened_tests: 'fail' })
    const report = await tier1(files, workspaceOf({ 'a.test.ts': 'x' }), strict, { patches })
    expect(failures(report)).toEqual(['weakened_tests: a.test.ts line 1: This leaves a test out.'])
    const clean = await tier1(files, workspaceOf({ 'a.test.ts': 'x' }), strict, {
      patches: new Map([['a.test.ts', '']]),
    })
    expect(clean.checks.at(-1)).toEqual({ name: 'weakened_tests', passed: true, detail: null })
  })

  test('and so does a changed test whose diff cannot be seen', async () => {
    const strict = settings({ weakened_tests: 'fail' })
    const report = await tier1(files, workspaceOf({ 'a.test.ts': 'x' }), strict, { patches: new Map() })
    expect(failures(report)).toEqual(['weakened_tests: a.test.ts changed, and its diff cannot be seen'])
  })
})

describe('a diff that is not there is said', () => {
  const warning = (why: string) => [`Weakened tests and hidden text were not looked for, because ${why}: a.ts.`]
  test.each([
    ['no diff at all', modified('a.ts'), undefined, 'x', warning('no diff was given')],
    ['no diff of this file', modified('a.ts'), new Map(), 'x', warning('their diff is missing or too large')],
    ['a binary', modified('a.ts'), new Map(), '\0', []],
    ['a file that is only renamed', renamed('b.ts', 'a.ts'), new Map([['a.ts', '']]), 'x', []],
    ['a file under a new name', renamed('b.ts', 'a.ts'), new Map(), 'x', warning('their diff is missing or too large')],
    ['a changed mode', modified('a.ts'), new Map([['a.ts', '']]), 'x', []],
  ])('%s', async (_title, file, patches, content, warnings) => {
    const report = await tier1([file], workspaceOf({ 'a.ts': content }), settings(), { patches })
    expect(report.warnings).toEqual(warnings)
  })
})

test('hunks say where they are, whatever the lines look like', async () => {
  const patch = [
    'diff --git a/a.test.ts b/a.test.ts',
    '--- a/a.test.ts',
    '+++ b/a.test.ts',
    '@@ -1,2 +1 @@ function x() {',
    '--- it.skip("removed")',
    ' x',
    '@@ -40,2 +39,3 @@',
    ' y',
    '-z',
    '\\ No newline at end of file',
    '+++ it.skip("added")',
    '+xit("b", run)',
    '\\ No newline at end of file',
    '+xit("beyond the hunk", run)',
  ].join('\n')
  expect(await findingsOf(modified('a.test.ts'), patch)).toEqual([
    'MEDIUM 40 This leaves a test out.',
    'MEDIUM 41 This leaves a test out.',
  ])
})

test('long and strange diffs end soon', async () => {
  const million = 400_000
  const lines = [
    `+${' '.repeat(million)}`,
    `+${'it.a.a.a.'.repeat(million / 9)}`,
    `+${'t.Skip '.repeat(million / 7)}`,
    `+lines ${' '.repeat(million)}1`,
    `+${'a-'.repeat(million / 2)}: 1`,
    ...Array(8_000).fill(`-it.skip('a')`),
    ...Array.from({ length: 8_000 }, (_, index) => `+it.skip('${index}')`),
  ]
  const cost = await costMs(async () => {
    for (const path of ['a.test.ts', 'vitest.config.ts']) await findingsOf(modified(path), patchOf(...lines))
    await findingsOf(modified('a.test.ts'), '@@'.repeat(million))
  })
  expect(cost).toBeLessThan(5000)
})
