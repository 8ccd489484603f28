// The GitHub of the small world: it holds a head, the files and results of each commit, and what it was told to show.
import type { RecordedEvent } from '../../src/core/decision/record/events.ts'
import type { Input } from '../../src/core/decision/rules/inputs.ts'
import type { Attempt, ChangedFile, CheckResult } from '../../src/core/decision/model.ts'
import type { Shown } from '../../src/core/decision/shown/owed.ts'
import { sayRefusal } from '../../src/core/words/say-refusal.ts'
import type { GoalBoard } from '../../src/core/goals/goal-board.ts'
import type { RequestBoard } from '../../src/core/requests/request-board.ts'
import type { Board, PullNow } from '../../src/ports.ts'

type CheckOutcome = 'passed' | 'failed' | 'timed_out' | 'missing'
type Commit = {
  files: readonly ChangedFile[]
  tier1: 'passed' | 'failed' | 'running'
  checks: Map<string, { state: CheckOutcome; run: number }>
}

export type FakeForge = Board & {
  readonly pull: { head: string; base: string; outage: string | null }
  readonly slots: Map<string, Shown>
  readonly push: (
    sha: string,
    files: readonly ChangedFile[],
    tier1: Commit['tier1'],
    checks: Readonly<Record<string, CheckOutcome>>,
  ) => void
  readonly report: (checks: Readonly<Record<string, CheckOutcome>>) => void
  readonly answer: (events: readonly RecordedEvent[]) => void
}

/** Nobody speaks of goals there. */
export const noGoals: GoalBoard = {
  read: async () => null,
  link: async () => null,
  make: async () => Promise.reject(new Error('Nobody makes issues')),
  reopen: async () => undefined,
  integration: async () => [],
}

/** Nor of requests. */
export const noRequests: RequestBoard = {
  read: async () => null,
  start: async () => null,
  close: async () => undefined,
}

export function aForge(log: string[]): FakeForge {
  const commits = new Map<string, Commit>()
  const slots = new Map<string, Shown>()
  const pull: FakeForge['pull'] = { head: '', base: 'main', outage: null }
  const commit = (sha: string): Commit => {
    const known = commits.get(sha)
    if (known === undefined) throw new Error(`There is no commit ${sha}`)
    return known
  }
  const report = (checks: Readonly<Record<string, CheckOutcome>>): void => {
    const { checks: known } = commit(pull.head)
    for (const [name, state] of Object.entries(checks)) known.set(name, { state, run: (known.get(name)?.run ?? 0) + 1 })
  }
  const now = (): PullNow | null =>
    pull.head === ''
      ? null
      : { head_sha: pull.head, base_ref: pull.base, base_is_default: true, merges_into: pull.base, updated_at: '' }
  return {
    pull,
    slots,
    push(sha, files, tier1, checks) {
      pull.head = sha
      if (!commits.has(sha)) commits.set(sha, { files, tier1, checks: new Map() })
      report(checks)
    },
    report,
    async show(shown) {
      if (pull.outage !== null) throw new Error(pull.outage)
      const name = slotName(shown)
      const lines = describe(shown)
      const before = slots.get(name)
      slots.set(name, shown)
      if (before === undefined || describe(before).join() !== lines.join())
        log.push(...lines.map((line) => `    ${line}`))
      return { ref: name }
    },
    now: async () => now(),
    kindOf: async () => (pull.head === '' ? null : 'open'),
    lastLook: async () => ({ now: now(), said: null, at_issue: null, closes: null, above: [], twins: [] }),
    policy: async () => ({ sha: '', own: null, organisation: null }),
    policyCopy: async () => null,
    codeOwners: async () => null,
    reviewerCalled: async (name) => name,
    changedFiles: async ({ head_sha }) => ({ files: commit(head_sha).files, complete: true, patches: new Map() }),
    results: async (attempt) => resultsOf(attempt, commit(attempt.head_sha)),
    pullsBehind: async () => [],
    answer(events) {
      for (const event of events) {
        if (event.type === 'OverrideDenied' || event.type === 'CommandRefused')
          log.push(`    reply: ${sayRefusal(event.data)}`)
        if (event.type === 'HumanOverride') log.push(`    reaction: 👍 ${event.data.override_type}`)
      }
    },
  }
}

function resultsOf({ id: attempt_id }: Attempt, { tier1, checks }: Commit): Input[] {
  const passed = tier1 === 'passed'
  const failures = passed ? [] : [{ name: 'syntax_shop.ts', passed, detail: 'line 3: a bracket is missing' }]
  const inputs: Input[] =
    tier1 === 'running'
      ? []
      : [{ type: 'report_tier1', attempt_id, run: '1', passed, checks: failures, findings: [], feedback: null }]
  for (const [name, { state, run }] of checks) {
    const result = state === 'missing' ? null : resultOf(name, state)
    inputs.push({ type: 'report_check', attempt_id, run: `run-${run}`, name, state, result, output_ref: null })
  }
  return inputs
}

function resultOf(name: string, state: CheckOutcome): CheckResult {
  const output = state === 'passed' ? 'ok' : 'AssertionError: expected 3, got 2\n    at shop.test.ts:12'
  const exit_code = state === 'passed' ? 0 : state === 'timed_out' ? 124 : 1
  return { name, passed: state === 'passed', exit_code, output, duration_ms: 1200, required: true }
}

export function slotName(shown: Shown): string {
  if (shown.kind === 'check_run') return `check:${shown.sha}:${shown.name}`
  return `${shown.kind}:${shown.pull}`
}

function describe(shown: Shown): string[] {
  switch (shown.kind) {
    case 'check_run':
      return [`check run ${shown.name} [${shown.conclusion ?? shown.status}] ${shown.title}`]
    case 'note':
      return [`new comment: ${shown.body}`]
    case 'verifier_review':
      return shown.review.body === null
        ? []
        : [`review: ${shown.review.body.split('\n').find((line) => line.startsWith('**')) ?? ''}`]
    case 'deployment':
      return [`deployment to ${shown.environment}: ${shown.answer ?? 'waiting'}: ${shown.words}`]
    case 'review_request':
      return [
        `review asked of ${[...shown.from, ...(shown.admins ? ['the administrators'] : [])].join(', ') || 'nobody any more'}`,
      ]
    case 'part':
      return [`a part: ${shown.title}`]
    case 'issue':
      return [`the issue is ${shown.open ? 'open' : 'closed'}`]
    case 'labels':
      return [`labels: ${shown.labels.join(', ') || 'none'}`]
    case 'sticky':
      // Without what is folded for programs.
      return (shown.body.split('<details>')[0] ?? '')
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('<!--'))
        .slice(0, STICKY_LINES)
        .map((line) => `comment | ${line}`)
  }
}

/** How much of the sticky comment a transcript shows: what to do next is at its top. */
const STICKY_LINES = 4
