// Good and bad files of every kind that is parsed, with the place of the mistake, and files made to hurt the parser.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonFlaw } from '../../../src/checks/tier1/syntax/json.ts'
import { check, failures, type Content } from './small-workspace.ts'
import { costMs } from '../../aside/computed.ts'
import { shareOf, tries } from '../../depth.ts'

const bytes = (...values: number[]) => Uint8Array.from(values)

describe('good files', () => {
  test.each<[string, Content]>([
    ['a.json', '{"a": [1, -2.5e+3, true, null, "\\u00e9\\n"], "b": {}}'],
    ['a.json', '\ufeff[]\r\n'],
    ['a.json', '"__proto__"'],
    ['tsconfig.json', '{\n  // why\n  "a": [1, /* 2 */ 3,],\n}\n'],
    ['packages/tsconfig/base.json', '{} // x'],
    ['tsconfig.build.json', '{"a": 1,}'],
    ['app.tsconfig.json', '{"a": 1,}'],
    ['jsconfig.json', '{"a": 1,}'],
    ['.vscode/settings.json', '{"a": 1,} /* x */'],
    ['.devcontainer/devcontainer.json', '// x\n{}'],
    ['.eslintrc', '// x\n{"a": 1}'],
    ['.eslintrc', 'root: true\n'],
    ['.eslintrc.json', '// x\n{}'],
    ['a.jsonc', '{"a": "// no comment", "b": "/*",}'],
    ['a.yaml', ''.concat('a: 1\n---\nb: 2\n...\n')],
    ['a.yml', 'Resources:\n  A: !Sub "${X}"\n  B: !GetAtt [a, b]\n  C: !include {a: 1}\n'],
    ['a.yml', 'base: &b {x: 1}\nuse:\n  <<: *b\n  y: 2\n'],
    ['a.yml', 'a: &a {x: 1}\nb: &b {y: 2}\nc:\n  <<: *a\n  <<: *b\n'],
    ['a.yml', '# nothing\n'],
    ['a.yml', '\ufeffa: 1\r\nb: 2\r\n'],
    ['chart/templates/a.yaml', '{{- if .Values.on }}\na: {{ .x }}\n{{- end }}\n'],
    ['a.toml', 'a = 1\n[b.c]\nd = 2026-11-20T10:00:00Z\ne = [1, 2,]\nbig = 9223372036854775807\n'],
    ['a.csv', 'a,b\r\n"x, y","said ""hi""\r\nand left"\r\n1,\r\n'],
    ['a.csv', 'a;b\n1,5;2\n'],
    ['a.csv', '\ufeffa,b\n\n1,2'],
    ['a.tsv', 'a\tb\n5" pipe\t"x\n'],
    ['a.tsv', 'a\tb\n"x\ty"\tz\n'],
    ['a.md', '{'],
    ['a.sql', "select '"],
    ['json', '{'],
  ])('%s %j', async (path, content) => {
    expect(failures(await check({ [path]: content }))).toEqual([])
  })
})

