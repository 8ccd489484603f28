// `countersign test` as a process: what it prints and how it ends.
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rowNames } from '../../src/core/decision/decision.ts'
import { shareOf } from '../depth.ts'
import { countersign } from './cli.ts'

const tableFile = 'test/decision/table.test.yml'

async function folder(files: Readonly<Record<string, string>>): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), 'countersign-'))
  await mkdir(join(cwd, '.github'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text)
  return cwd
}

test('the decision table holds, row by row', async () => {
  const { code, out } = await countersign(['test', tableFile, '--json'])
  const { cases, failed } = JSON.parse(out)
  expect(cases.filter(({ holds }: { holds: boolean }) => !holds)).toEqual([])
  expect({ code, failed }).toEqual({ code: 0, failed: 0 })
  const rows = new Set(cases.map(({ actual }: { actual: { row: string } }) => actual.row))
  expect(rowNames.filter((row) => !rows.has(row))).toEqual([])
})

test('our own policy keeps its promises, found without naming it', async () => {
  const { code, out } = await countersign(['test'])
  expect(out).toContain('6 passed, 0 failed')
  expect(code).toBe(0)
})

test('the example of the documents holds', async () => {
  const exampleIn = async (page: string, name: string): Promise<string> => {
    const text = await readFile(`docs/${page}`, 'utf8')
    return (
      [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].find(([, one = '']) => one.startsWith(`# ${name}\n`))?.[1] ?? ''
    )
  }
  const policy = await exampleIn('policy.md', '.github/countersign.yml')
  const cases = await exampleIn('testing-a-policy.md', '.github/countersign.test.yml')
  expect(policy).toContain('.github/countersign.yml')
  expect(cases).toContain('.github/countersign.test.yml')
  const cwd = await folder({ '.github/countersign.yml': policy, '.github/countersign.test.yml': cases })
  expect(await countersign(['validate'], { cwd })).toMatchObject({ code: 0 })
  expect(await countersign(['test'], { cwd })).toMatchObject({ code: 0 })
})

test('a case that does not hold is shown with what was expected and what came', async () => {
  const cwd = await folder({
    'a.yml': `cases:
  - name: wishful thinking
    given: { policy: { verification: { checks: [test] } }, checks: { test: failed }, verdict: PASS }
    expect: { status: success, by: checks, reason: nothing, warnings: [never said], refused: 1 }
`,
  })
  const { code, out } = await countersign(['test', 'a.yml'], { cwd })
  expect(code).toBe(1)
  expect(out).toMatchInlineSnapshot(`
    "      status   by            row           case
    FAIL  retry    checks        checks        wishful thinking
          - status: success
          + status: retry
          - refused: 1
          + refused: 0
          - reason: nothing
          + reason: VERIFICATION_CHECK_FAILED: required check \`test\` failed with exit code 1
          - warnings: never said
          + warnings: none

    0 passed, 1 failed
    "
  `)
})

test.each(
  shareOf(3, [
    ['no such file', [], {}, /cannot read \.github\/countersign\.test\.yml: there is no such file/],
    [
      'an unknown key',
      ['a.yml'],
      { 'a.yml': 'cases:\n  - name: x\n    given: { verdct: PASS }\n    expect: { row: success }\n' },
      /a\.yml:3:14 .*`verdct` is not a key.*Did you mean `verdict`/,
    ],
    [
      'a wrong word',
      ['a.yml'],
      { 'a.yml': 'cases:\n  - name: x\n    expect: { status: sucess }\n' },
      /a\.yml:3:23 .*Did you mean `success`/,
    ],
    [
      'a case that expects nothing',
      ['a.yml'],
      { 'a.yml': 'cases:\n  - name: x\n    expect: {}\n' },
      /a\.yml:3:13 .*expects nothing/,
    ],
    [
      'an invalid policy in a case',
      ['a.yml'],
      {
        'a.yml':
          'cases:\n  - name: x\n    given: { policy: { mrege_requires: success } }\n    expect: { row: success }\n',
      },
      /a\.yml:3:24 .*Did you mean `merge_requires`/,
    ],
    [
      'an invalid policy file',
      ['a.yml'],
      { 'p.yml': 'mode: enforced\n', 'a.yml': 'policy: p.yml\ncases:\n  - name: x\n    expect: { row: success }\n' },
      /p\.yml:1:7 .*Did you mean `enforce`/,
    ],
    [
      'a policy file that is not there',
      ['a.yml'],
      { 'a.yml': 'policy: p.yml\ncases:\n  - name: x\n    expect: { row: success }\n' },
      /cannot read p\.yml/,
    ],
    ['an unknown option', ['--jsn'], {}, /there is no option `--jsn` .did you mean `--json`/],
  ]),
)('%s: the tests could not run', async (_name, args, files, message) => {
  const { code, out, err } = await countersign(['test', ...args], { cwd: await folder(files) })
  expect(err).toMatch(message)
  expect({ code, out }).toEqual({ code: 2, out: '' })
})

test('problems are given to programs too', async () => {
  const cwd = await folder({ 'a.yml': 'cases: 3\n' })
  const { code, out } = await countersign(['test', 'a.yml', '--json'], { cwd })
  expect(code).toBe(2)
  expect(JSON.parse(out)).toMatchObject({ problems: [{ file: 'a.yml', line: 1, column: 8, key: 'cases' }] })
})

test('help says what there is, and an unknown command says so', async () => {
  const help = await countersign(['--help'])
  expect(help.code).toBe(0)
  for (const name of ['test', 'validate', 'schema']) expect(help.out).toContain(name)
  expect(await countersign(['tset'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('there is no command `tset`'),
  })
  expect(await countersign(['test', '--help'])).toMatchObject({ code: 0, out: expect.stringContaining('Exit code 0') })
})
