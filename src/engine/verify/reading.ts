// What the verifier has to read of others, a change and an answer held against patterns: where nobody waits for it in the
// App, in line elsewhere. Null is what takes more than one text may take.
import { readAnswer, type AnswerQuestion, type Passed } from '../../verifier/weighing/pattern.ts'
import { readChange, type ChangeQuestion, type ReadChange } from '../../verifier/change/read-change.ts'

export type Reading = {
  readonly change: (question: ChangeQuestion) => Promise<ReadChange | null>
  readonly answer: (question: AnswerQuestion) => Promise<Passed | null>
}

export const readInLine: Reading = {
  change: async (question) => readChange(question),
  answer: async (question) => readAnswer(question),
}