describe('bad files, with the place of the mistake', () => {
  test.each<[string, Content, string]>([
    ['a.json', '{"a": 1,}', 'line 1, column 9: There is a comma before this bracket and nothing after it.'],
    ['a.json', '{\n "a" 1\n}', 'line 2, column 6: Expected `:`, but here is `1`.'],
    ['a.json', '[1\n2]', 'line 2, column 1: Expected a comma or the closing bracket, but here is `2`.'],
    ['a.json', '[1, 2', 'line 1, column 6: Expected a comma or the closing bracket, but the file ends here.'],
    ['a.json', '{"a": 1]', 'line 1, column 8: Expected a comma or the closing bracket, but here is `]`.'],
    ['a.json', '{a: 1}', 'line 1, column 2: Unexpected word or number.'],
    ['a.json', "{'a': 1}", 'line 1, column 2: Text needs double quotes.'],
    ['a.json', '"a\nb"', 'line 1, column 1: This text is never closed with a double quote.'],
    ['a.json', '"\\x"', 'line 1, column 2: This escape is not one that JSON knows.'],
    ['a.json', '"\t"', 'line 1, column 2: A control character must be written as an escape.'],
    ['a.json', '01', 'line 1, column 1: Unexpected word or number.'],
    ['a.json', '1 2', 'line 1, column 3: Expected the end of the file, but here is `2`.'],
    ['a.json', '[1,\n\n', 'line 1, column 4: Expected a value, but the file ends here.'],
    ['a.json', ' ', 'line 1, column 1: Expected a value, but the file ends here.'],
    ['a.json', '// x\n{}', 'line 1, column 1: Comments are not part of JSON.'],
    ['tsconfig.json', '{"a": 1,,}', 'line 1, column 9: Expected a key in double quotes, but here is `,`.'],
    ['tsconfig.json', '{ /* x }', 'line 1, column 3: This comment is never closed.'],
    ['a.json', '<<<<<<< HEAD\n{}', 'line 1, column 1: Unexpected character.'],
    ['a.yml', 'a: 1\nb: [\n', 'line 2, column 4: Flow sequence in block collection must be'],
    ['a.yml', 'a: 1\n---\na: b: c\n', 'line 3, column 4: Nested mappings are not allowed in compact mappings.'],
    ['a.yml', 'a: 1\nb: 2\na: 3\n', 'line 3, column 1: This key is already in the same mapping.'],
    ['a.yml', 'a: &x 1\n---\nb: *x\n', 'line 3, column 4: No value above is named `&x`.'],
    ['a.yml', 'a: "x\\"', 'line 1, column 7: Missing closing "quote.'],
    ['templates.yaml', '{{- if .x }}\na: {{ x }}\n', 'line 1, column 3: Block collections are not allowed within flow'],
    ['a.toml', 'a = 1\nb = \n', 'line 2, column'],
    ['a.toml', 'a = 1\na = 2\n', 'line 2, column 1: trying to redefine an already defined table or value.'],
    ['a.csv', 'a,b\n1,2\n3\n', 'line 3, column 1: This row has 1 field, the first one has 2 fields.'],
    ['a.csv', 'a,b\n1,"2\n3,4\n', 'line 2, column 3: This field is never closed with a double quote.'],
    ['a.csv', 'a,b\n1,"x "y""\n', 'line 2, column 7: There is text after the closing quote.'],
    ['a.tsv', 'a\tb\r\n1\r\n', 'line 2, column 1: This row has 1 field, the first one has 2 fields.'],
    ['a.json', bytes(0x22, 0x0a, 0xc3, 0xa9, 0xff, 0x22), 'line 2, column 2: This is not UTF-8.'],
    ['a.csv', bytes(0x61, 0xc3), 'line 1, column 2: This is not UTF-8.'],
    ['a.yml', bytes(0x61, 0xed, 0xa0, 0x80), 'line 1, column 2: This is not UTF-8.'],
  ])('%s %j', async (path, content, words) => {
    const report = await check({ [`dir/${path}`]: content })
    const [failure, ...others] = failures(report)
    expect(failure).toContain(`syntax_${path}: dir/${path}, ${words}`)
    expect(others).toEqual([])
    const line = Number(/line (\d+)/.exec(words)?.[1])
    expect(report.annotations).toMatchObject([{ path: `dir/${path}`, line, level: 'failure' }])
  })
})

test('JSON is what the language itself takes for JSON', () => {
  const text = fc.oneof(
    fc.json(),
    fc.string({
      unit: fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '1', '-', '.', 'e', '0', ' ', 'true', 'n'),
    }),
  )
  fc.assert(
    fc.property(text, (json) => {
      expect(jsonFlaw(json, 'json') === null).toBe(parses(json))
    }),
    { numRuns: tries(1_000) },
  )
})

function parses(json: string): boolean {
  try {
    JSON.parse(json)
    return true
  } catch {
    return false
  }
}

describe('Python is what the interpreter takes for Python', () => {
  const parsePython = async (source: string) =>
    source.includes('(') ? { line: 2, message: "'(' was never closed" } : null

  test('its message stands at its line', async () => {
    const report = await check({ 'a/b.py': '\nprint(' }, {}, { parsePython })
    expect(failures(report)).toEqual(["syntax_b.py: a/b.py, line 2: '(' was never closed"])
    expect(report.annotations).toMatchObject([{ path: 'a/b.py', line: 2 }])
  })

  test('a file that it takes passes, byte order mark or not', async () => {
    expect((await check({ 'a.py': '\ufeffx = 1' }, {}, { parsePython })).checks).toHaveLength(2)
  })

  test('an interpreter that does not answer is a warning', async () => {
    const report = await check(
      { 'a.py': 'x' },
      {},
      { parsePython: () => Promise.reject(new Error('python3: not found')) },
    )
    expect(report.passed).toBe(true)
    expect(report.warnings).toEqual(['Python was not parsed, because python3: not found: a.py.'])
  })

  test('another encoding is accepted where the file names it', async () => {
    const latin = (head: string) => Uint8Array.from([...new TextEncoder().encode(head), 0xe9])
    expect(failures(await check({ 'a.py': latin('# ') }, {}, { parsePython }))).toHaveLength(1)
    expect(failures(await check({ 'a.py': latin('# coding: utf-8\n# ') }, {}, { parsePython }))).toHaveLength(1)
    const named = await check({ 'a.py': latin('# -*- coding: latin-1 -*-\n# ') }, {}, { parsePython })
    expect(named.passed).toBe(true)
    expect(named.warnings).toEqual(['Python was not parsed, because it is written in latin-1: a.py.'])
  })
})

