// What happened on the way to an AI review, as a list of what happened tells it.
import type { Examined } from '../../decision/examined.ts'
import type { OnTheWay } from '../../decision/record/on-the-way.ts'
import { neutralLine } from '../text/neutral.ts'
import { plural } from '../text/plural.ts'

const name = (text: string): string => neutralLine(text, 120)

export function onTheWaySentence(event: OnTheWay): string {
  switch (event.type) {
    case 'TierCompleted':
      return `tier ${event.data.tier} ${event.data.passed ? 'passed' : 'failed'}`
    case 'VoteCast':
      return `vote ${event.data.n} (${name(event.data.lens)}): ${name(event.data.outcome)}`
    case 'VotesTallied':
      return votesLine(event.data)
    case 'VerdictDowngraded':
      return `took ${event.data.from} as ${event.data.to}: ${neutralLine(event.data.why)}`
    case 'AuthorityDeferenceDetected':
      return `noted words of rank in ${neutralLine(event.data.place)}, which change nothing`
    case 'AssumptionViolation':
      return `noted an answer that rests on something unseen: ${neutralLine(event.data.evidence)}`
    case 'SemanticDriftWarning':
      return `noted an answer that speaks little of the criteria: similarity ${event.data.similarity}, below ${event.data.threshold}`
    case 'VerificationPlanned': {
      const { questions, calls, usd } = event.data
      return `planned ${plural(questions, 'question', 'questions')} in ${plural(calls, 'call', 'calls')} for about $${usd.toFixed(2)}`
    }
    case 'StepFailed':
      return `a step of the AI review failed (${neutralLine(event.data.step)}): ${neutralLine(event.data.what)}`
    case 'DecompositionFellBack':
      return `asked each criterion as it stands: ${neutralLine(event.data.why)}`
    case 'ModelPaused':
      return `asks ${neutralLine(event.data.model)} nothing until ${event.data.until.slice(11, 16)}: it failed too often in a row`
  }
}

/** The steps by which it was made, where they are not the usual ones. */
export function stepsWords(steps: Examined['steps']): string {
  const named = (words: string, names: readonly string[] = []): string =>
    names.length === 0 ? '' : `; it went ${words} ${names.map((one) => neutralLine(one)).join(', ')}`
  return named('by its usual steps and', steps?.added) + named('without', steps?.left_out)
}

/** As readers of the record know it. */
export const votesLine = ({ pass, valid }: { readonly pass: number; readonly valid: number }): string =>
  `${pass}/${valid} verifiers agreed output is correct`
