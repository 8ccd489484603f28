// A change is read where nobody waits for it: what is sent there, what comes back, and what happens when nothing does.
import { expect, test } from 'vitest'
import { readChange, type ChangeQuestion } from '../../src/verifier/read-change.ts'
import { aChange, aFile, aModel, outcomeOf, promptText, saysPass, verdictOf } from './lab.ts'

const passing = () => aModel((request) => saysPass(request))

test('a change that takes too long to read is referred, and no model is asked', async () => {
  const model = passing()
  expect(await outcomeOf({ model, read: async () => null })).toBe('REFER too_large')
  expect(model.requests).toEqual([])
})

test('secrets of ours stay at home, are placeholders in the prompt, and a line that holds one is a hit', async () => {
  const secret = `ghp_${'a1'.repeat(18)}`
  const model = passing()
  const asked: ChangeQuestion[] = []
  const change = aChange([aFile('src/a.ts', [`+const token = '${secret}'`, `+const other = 'ghp_${'b2'.repeat(18)}'`])])
  const read = async (question: ChangeQuestion) => {
    asked.push(question)
    return readChange(question)
  }
  const answer = await verdictOf({ model, change, secrets: [secret], read })
  expect(JSON.stringify(asked)).not.toContain(secret)
  expect(asked).toHaveLength(1)
  const prompts = model.requests.map(promptText).join('\n')
  expect(prompts).toContain("const token = '⟦SECRET 1⟧'")
  expect(prompts).toContain("const other = '⟦SECRET 2⟧'")
  expect(answer).toMatchObject({ type: 'report_verdict' })
})