describe('SQL is balanced, in the dialect that is named', () => {
  test.each([
    [
      'postgres',
      "select 'it''s', $$ ' ( $$, $a$ $$ $a$, E'\\'' -- ' (\n/* ( /* ' */ */ from \"t;\" where (a, b) = (1, 2);",
    ],
    ['postgres', "copy t (a) from stdin;\nit's (\n\\.\nselect 1;"],
    ['mysql', "select 'it\\'s', `a'b` # ' (\nfrom t"],
    ['tsql', "select [it's] from [a]]b(] where x = 1"],
    ['sqlite', "select [it's], `a'`, \"b'\";"],
    ['ANSI', "select '\\';"],
  ])('%s %j', async (sql_dialect, text) => {
    const report = await check({ 'a.sql': text }, { sql_dialect })
    expect(failures(report)).toEqual([])
    expect(report.warnings).toEqual([expect.stringContaining('not parsed any further')])
  })

  test.each([
    ['postgres', "select 1;\nselect 'a;", "line 2, column 8: This quote is never closed with `'`."],
    ['postgres', 'select $x$ a $$', 'line 1, column 8: This quote is never closed with `$x$`.'],
    ['postgres', 'select (1;', 'line 1, column 8: This parenthesis is never closed.'],
    ['postgres', 'select 1);', 'line 1, column 9: This closes a parenthesis that was never opened.'],
    ['postgres', 'select 1 /* a /* b */', 'line 1, column 10: This comment is never closed.'],
    ['postgres', 'create table t (a int, -- x\n);', 'line 1, column 22: There is nothing after this comma.'],
    ['postgres', 'select a,', 'line 1, column 9: There is nothing after this comma.'],
    ['ansi', "select '\\'';", "line 1, column 8: This quote is never closed with `'`."],
  ])('%s %j', async (sql_dialect, text, words) => {
    expect(failures(await check({ 'a.sql': text }, { sql_dialect }))).toEqual([`syntax_a.sql: a.sql, ${words}`])
  })

  test('a dialect that nobody knows is a warning with those that are known', async () => {
    const report = await check({ 'a.sql': '(' }, { sql_dialect: 'klingon' })
    expect(report.passed).toBe(true)
    expect(report.warnings).toEqual([expect.stringContaining('the dialect is not one of ansi, postgres')])
  })
})

describe('files that were made to hurt are refused soon', () => {
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x, x]']
    .concat(Array.from('bcdefghi', (name, index) => `${name}: &${name} [${`*${'abcdefgh'[index]}, `.repeat(9)}x]`))
    .join('\n')
  const million = 1_000_000
  test.each(
    shareOf<[string, string, string, string | null]>(2, [
      ['aliases that explode', 'a.yml', bomb, 'With its aliases this has more than 1000000 values.'],
      ['nested lists in YAML', 'a.yml', '['.repeat(million), 'nested more than 100 levels deep'],
      ['nested dashes in YAML', 'a.yml', '- '.repeat(million / 2), 'nested more than 100 levels deep'],
      ['many values in YAML', 'a.yml', '- a\n'.repeat(million / 4), null],
      ['wrong escapes in YAML', 'a.yml', `"${'\\q'.repeat(million / 10)}"`, 'Invalid escape sequence'],
      ['one key again and again', 'a.yml', 'a: 1\n'.repeat(20_000), 'already in the same mapping'],
      ['nested lists in TOML', 'a.toml', `a = ${'['.repeat(million)}`, 'nested'],
      ['a long key in TOML', 'a.toml', `${'a.'.repeat(million / 2)}a = 1`, null],
      ['nested lists in JSON', 'a.json', '['.repeat(million), 'the file ends here'],
      ['a text without end in JSON', 'a.json', `"${'\\\\'.repeat(million / 2)}`, 'never closed'],
      ['comments in JSON', 'a.jsonc', `1${'/**/'.repeat(million / 4)}`, null],
      ['quotes in CSV', 'a.csv', '"'.repeat(million - 1), 'never closed'],
      ['rows in CSV', 'a.csv', '\n'.repeat(million), null],
      ['parentheses in SQL', 'a.sql', '('.repeat(million), 'never closed'],
      ['dollars in SQL', 'a.sql', '$a'.repeat(million / 2), null],
      ['comments in SQL', 'a.sql', '/*'.repeat(million / 2), 'never closed'],
      ['copies in SQL', 'a.sql', 'copy a from;'.repeat(million / 12), null],
    ]),
  )('%s', async (_title, path, text, words) => {
    const cost = await costMs(async () => {
      const report = await check({ [path]: text }, { sql_dialect: 'postgres' })
      expect(report.feedback ?? 'nothing failed').toContain(words ?? 'nothing failed')
    })
    expect(cost).toBeLessThan(5000)
  })

  test('a table that sets __proto__ sets nothing', async () => {
    await check({ 'a.toml': '__proto__.polluted = 1', 'a.yml': '__proto__: {polluted: 1}' })
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})
