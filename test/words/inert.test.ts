// A law over everything that we write: whatever others wrote, nothing of it acts. It mentions nobody, links nowhere, opens
// no HTML, makes no heading, ticks no box and hides nothing; whom the policy names as lead is mentioned, and nobody else.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { conclude } from '../../src/core/decision/gate/conclude.ts'
import type { NewEvent, RecordedEvent } from '../../src/core/decision/record/events.ts'
import type { Command } from '../../src/core/people/command.ts'
import { answerText, incompleteText, notOpenText, unknownText } from '../../src/core/words/answers.ts'
import { explain, sayMoment } from '../../src/core/words/timeline/explain.ts'
import { boardText, notLinkedText, reopenedText } from '../../src/core/words/issues/board.ts'
import { emptyGoal, type GoalState } from '../../src/core/goals/goal.ts'
import { unclearText } from '../../src/core/words/issues/criteria-page.ts'
import { notesOf } from '../../src/core/words/notes.ts'
import { checkRunText, stickyText } from '../../src/core/words/report.ts'
import { runSummary } from '../../src/core/words/run/run-summary.ts'
import { sayRefusal } from '../../src/core/words/say-refusal.ts'
import { verifierReview } from '../../src/core/words/verifier-review.ts'
import { tries } from '../depth.ts'
import { hostileTask, outcomes, states, type Hostile } from './hostile.ts'
import { actsIn, nasty } from './rendered.ts'

