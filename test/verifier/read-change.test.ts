// A change is read where nobody waits for it: what is sent there, what comes back, and what happens when nothing does.
import { expect, test } from 'vitest'
import { addedLines, readChange, type ChangeQuestion } from '../../src/verifier/change/read-change.ts'
import { aChange, aContract, aFile, aModel, attemptFor, outcomeOf, promptText, saysPass, verdictOf } from './lab.ts'

const passing = () => aModel((request) => saysPass(request))

test('a change that takes too long to read is referred, and no model is asked', async () => {
  const model = passing()
  expect(await outcomeOf({ model, reading: { change: async () => null } })).toBe('REFER too_large')
  expect(model.requests).toEqual([])
})

test('an answer that takes too long to hold against patterns is referred', async () => {
  const attempt = attemptFor(aContract({ verifier: { kind: 'response_pattern' } }))
  const model = aModel(() => 'VERDICT: PASS')
  expect(await outcomeOf({ model, attempt })).toBe('PASS')
  expect(await outcomeOf({ model, attempt, reading: { answer: async () => null } })).toBe('REFER malformed')
})

test('secrets of ours stay at home and are placeholders in the prompt', async () => {
  const secret = `ghp_${'a1'.repeat(18)}`
  const model = passing()
  const asked: ChangeQuestion[] = []
  const change = aChange([aFile('src/a.ts', [`+const token = '${secret}'`, `+const other = 'ghp_${'b2'.repeat(18)}'`])])
  const reading = {
    change: async (question: ChangeQuestion) => {
      asked.push(question)
      return readChange(question)
    },
  }
  const answer = await verdictOf({ model, change, secrets: [secret], reading })
  expect(JSON.stringify(asked)).not.toContain(secret)
  expect(asked).toHaveLength(1)
  const prompts = model.requests.map(promptText).join('\n')
  expect(prompts).toContain("const token = '⟦SECRET 1⟧'")
  expect(prompts).toContain("const other = '⟦SECRET 2⟧'")
  expect(answer).toMatchObject({ type: 'report_verdict' })
})

test('what is found in a change is found in the lines that it adds', () => {
  const token = (letter: string) => `const ${letter} = 'ghp_${letter.repeat(36)}'`
  const file = aFile('src/a.ts', [` ${token('a')}`, `-${token('b')}`, `+${token('c')}`, `+const d = '\u202e'`])
  expect(addedLines(file).map(({ line }) => line)).toEqual([2, 3])
  const question = {
    change: aChange([file]),
    model: 'm',
    protectedPaths: [],
    unseenOk: [],
    secrets: 'fail' as const,
    secretsAllowed: [],
    hiddenAllowed: [],
    known: new Map<string, string>(),
  }
  const read = (given: Partial<ChangeQuestion> = {}) =>
    readChange({ ...question, description: '', criteria: [], ...given })
  expect(read().hits).toEqual([
    { kind: 'hidden_text', path: 'src/a.ts', line: 3 },
    { kind: 'secret', path: 'src/a.ts', line: 2 },
  ])
  expect(read().hidden).toEqual([{ place: 'src/a.ts:3', sign: 'U+202E', useless: true }])
  expect(read({ hiddenAllowed: ['src/**'] }).hits).toEqual([{ kind: 'secret', path: 'src/a.ts', line: 2 }])
  const elsewhere = read({
    change: aChange([aFile('src/\u202e.ts', ['+a'])]),
    description: 'b\u202e',
    criteria: ['c\u0007'],
  })
  expect(elsewhere.hits).toEqual([])
  expect(elsewhere.hidden.map(({ place, sign, useless }) => `${place}: ${sign}${useless ? ', no use' : ''}`)).toEqual([
    'the name of a file: U+202E, no use',
    'the text of the task: U+202E, no use',
    'the text of the task: U+0007',
  ])
})

test('a byte order mark is expected where a file begins, and only there', () => {
  const question = {
    model: 'm',
    protectedPaths: [],
    unseenOk: [],
    secrets: 'fail' as const,
    secretsAllowed: [],
    hiddenAllowed: [],
    known: new Map<string, string>(),
    description: '',
    criteria: [],
  }
  const hidden = (lines: string[]) => readChange({ ...question, change: aChange([aFile('src/a.ts', lines)]) }).hidden
  expect(hidden(['+\ufeffconst a = 1'])).toEqual([])
  expect(hidden(['+const a = 1', '+\ufeffconst b = 2'])).toMatchObject([{ place: 'src/a.ts:2', sign: 'U+FEFF' }])
})
