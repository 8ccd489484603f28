// No secret leaves by a name, and none by being cut: what is a secret is told before anything is left out.
import { describe, expect, test } from 'vitest'
import { redactor } from '../../src/verifier/asking/clean.ts'
import { checkOutputs, leaving } from '../../src/verifier/asking/prompt.ts'
import { checks } from '../words/attempts.ts'
import { aChange, aContract, aFile, aModel, attemptFor, guardLines, promptText, saysPass, verdictOf } from './lab.ts'

// In parts, or whoever looks for secrets would find them here.
const token = ['gh', 'p_', 'a1B2'.repeat(9)].join('')
const guard = aFile('src/users.ts', guardLines)

describe('a secret goes to no model', () => {
  test.each<[string, Omit<Parameters<typeof verdictOf>[0], 'model'>]>([
    ['in a file', { change: aChange([guard, aFile('src/a.ts', [`+const a = '${token}'`])]) }],
    ['in the name of a file', { change: aChange([guard, aFile(`backup/${token}.txt`, ['+a line of it'])]) }],
    [
      'in the former name of a file',
      { change: aChange([guard, aFile('b.txt', ['+a'], { status: 'renamed', previous_path: `${token}.txt` })]) },
    ],
    [
      'in what a generated file defines',
      { change: aChange([guard, aFile('dist/a.js', [`+const ${token} = 1`], { generated_at_base: true })]) },
    ],
    [
      'in what a lock file is told as, where it is cut',
      {
        change: aChange([
          guard,
          aFile('package-lock.json', [
            ...Array.from({ length: 300 }, (_, at) => `+    "node_modules/p${at}": {`),
            `+      "resolved": "${'x'.repeat(50)}/${token}",`,
          ]),
        ]),
      },
    ],
    [
      'in the name of a check',
      { attempt: attemptFor(aContract(), { checks: checks([`test ${token}`, 'passed', 'output']) }) },
    ],
    [
      'at which what a check printed is cut',
      {
        attempt: attemptFor(aContract(), {
          checks: checks(['test', 'passed', `${'x'.repeat(1_070)} ${token} ${'y '.repeat(2_000)}`]),
        }),
      },
    ],
  ])('%s', async (_title, scene) => {
    const model = aModel((request) => saysPass(request))
    await verdictOf({ ...scene, model })
    expect(model.requests).not.toEqual([])
    expect(model.requests.map(promptText).join('\n')).not.toContain(token.slice(0, 16))
  })
})

test('an address at which what a check printed is cut is taken out whole', () => {
  const text = `${'x'.repeat(1_088)} jane.doe@mail.example.com ${'y '.repeat(2_000)}`
  const attempt = attemptFor(aContract(), { checks: checks(['test', 'passed', text]) })
  expect(checkOutputs(attempt, redactor([])).map((one) => one.text)).toEqual([expect.not.stringContaining('jane')])
})

test('what leaves is looked through as a whole, and what is bare already stays as it is', () => {
  const of = (text: string) => ({
    model: 'm',
    system: [{ text, cache: null }],
    content: [{ text, cache: null }],
    format: null,
    effort: 'high' as const,
    max_tokens: 1,
  })
  const redact = redactor([])
  const once = leaving(redact, of(`one ${token}`))
  expect(once).toEqual(of('one ⟦SECRET 1⟧'))
  expect(leaving(redact, once)).toEqual(once)
})
