// `countersign validate` as people and scripts use it: files in, words and an exit code out.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { validate } from '../../src/entry/cli/validate.ts'

const folder = mkdtempSync(join(tmpdir(), 'countersign-validate-'))
afterAll(() => rmSync(folder, { recursive: true }))

function aFile(name: string, content: string | Uint8Array): string {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}

async function run(args: readonly string[], color = false) {
  const said = { out: [] as string[], err: [] as string[] }
  const io = { out: (text: string) => said.out.push(text), err: (text: string) => said.err.push(text), color }
  const code = await validate.run(args, { ...io, out: (text) => void io.out(text), err: (text) => void io.err(text) })
  return {
    code,
    out: said.out.join('\n').replaceAll(`${folder}/`, ''),
    err: said.err.join('\n').replaceAll(`${folder}/`, ''),
  }
}

test('a valid file says what it demands', async () => {
  const file = aFile(
    'valid.yml',
    'merge_requires: completed\nverification: { checks: [test, { name: lint, command: l, required: false }] }',
  )
  expect(await run([file])).toMatchInlineSnapshot(`
    {
      "code": 0,
      "err": "",
      "out": "valid.yml is valid. Required checks (and 1 that only informs): test. The verifier judges in tier 2 where the App has a model. A merge needs an approval too.",
    }
  `)
})

test('an invalid file shows each problem under its line', async () => {
  const file = aFile('invalid.yml', 'mode: enforc\nverification:\n\n  checks:\n    - comand: npm test\n')
  expect(await run([file])).toMatchInlineSnapshot(`
    {
      "code": 1,
      "err": "",
      "out": "invalid.yml:1:7  \`mode\` must be enforce, shadow or off, but it is the text \`enforc\`. Did you mean \`enforce\`?
        mode: enforc
              ^

    invalid.yml:5:7  \`comand\` is not a key of \`verification.checks[0]\`. Did you mean \`command\`?
            - comand: npm test
              ^

    2 problems. Nothing of this file would govern until it is corrected.",
    }
  `)
})

test('the same for programs', async () => {
  const { code, out } = await run([aFile('modus.yml', 'modus: off'), '--json'])
  const problem = { line: 1, column: 1, key: 'modus', nearest: 'mode', file: 'modus.yml', message: expect.any(String) }
  expect([code, JSON.parse(out)]).toEqual([1, { valid: false, file: 'modus.yml', problems: [problem] }])
  const valid = await run(['--json', aFile('off.yml', 'mode: off')])
  expect([valid.code, JSON.parse(valid.out)]).toEqual([0, { valid: true, file: 'off.yml', problems: [] }])
})

test('a terminal gets a coloured mark and nothing that the file smuggles in', async () => {
  const { out } = await run([aFile('escape.yml', 'mode: "\\e[2J" # \u001b[2J')], true)
  expect(out).toContain('\u001b[31m')
  expect(out).not.toContain('\u001b[2J')
})

test('a very long line is shown around the problem', async () => {
  const { out } = await run([aFile('long.yml', `scope: { write: [${'a, '.repeat(400)} 1, b] }`)])
  const [, excerpt = '', caret = ''] = out.split('\n')
  expect(excerpt.length).toBeLessThan(130)
  expect(excerpt[caret.indexOf('^')]).toBe('1')
})

describe('what cannot be checked ends with 2', () => {
  test.each([
    ['a missing file', () => [join(folder, 'none.yml')], /no such file/],
    ['a directory', () => [folder], /is a directory/],
    ['bytes that are no text', () => [aFile('bytes.yml', new Uint8Array([0xff, 0xfe, 0x61]))], /not text in UTF-8/],
    ['an unknown option', () => ['--strict'], /no option `--strict`/],
    ['two files', () => ['a', 'b'], /one file at a time/],
  ])('%s', async (_title, args, words) => {
    const { code, out, err } = await run(args())
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(words)
  })
})

test('a huge file is invalid, and only its beginning is read', async () => {
  const { code, out } = await run([aFile('huge.yml', 'é'.repeat(3_000_000))])
  expect([code, out]).toEqual([1, expect.stringContaining('larger than 256 KiB')])
})

test('help is not an error', async () => {
  expect(await run(['--help'])).toMatchObject({ code: 0, out: validate.help, err: '' })
})

test('standard input is read for `-`', () => {
  const script = `import { validate } from './src/entry/cli/validate.ts'
    const code = await validate.run(['-'], { out: console.log, err: console.error, color: false })
    process.exitCode = code`
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], { input: 'mode: shadow' })
  expect(String(out)).toContain('<stdin> is valid.')
})
