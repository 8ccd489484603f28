// A change is read where nobody waits for it: what is sent there, what comes back, and what happens when nothing does.
import { expect, test } from 'vitest'
import { readChange, type ChangeQuestion } from '../../src/verifier/read-change.ts'
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
