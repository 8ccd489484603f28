// No letter of a private key goes to a model, however the key stands in a file and however little of it is in sight; what is no
// key stays readable.
import { describe, expect, test } from 'vitest'
import { keyForm, withoutKeys } from '../../src/core/private-keys.ts'
import { costMs } from '../aside/computed.ts'
import { aChange, aFile, aModel, guardLines, promptText, saysPass, verdictOf } from './lab.ts'

// In parts, or whoever looks for secrets would find them here.
const bounds = (kind: string): readonly [string, string] => [`-----BEGIN ${kind}-----`, `-----END ${kind}-----`]
const keyWord = ['PRIVATE', 'KEY'].join(' ')
const [begin, end] = bounds(keyWord)
const [pgpBegin, pgpEnd] = bounds(`PGP ${keyWord} BLOCK`)
const [rsaBegin, rsaEnd] = bounds(`RSA ${keyWord}`)
const body = Array.from(
  { length: 24 },
  (_, at) => `MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8c${at + 10}`,
)
const key = [begin, ...body, end]
const added = (lines: readonly string[], indent = '') => lines.map((line) => `+${indent}${line}`)
const seen = (text: string) => body.filter((line) => text.includes(line.slice(0, 40)))

async function promptOf(...judged: Parameters<typeof verdictOf>): Promise<string> {
  const model = aModel((request) => saysPass(request))
  const [{ change = aChange([]), ...more }] = judged
  const files = [aFile('src/users.ts', guardLines), ...change.files]
  await verdictOf({ ...more, model, change: aChange(files) })
  expect(model.requests).not.toEqual([])
  return model.requests.map(promptText).join('\n')
}

describe('no letter of a key that is added', () => {
  test.each<[string, string, readonly string[]]>([
    ['on lines of its own', 'deploy/key.pem', added(key)],
    ['indented in YAML', 'k8s/secret.yaml', ['+stringData:', '+  tls.key: |', ...added(key, '    ')]],
    ['in JSON', 'account.json', ['+{', `+  "private_key": "${key.join(String.raw`\n`)}\\n",`, '+}']],
    ['in a string of code', 'src/key.ts', [`+const key = '${key.join(String.raw`\n`)}'`]],
    ['in strings that are joined', 'src/key.ts', added(key.map((line) => `  '${line}\\n' +`))],
    ['in a comment', 'src/key.ts', added(key, ' * ')],
    ['on one line', '.env', [`+KEY="${key.join(' ')}"`]],
    ['as PGP writes it', 'key.asc', added([pgpBegin, 'Version: 2', '', ...body, '=aB3d', pgpEnd])],
    ['with headers', 'key.pem', added([rsaBegin, 'Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES', '', ...body, rsaEnd])],
    ['without its end', 'key.pem', added([rsaBegin, 'Proc-Type: 4,ENCRYPTED', '', ...body])],
  ])('%s', async (_title, path, lines) => {
    const prompt = await promptOf({ change: aChange([aFile(path, lines)]) })
    expect(prompt).toContain(path)
    expect(seen(prompt)).toEqual([])
  })
})

describe('no letter of a key of which is in sight', () => {
  const file = Array.from({ length: 200 }, (_, at) => `// line ${at + 1}`)
  file.splice(60, key.length, ...key)
  const around = (at: number, head = '') => {
    const [one, two, three] = file.slice(at - 1)
    const patch = `@@ -${at},3 +${at},4 @@${head}\n ${one}\n ${two}\n ${three}\n+export const changed = 1`
    const change = aChange([aFile('src/config.ts', [], { patch, additions: 1, deletions: 0 })])
    return promptOf({ change, repository: { 'src/config.ts': file.join('\n') } })
  }
  test.each<[string, number, string?]>([
    ['the whole, around a change', 57],
    ['the end, around a change', 87],
    ['the end, in a hunk', 84],
    ['the middle, and a line of it in the head of a hunk', 70, ` ${body[8]}`],
  ])('%s', async (_title, at, head) => {
    expect(seen(await around(at, head))).toEqual([])
  })
})

describe('what is no key stays', () => {
  const covered = (text: string) => withoutKeys(text, () => '⟦⟧')
  test.each<[string, string]>([
    ['a certificate', ['-----BEGIN CERTIFICATE-----', ...body, '-----END CERTIFICATE-----'].join('\n')],
    ['letters without either end', body.join('\n')],
    ['a head of a hunk', '@@ -1,3 +1,3 @@ function withAnExtremelyLongNameThatNobodyWouldEverGiveToAnythingAtAll(one)'],
  ])('%s', (_title, text) => expect(covered(text)).toBe(text))

  test('code between the ends of a key, and behind one that has no end', () => {
    expect(covered(`${begin}\nreturn grant(user)\n${end}`)).toBe(`⟦⟧\nreturn grant(user)\n${end}`)
    expect(covered(`const a = '${begin}'\ngrant(user)\nthisIsALongNameAlone()`)).toBe(
      `const a = '⟦⟧'\ngrant(user)\nthisIsALongNameAlone()`,
    )
  })

  test('code of one hunk, between the beginning of a key before it and the end of one behind it', () => {
    const code = '+  return withAnotherLongName(user, request)'
    const text = `@@ -1,1 +1,2 @@\n ${begin}\n+${body[0]}\n@@ -9 +9 @@\n${code}\n@@ -20,2 +20,1 @@\n-${body[9]}\n ${end}`
    expect(covered(text)).toBe(`@@ -1,1 +1,2 @@\n ⟦⟧\n+⟦⟧\n@@ -9 +9 @@\n${code}\n@@ -20,2 +20,1 @@\n-⟦⟧\n ${end}`)
  })

  test('the sign of a line, the marks of a string and the spelling of a line end', () => {
    expect(covered(`+'${begin}\\n${body[0]}\\nshort=\\n${end}'`)).toBe(`+'⟦⟧\\n⟦⟧\\n⟦⟧\\n${end}'`)
  })
})

test('whoever hides a key as a whole and whoever hides its letters mean the same keys', () => {
  for (const text of [begin, pgpBegin, rsaBegin]) {
    expect(keyForm.test(text)).toBe(true)
    expect(withoutKeys(text, () => '')).toBe('')
  }
})

test.each([
  begin,
  end,
  `${begin}\n`,
  `+${end}\n`,
  `${body[0]}\n`,
  '@@ -1 +1 @@ a\n',
  '@@ -1',
  'aB3d',
  '+',
  '\\n',
  '=aB3',
  `${end}${begin}a\n`,
])('a megabyte of %j takes no longer than any other', async (piece) => {
  const text = `${begin}\n${piece.repeat(Math.ceil(1_000_000 / piece.length))}\n${end}`
  expect(await costMs(() => withoutKeys(text, () => ''))).toBeLessThan(1_000)
})
