// Answers without a model, for demos, tests and places without a network: whether the words of a question occur in what
// the change adds. Every result says that no model read it.
import type { ProbeGrade } from '../../core/decision/examined.ts'
import { roundedDown } from './confidence.ts'
import type { PresentedFile } from '../change/presented.ts'
import type { AtomicProbe } from '../asking/probes.ts'

export const heuristicRemark = 'heuristic: no model read this change'
export type HeuristicVerdict = {
  readonly outcome: 'PASS' | 'SOFT_FAIL'
  readonly confidence: number
  readonly probes: readonly ProbeGrade[]
  readonly grade: (answer: ProbeGrade['answer']) => number
}

export function gradeByWords(probes: readonly AtomicProbe[], files: readonly PresentedFile[]): HeuristicVerdict {
  const text = files
    .flatMap(({ hunks }) =>
      hunks.flatMap(({ lines }) => lines.filter(({ new: at }) => at !== null).map((line) => line.text)),
    )
    .join('\n')
    .toLowerCase()
  const graded = probes.map(({ id, text: question }): ProbeGrade => {
    const found = occurs(question.toLowerCase(), text)
    return { id, text: question, answer: found ? 'met' : 'not_met', proven: false, why: heuristicRemark }
  })
  const ratio = probes.length === 0 ? 0 : graded.filter(({ answer }) => answer === 'met').length / probes.length
  return {
    outcome: ratio >= 0.5 ? 'PASS' : 'SOFT_FAIL',
    confidence: roundedDown(Math.min(0.9, ratio + 0.1)),
    probes: graded,
    grade: (answer) => (answer === 'met' ? 0.8 : 0.3),
  }
}

function occurs(question: string, text: string): boolean {
  const words = question.match(/[\p{L}\p{N}_]{4,}/gu) ?? []
  return text.includes(question) || (words.length > 0 && words.every((word) => text.includes(word)))
}
