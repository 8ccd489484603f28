// Answers without a model: whether the words of a question occur in what a change leaves.
import { expect, test } from 'vitest'
import { redactor } from '../../src/verifier/asking/clean.ts'
import { gradeByWords, heuristicRemark } from '../../src/verifier/weighing/heuristic.ts'
import { presentedFile } from '../../src/verifier/change/presented.ts'
import type { AtomicProbe } from '../../src/verifier/asking/probes.ts'
import { aFile, guardLines } from './lab.ts'

const files = [presentedFile(aFile('src/users.ts', guardLines), redactor([]))]
const asked = (...texts: string[]) =>
  texts.map((text, index): AtomicProbe => {
    return { id: `c${index}`, text, polarity: 'presence', source: 'issue', criterion: text, conditional: false }
  })

test.each<[string, string[], object, string[]]>([
  ['all of its words', ['isAdmin Forbidden'], { outcome: 'PASS', confidence: 0.9 }, ['met']],
  ['the question itself, however short', ['me.'], { outcome: 'PASS' }, ['met']],
  ['words of which one is missing', ['isAdmin Allowed'], { outcome: 'SOFT_FAIL', confidence: 0.1 }, ['not_met']],
  ['short words that are not there', ['an ox'], { outcome: 'SOFT_FAIL' }, ['not_met']],
  ['half of the questions', ['isAdmin', 'Allowed'], { outcome: 'PASS', confidence: 0.6 }, ['met', 'not_met']],
  [
    'a third',
    ['isAdmin', 'Allowed', 'Refused'],
    { outcome: 'SOFT_FAIL', confidence: 0.43 },
    ['met', 'not_met', 'not_met'],
  ],
  ['no question', [], { outcome: 'SOFT_FAIL', confidence: 0.1 }, []],
])('%s', (_title, questions, expected, answers) => {
  const graded = gradeByWords(asked(...questions), files)
  expect(graded).toMatchObject(expected)
  expect(graded.probes.filter(({ proven, why }) => proven || why !== heuristicRemark)).toEqual([])
  expect(graded.probes.map(({ answer }) => answer)).toEqual(answers)
})

test('what a change removes does not count', () => {
  const removing = [presentedFile(aFile('a.ts', ['-const secretive = 1', '+const plain = 1']), redactor([]))]
  expect(gradeByWords(asked('secretive'), removing).probes[0]?.answer).toBe('not_met')
})

test('a grade is never full, and never nothing', () => {
  const { grade } = gradeByWords([], files)
  expect([grade('met'), grade('not_met'), grade('cannot_tell')]).toEqual([0.8, 0.3, 0.3])
})