const ours = {
  html: /^(?:<!-- countersign:(?:sticky|review [^\s<>]+|finding [\w]+) -->|<details><summary>(?:For agents|What was checked|Output of <code>[^<>]*<\/code>, which [\w ,-]+)<\/summary>|<\/details>|<br>|<\/?sub>)$/,
  headings:
    /^(?:### (?:⏳|✅|🔁|❌|👀|⏸️|⚠️) .+|### (?:Why|Warnings|What people decided|What its makers took for granted|Reviews that do not count|Results that do not count|Worth a look|What to do next|What would come next, were it enforced|What failed|What the AI review says|What the red-team gate says|What repeats|Earlier attempts|How to go on|The change that was judged|Objections|Questions, which block nothing|Still open from earlier|Remarks)|#### (?:Built-in checks that failed|Worth a look|Worth knowing))$/,
  emphasis: true,
  // The commits that this task is about.
  text: /\b(?:1{7}|e{7})\b/g,
} as const

const questions: readonly Command[] = [
  { name: 'status' },
  { name: 'context' },
  { name: 'log' },
  { name: 'help' },
  { name: 'goal', verb: 'status', text: '', items: [] },
]

/** A goal of which others wrote whatever can be written. */
const hostileGoal = (t: (at: number) => string): GoalState => ({
  ...emptyGoal('acme/shop#1'),
  title: t(0),
  terms: { lead: [t(1)], integration_checks: [t(2)], max_tasks: 1, merge_requires: 'verified' },
  tasks: (['pending', 'assigned', 'in_progress', 'review', 'completed', 'verified'] as const).map((status, at) => ({
    number: 777_000 + at,
    title: t(at + 3),
    status,
    pull: 777_009,
    who: t(at + 4),
  })),
  left_out: [t(5)],
  confirmed: { by: t(6), notes: t(7), evidence: [t(8)] },
  rejections: [{ key: 'k', by: t(9), reason: t(10), fixes: [{ title: t(11), number: null }] }],
})

function* written({ task, attempt, texts }: Hostile): Iterable<readonly [string, string]> {
  const t = (at: number): string => texts[at % texts.length] ?? ''
  const decision = conclude(task, attempt)
  const concluded = { ...attempt, decision }
  const run = checkRunText(task, concluded, decision)
  yield ['title', run.title]
  yield ['summary', run.summary]
  for (const { message } of run.annotations) yield ['annotation', message]
  yield ['sticky', stickyText(task, concluded, decision)]
  for (const { about, body } of notesOf(task, concluded, decision))
    yield [`note ${about}`, body.replace(/^(?:@[a-z\d][\w./-]* ?)+/i, '')]
  const goal = hostileGoal(t)
  for (const status of ['open', 'active', 'pending_verify', 'verified'] as const)
    // Its tasks and their pull requests are meant to be links.
    yield [`board ${status}`, boardText({ ...goal, status }).replaceAll(/#7770\d\d/g, 'ours')]
  yield ['reopened', reopenedText(goal)]
  const unclear = { number: 1, open: true, is_task: true, clarification: 'block', lacking: [t(3), t(4)] } as const
  yield ['unclear', unclearText(unclear)]
  yield ['not linked', notLinkedText(777_001, t(2)).replace('#777001', 'ours')]
  const log = eventsOf(t).map(recorded)
  for (const moment of explain(log)) yield ['moment', sayMoment(moment)]
  for (const command of questions) yield [`/${command.name}`, answerText(command, task, concluded, log) ?? '']
  yield ['not open', notOpenText({ name: 'status' }, 'draft')]
  yield ['unknown', unknownText({ kind: 'unknown', word: t(1), nearest: 'override', text: t(1) })]
  yield [
    'incomplete',
    incompleteText({ kind: 'incomplete', name: 'override', text: t(1), why: 'unknown_flag', usage: t(2) }),
  ]
  yield ['refusal', sayRefusal({ why: 'unknown_check', detail: t(3), who_may: [t(4), t(5)] })]
  const review = verifierReview(concluded, new Set())
  if (review !== null) {
    yield ['review', review.body ?? '']
    for (const { body } of review.comments) yield ['comment', body]
  }
  yield ['run summary', runSummary(ofRun(t))]
}

const ofRun = (t: (at: number) => string) => ({
  passed: false,
  mode: 'enforce' as const,
  head_sha: '1'.repeat(40),
  left_out: [t(7)],
  warnings: [t(8)],
  checks: [
    {
      name: t(9),
      passed: false,
      exit_code: 1,
      output: t(10),
      duration_ms: 1,
      required: true,
      source: 'command' as const,
      command: t(11),
      error_code: null,
      started_at: '',
      truncated_bytes: 0,
      log: null,
    },
  ],
  tier1: {
    passed: false,
    checks: [{ name: t(12), passed: false, detail: t(13) }],
    findings: [{ path: t(14), line: 1, severity: 'LOW' as const, category: '', message: t(15) }],
    feedback: null,
  },
})

const at = { attempt_id: 'a', head_sha: '1'.repeat(40) }
const eventsOf = (t: (at: number) => string): NewEvent[] => [
  { type: 'TaskAssigned', ...at, data: { by: t(1), assignee: t(2), hat: t(1), implicit: true } },
  { type: 'ScopeViolationDetected', ...at, data: { violation_type: 'denied', path: t(3), allowed: [], denied: [] } },
  { type: 'ResultRefused', ...at, data: { source: t(4), why: t(5) } },
  { type: 'ReviewDismissed', ...at, data: { key: 'k', review: 'r', review_by: t(6), by: t(7), lifts: true } },
  { type: 'EscalationRaised', ...at, data: { why: 'hard_fail', to: [t(8)] } },
  { type: 'OverrideRevoked', ...at, data: { key: 'k', override_id: 'o', by: t(9), reason: t(10) } },
]
const recorded = (event: NewEvent): RecordedEvent => ({
  ...event,
  schema: 1,
  id: 'i',
  stream: 's',
  version: 1,
  prev_hash: '',
  hash: '',
  at: '2026-01-01T00:00:00Z',
  actor: { kind: 'human', login: 'ada', id: null },
  task_id: 'acme/shop#4',
  correlation_id: 'c',
})

/** In a fence a line that looks like a row of a table is none. */
const withoutFences = (body: string): string => body.replaceAll(/^[ >]*(`{3,})[^\n]*\n[\s\S]*?^[ >]*\1[ ]*$/gm, '')

test('nothing that others wrote acts anywhere', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(
      fc.array(nasty, { minLength: 1, maxLength: 8 }),
      states,
      outcomes,
      fc.integer({ min: 0, max: 12 }),
      (texts, state, outcome, shape) => {
        for (const [what, body] of written(hostileTask(texts, state, outcome, shape))) {
          seen.add(what)
          expect({ what, body, acts: actsIn(body, ours) }).toEqual({ what, body, acts: [] })
          for (const row of withoutFences(body)
            .split('\n')
            .filter((line) => line.startsWith('| '))) {
            expect(row.replaceAll(String.raw`\|`, '').match(/\|/g)?.length ?? 0).toBeLessThanOrEqual(5)
          }
        }
      },
    ),
    { numRuns: tries(20) },
  )
  expect([...seen]).toEqual(
    expect.arrayContaining([
      'title',
      'summary',
      'sticky',
      'note merged',
      'review',
      'comment',
      '/context',
      'run summary',
    ]),
  )
}, 60_000)
