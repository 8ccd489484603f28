// What whoever made a change took for granted, beside what the task says. A program compares words, so it says only which
// sentence of the task is near, and people judge.
import type { Assumption } from '../people/judge-assume.ts'
import type { Attempt, TaskState } from '../decision/model.ts'
import { similarity } from '../similarity.ts'
import { neutralLine } from './text/neutral.ts'

/** As near as half of the words. */
const NEAR = 0.5
const TEXT_MAX = 300

/** Of the newest commit of this pull request about which anything was said. */
export function assumedLines({ attempts }: TaskState, { pull, contract }: Attempt): string[] {
  const saying = attempts.findLast((one) => one.pull === pull && one.assumed !== undefined)
  return (saying?.assumed ?? []).map((one) => assumedLine(one, contract.acceptance_criteria))
}

function assumedLine({ by, text }: Assumption, criteria: readonly string[]): string {
  const nearest = criteria
    .map((criterion) => ({ criterion, near: similarity(text, criterion) }))
    .toSorted((one, other) => other.near - one.near)
    .find(({ near }) => near >= NEAR)
  const says = nearest === undefined ? 'the task says nothing of it' : `the task says: ${shown(nearest.criterion)}`
  return `${neutralLine(by)}: ${shown(text)} (${says})`
}

const shown = (text: string): string => neutralLine(text, TEXT_MAX)
