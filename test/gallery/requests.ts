// Requests in every state that people see, as the rules make them, and tasks that are told what is unclear in them.
import { builtInPolicy } from '../../src/core/contract/policy/policy.ts'
import { decideRequest, type RequestInput } from '../../src/core/requests/decide-request.ts'
import { emptyRequest, evolveRequest, type RequestTerms } from '../../src/core/requests/request.ts'
import { requestWords } from '../../src/core/requests/request-words.ts'
import { requestLabel, requestText } from '../../src/core/words/issues/request-page.ts'
import { decideCriteria, emptyCriteria, evolveCriteria, type CriteriaSeen } from '../../src/core/criteria/criteria.ts'
import { owedByCriteria } from '../../src/core/criteria/owed-criteria.ts'
import { taskWords } from '../../src/core/criteria/task-words.ts'
import type { State } from './state.ts'

const terms: RequestTerms = {
  approvers: [],
  clarification: 'warn',
  task: 'same',
  start: 'assign Copilot',
  lead: ['ada'],
  min_permission: 'maintain',
}
const body = '### Acceptance criteria\n\n- The price stands below the title\n'
const dan = { id: 4, login: 'dan' }

const seen = (text = body, more: Partial<RequestTerms> = {}, closed = false): RequestInput => ({
  type: 'see_request',
  number: 1,
  by: dan,
  closed: closed ? { by: dan, at: '', by_merge: false } : null,
  words: requestWords('Show prices', text),
  terms: { ...terms, ...more },
})

const said = (verb: 'approve' | 'reject' | 'ask', text: string): RequestInput => ({
  type: 'give_request_command',
  verb,
  text,
  terms,
  policy: builtInPolicy,
  edited_at: null,
  body,
  saying: {
    key: `comment-${verb}/0`,
    user: { id: 1, login: 'ada', kind: 'human', permission: 'maintain', teams: [] },
    sha: '',
    source: 'comment',
    census: { admin: 1, maintain: 1, write: 2, complete: true },
    text: `/request ${verb}`,
    at: '2026-11-23T12:00:00Z',
    through: null,
  },
})

const task = (status: 'pending' | 'review' | 'verified', who: string | null) =>
  ({ number: 1, title: 'Show prices', status, pull: status === 'pending' ? null : 2, who }) as const
const approval = 'comment-approve/0'
const approved: readonly RequestInput[] = [
  seen(),
  said('approve', 'worth it'),
  { type: 'note_task', approval, task: task('pending', null) },
]

const request = (title: string, ...inputs: readonly RequestInput[]): State => {
  const state = inputs.reduce(
    (known, input) => decideRequest(known, input).reduce(evolveRequest, known),
    emptyRequest('acme/shop#1'),
  )
  return {
    title,
    shown: [
      { kind: 'sticky', pull: 1, body: requestText(state) },
      { kind: 'labels', pull: 1, labels: [requestLabel(state)] },
    ],
    replies: [],
  }
}

const seenAs = (clarification: CriteriaSeen['clarification'], criteria: readonly string[]): CriteriaSeen => {
  const text = criteria.length === 0 ? '' : `### Acceptance criteria\n\n${criteria.map((one) => `- ${one}\n`).join('')}`
  return { number: 1, open: true, is_task: true, clarification, lacking: taskWords('Show prices', text).lacking }
}

/** Each is shown before the next is seen. */
function unclear(title: string, all: readonly CriteriaSeen[]): State {
  let state = emptyCriteria('acme/shop#1')
  let shown: State['shown'] = []
  for (const seen of all) {
    state = decideCriteria(state, { type: 'see_criteria', ...seen }).reduce(evolveCriteria, state)
    const owed = owedByCriteria(state)
    shown = owed.map((one) => one.shown)
    for (const { slot, digest } of owed)
      state = decideCriteria(state, { type: 'show_slot', slot, digest, ref: '1' }).reduce(evolveCriteria, state)
  }
  return { title, shown, replies: [] }
}

export const requests: readonly State[] = [
  request('A request that waits for approval', seen()),
  request('A request without criteria, where the policy asks for some', seen('', { clarification: 'block' })),
  request('A request that somebody asks about', seen(), said('ask', 'in which currency?')),
  request('A request that was edited after it was approved', ...approved, seen(`${body}- And in yen, too\n`)),
  request('An approved request that could not be handed over', ...approved, {
    type: 'note_start',
    approval,
    problem: 'GitHub does not let Copilot be assigned by an App',
  }),
  request('A request in work', ...approved, { type: 'report_task', task: task('review', 'agent') }),
  request('A request that is done', ...approved, { type: 'report_task', task: task('verified', 'eve') }),
  request('A request that was turned down', seen(), said('reject', 'we sell nothing')),
  request('A request that its author withdrew', seen(), seen(body, {}, true)),
  unclear('A task that says too little, where that stops it', [seenAs('block', ['It works'])]),
  unclear('A task without criteria, where that is only told', [seenAs('warn', [])]),
  unclear('A task in which nothing is unclear any more', [
    seenAs('warn', ['It works']),
    seenAs('warn', ['Prices are rounded to cents']),
  ]),
]
