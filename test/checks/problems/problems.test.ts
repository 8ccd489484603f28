// Problems read from what tools print and write, in the tools' own words.
import { describe, expect, test } from 'vitest'
import { costMs } from '../../aside/computed.ts'
import { junitProblems } from '../../../src/checks/problems/junit.ts'
import { problemsIn } from '../../../src/core/problems/lines.ts'
import type { Problem } from '../../../src/core/problems/problem.ts'
import { sarifProblems } from '../../../src/checks/problems/sarif.ts'
import { readXml } from '../../../src/checks/problems/xml.ts'

const folders = { root: '/srv/shop', directory: '.' }
const shown = (problems: readonly Problem[]): string[] =>
  problems.map(({ path, line, column, level, message }) => `${level} ${path}:${line}:${column ?? '-'} ${message}`)
const read = (text: string, directory = '.'): string[] => shown(problemsIn(text, { ...folders, directory }))

describe('what tools print', () => {
  test('tsc, plain and pretty', () => {
    const text = `src/a.ts(3,7): error TS2322: Type 'number' is not assignable to type 'string'.
\u001b[96msrc/b.ts\u001b[0m:\u001b[93m4\u001b[0m:\u001b[93m1\u001b[0m - \u001b[91merror\u001b[0m\u001b[90m TS1005: \u001b[0m';' expected.

Found 2 errors in 2 files.`
    expect(read(text)).toEqual([
      "error src/a.ts:3:7 TS2322: Type 'number' is not assignable to type 'string'.",
      "error src/b.ts:4:1 TS1005: ';' expected.",
    ])
  })

  test('eslint, stylish and unix', () => {
    const text = `
/srv/shop/src/a.js
  3:7   error    'x' is not defined       no-undef
  9:1   warning  Unexpected console call  no-console

/elsewhere/b.js
  1:1  error  Not ours  some-rule

✖ 3 problems (2 errors, 1 warning)
/srv/shop/src/c.js:2:5: Missing semicolon. [Error/semi]
/srv/shop/src/c.js:3:5: Too long. [Warning/max-len]`
    expect(read(text)).toEqual([
      "error src/a.js:3:7 'x' is not defined (no-undef)",
      'warning src/a.js:9:1 Unexpected console call (no-console)',
      'error src/c.js:2:5 Missing semicolon. [Error/semi]',
      'warning src/c.js:3:5 Too long. [Warning/max-len]',
    ])
  })

  test('pytest', () => {
    const text = `    def test_adds():
>       assert add(1, 2) == 4
E       assert 3 == 4
E        +  where 3 = add(1, 2)

tests/test_add.py:5: AssertionError
=========================== short test summary info ============================
FAILED tests/test_add.py::test_adds - assert 3 == 4`
    expect(read(text, 'api')).toEqual(['error api/tests/test_add.py:5:- AssertionError: assert 3 == 4'])
  })

  test('go test, vet and the compiler', () => {
    const text = `--- FAIL: TestAdd (0.00s)
    add_test.go:9: got 3, want 4
FAIL	example.com/shop	0.002s
# example.com/shop
vet: ./add.go:4:2: unreachable code
./main.go:7:3: undefined: x`
    expect(read(text, 'go')).toEqual([
      'error go/add_test.go:9:- got 3, want 4',
      'error go/add.go:4:2 unreachable code',
      'error go/main.go:7:3 undefined: x',
    ])
  })

  test('rustc and cargo test', () => {
    const text = `error[E0308]: mismatched types
 --> src/main.rs:4:5
  |
warning: unused variable: \`y\`
  --> src/lib.rs:10:9
thread 'tests::adds' (123) panicked at src/lib.rs:20:5:
assertion \`left == right\` failed
  left: 3`
    expect(read(text)).toEqual([
      'error src/main.rs:4:5 mismatched types',
      'warning src/lib.rs:10:9 unused variable: `y`',
      'error src/lib.rs:20:5 assertion `left == right` failed',
    ])
  })

  test.each([
    '../../etc/passwd(1,1): error TS1: x',
    '/etc/passwd:1:1: x',
    'a\u0007b.ts(1,1): error TS1: x',
    'src/a.ts(0,1): error TS1: x',
  ])('%j is no place in the repository', (text) => {
    expect(read(text)).toEqual([])
  })

  test('a long text and long lines are read in no time, and not without end', async () => {
    const hostile = [
      ' '.repeat(5_000),
      `${'a'.repeat(3_000)}(1,1)`,
      `thread '${"'".repeat(3_000)}`,
      'x:1:'.repeat(1_000),
      `E  ${' '.repeat(3_000)}`,
    ]
    const text = Array.from({ length: 20_000 }, (_, at) => hostile[at % hostile.length] ?? '').join('\n')
    expect(await costMs(() => problemsIn(text, folders))).toBeLessThan(5_000)
    const many = Array.from({ length: 1_000 }, (_, at) => `src/a.ts(${at + 1},1): error TS1: x${at}`).join('\n')
    expect(problemsIn(many, folders)).toHaveLength(200)
  })
})

describe('JUnit', () => {
  test('places from attributes and from the text, and only of what failed', () => {
    const xml = `<?xml version="1.0"?><!-- a > b -->
<testsuites><testsuite name="a > b">
  <testcase classname="shop.Cart" name="adds &amp; sums" file="src/cart.test.ts" line="12"><failure message="1 &lt; 2"/></testcase>
  <testcase name="fine" file="src/fine.ts" line="1"/>
  <testcase classname="t" name="traces"><error><![CDATA[TypeError: no <b>
    at run (src/run.ts:33:7)]]></error></testcase>
  <testcase name="nowhere"><failure>no place</failure></testcase>
</testsuite></testsuites>`
    expect(shown(junitProblems(xml, folders))).toEqual([
      'error src/cart.test.ts:12:- shop.Cart › adds & sums failed: 1 < 2',
      'error src/run.ts:33:- t › traces failed: TypeError: no <b>',
    ])
  })

  test('an entity of its own grows into nothing, and files are not read', () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>
<testcase name="&b;" file="a.ts" line="1"><failure message="&f;"/></testcase>`
    expect(shown(junitProblems(bomb, folders))).toEqual(['error a.ts:1:- &b; failed: &f;'])
  })

  test.each(['<testcase name="a', '<testcase><failure', '<![CDATA[', '<!DOCTYPE [', '<!--', "<a b='\"'>", '</', '<>'])(
    '%j ends',
    (xml) => {
      readXml(xml.repeat(2_000), { open: () => null, text: () => null, close: () => null })
      expect(junitProblems(xml, folders)).toEqual([])
    },
  )
})

describe('SARIF', () => {
  const result = (more: object) => ({
    ruleId: 'no-eval',
    level: 'error',
    message: { text: 'Do not use eval.' },
    locations: [
      { physicalLocation: { artifactLocation: { uri: 'src/a%20b.js' }, region: { startLine: 3, startColumn: 2 } } },
    ],
    ...more,
  })

  test('results with a place; notes, suppressed ones and other shapes are left out', () => {
    const results = [
      result({}),
      result({ level: 'note' }),
      result({ suppressions: [{ kind: 'inSource' }] }),
      result({ locations: [] }),
      'nonsense',
    ]
    const json = JSON.stringify({ version: '2.1.0', runs: [{ results }] })
    expect(shown(sarifProblems(json, { ...folders, directory: 'web' }))).toEqual([
      'error src/a b.js:3:2 Do not use eval. (no-eval)',
    ])
  })

  test('what is no JSON says so', () => {
    expect(() => sarifProblems('{', folders)).toThrow(SyntaxError)
  })
})
