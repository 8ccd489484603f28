// The states that are words: what a model found, what is answered to people, and the board of a goal.
import type { RecordedEvent } from '../../src/core/decision/record/events.ts'
import { decideGoal, type GoalInput } from '../../src/core/goals/decide-goal.ts'
import { emptyGoal, evolveGoal, type GoalState, type GoalTask } from '../../src/core/goals/goal.ts'
import { readCommands } from '../../src/core/people/read-commands.ts'
import { answerText, incompleteText, neverJudgedText, notOpenText, unknownText } from '../../src/core/words/answers.ts'
import { boardText, goalLabel } from '../../src/core/words/issues/board.ts'
import { emptyTask, replay } from '../../src/core/decision/record/evolve.ts'
import { aCourse, before } from '../verifier/course.ts'
import { aContract, aModel, blocking, saysPass, type Said, type TaskGiven } from '../verifier/lab.ts'
import { failed, shownOf, taskOf, type State } from './state.ts'

const stateOf = (title: string, events: readonly RecordedEvent[]): State => ({
  title,
  shown: shownOf(replay(emptyTask('acme/shop#4'), events)),
  replies: [],
})
const saying = (changed: Said = {}) => aModel((request) => saysPass(request, changed))
const objecting = () => saying({ findings: [blocking], proposed_verdict: 'SOFT_FAIL' })

const contract = (verifier: TaskGiven['verifier'] = {}) =>
  aContract({ policy: { verification: { checks: ['test'] } }, verifier })

export async function reviewed(): Promise<State[]> {
  const objected = aCourse(contract())
  await objected.push('a1', objecting(), before)
  const once = [...objected.events]
  await objected.push('a2', objecting(), before)
  const wanted = aCourse(contract({ review: 'always' }))
  await wanted.push('a1', saying({ findings: [{ ...blocking, level: 'question' }] }), before)
  const quiet = aCourse(contract())
  await quiet.push('a1', saying(), before)
  return [
    stateOf('The AI review has no objection', quiet.events),
    stateOf('The AI review objects at a line', once),
    stateOf('The AI review objects once more', [...objected.events]),
    stateOf('The AI review has a remark, and the policy wants every review', wanted.events),
  ]
}

const pull = taskOf({ inputs: failed })
const attempt = pull.attempts.at(-1)

/** What is answered to these words at an open pull request, or where nothing is judged. */
function answered(title: string, words: string, where: 'open' | 'draft' | 'merged' = 'open'): State {
  const replies = readCommands(words, 'comment').flatMap((read) => {
    if (read.kind === 'unknown') return [unknownText(read)]
    if (read.kind === 'incomplete') return [incompleteText(read)]
    if (read.kind !== 'command' || attempt === undefined) return []
    return where === 'open' ? [answerText(read.command, pull, attempt, []) ?? ''] : [notOpenText(read.command, where)]
  })
  return { title: `${title}: \`${words}\``, shown: [], replies }
}

export const answers: readonly State[] = [
  answered('Somebody asks for help', '/help'),
  answered('Somebody asks where it stands', '/status'),
  answered('A word that is none', '/overide flaky'),
  answered('A word that is incomplete', '/override --check'),
  answered('A word at a draft', '/override flaky', 'draft'),
  answered('A word at a merged pull request', '/override flaky', 'merged'),
  answered('A word for goals at a pull request', '/goal verify tried it'),
  { title: 'A word where nothing was ever judged', shown: [], replies: [neverJudgedText] },
]

const ada = { id: 1, login: 'ada', kind: 'human' } as const
const task = (number: number, title: string, status: GoalTask['status']): GoalTask => ({
  number,
  title,
  status,
  pull: status === 'verified' ? number + 10 : null,
  who: null,
})
function goal(title: string, tasks: readonly GoalTask[]): State {
  const inputs: readonly GoalInput[] = [
    {
      type: 'see_goal',
      number: 1,
      title: 'Prices in every currency',
      closed: null,
      by: ada,
      terms: { lead: ['ada'], integration_checks: ['e2e'], max_tasks: 20, merge_requires: 'verified' },
      tasks,
      left_out: [],
    },
    { type: 'report_tasks', tasks },
  ]
  const state = inputs.reduce<GoalState>(
    (known, input) => decideGoal(known, input).reduce(evolveGoal, known),
    emptyGoal('owner/repo#1'),
  )
  const labels = [goalLabel(state)]
  return {
    title,
    shown: [
      { kind: 'sticky', pull: 1, body: boardText(state) },
      { kind: 'labels', pull: 1, labels },
    ],
    replies: [],
  }
}
export const goals: readonly State[] = [
  goal('A goal in work', [
    task(2, 'Read rates', 'verified'),
    task(3, 'Show prices', 'in_progress'),
    { ...task(4, 'Sort by price', 'pending'), blocked_by: ['owner/repo#3', 'acme/rates#5'] },
  ]),
  goal('A goal that waits to be confirmed', [task(2, 'Read rates', 'verified'), task(3, 'Show prices', 'verified')]),
]
