// A task of which nothing at all was shown to be done does not pass, however its criteria are worded.
import { expect, test } from 'vitest'
import { aContract, aModel, attemptFor, outcomeOf, saysPass, type Said } from './lab.ts'

const answering = (answers: readonly string[]) =>
  aModel((request): Said => {
    const pass = saysPass(request)
    const probes = Array.isArray(pass['probes']) ? pass['probes'] : []
    return {
      ...pass,
      probes: probes.map((one: Said): Said => {
        const nth = /^c(\d+)/.exec(String(one['id']))?.[1]
        const answer = nth === undefined ? 'met' : (answers[Number(nth) - 1] ?? 'met')
        return answer === 'met' ? one : { ...one, answer, evidence: [] }
      }),
    }
  })
const conditional = [
  'When a user without the role deletes, it is refused.',
  'When it is refused, it is logged.',
  'When it is refused, the page tells why.',
]
const body = `## Acceptance criteria\n${conditional.map((one) => `- ${one}\n`).join('')}`

test.each([
  ['all are met', ['met', 'met', 'met'], 'PASS'],
  ['one does not apply', ['met', 'met', 'not_applicable'], 'PASS'],
  ['one is met, and most do not apply', ['met', 'not_applicable', 'not_applicable'], 'REFER insufficient_evidence'],
  ['none applies', ['not_applicable', 'not_applicable', 'not_applicable'], 'REFER insufficient_evidence'],
])('of three criteria with a condition %s', async (_title, answers, expected) => {
  expect(await outcomeOf({ model: answering(answers), attempt: attemptFor(aContract({ body })) })).toBe(expected)
})
