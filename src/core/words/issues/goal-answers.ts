// What is answered at issues: to words about goals, and to words that belong somewhere else.
import type { CommandName, GoalVerb } from '../../people/command.ts'
import { neutralLine } from '../text/neutral.ts'
import { codeSpan } from '../text/untrusted.ts'

const listed = (who: readonly string[]): string => who.map((one) => neutralLine(one)).join(', ')

export const onlyLeadsText = (who: readonly string[]): string =>
  `A goal is opened by a lead (${listed(who)}), who puts the label ${codeSpan('goal')} on its issue or writes ${codeSpan('/goal create <title>')}.`

export const notAGoalText = (verb: GoalVerb): string =>
  `${codeSpan(`/goal ${verb}`)} is said at the issue of a goal, and this is none. A lead makes it one with the label ${codeSpan('goal')}.`

export const createdText = (login: string): string =>
  `A goal, opened by ${neutralLine(login)}. Its tasks are its sub-issues; ${codeSpan('/goal link #12')} adds one.`

export const atGoalOnly = {
  title: `Say what the goal is called: ${codeSpan('/goal create <title>')}.`,
  pull: `${codeSpan('/goal')} is said at an issue: at that of the goal, or at any for ${codeSpan('/goal create <title>')}.`,
} as const

export const saidAtIssueText = (name: CommandName, pull: number | null): string =>
  pull === null
    ? `${codeSpan(`/${name}`)} is said at the pull request that works on this; there is none yet.`
    : `${codeSpan(`/${name}`)} is said at the pull request that works on this: #${pull}.`
