// The states that come from around a pull request: what stands in the way of a workflow, a first policy, guests, merge groups,
// and commits that are not judged.
import type { PullAhead } from '../../src/core/decision/ahead.ts'
import type { Obstacle } from '../../src/core/decision/model.ts'
import type { Input } from '../../src/core/decision/rules/inputs.ts'
import { noPolicyText, notReadyText, supersededText, switchedOffText } from '../../src/core/words/not-judged.ts'
import type { CheckRunText } from '../../src/core/words/report.ts'
import { failed, passed, told, type State } from './state.ts'

const inTheWay: readonly (readonly [string, Obstacle])[] = [
  ['The branch conflicts with its base', 'merge_conflict'],
  ['The workflow waits for approval', 'awaiting_approval'],
  ['The base has no workflow', 'missing_workflow'],
  ['Nobody can tell which workflow runs the checks', 'unclear_workflow'],
  ['A check lacks a job of its own', 'unclear_jobs'],
  ['The workflow was cancelled', 'run_cancelled'],
  ['The workflow never started', 'run_never_started'],
]
const obstacles = inTheWay.map(([title, obstacle]) =>
  told(title, {
    policy: { verification: { checks: [{ name: 'test', command: 'npm test' }], verifier: { enabled: false } } },
    inputs: (attempt_id) => [{ type: 'report_obstacle', attempt_id, obstacle }],
  }),
)

const starter = [
  {
    path: '.github/countersign.yml',
    url: 'https://github.com/owner/repo/new/main?filename=.github%2Fcountersign.yml',
  },
] as const
const commits = { head_sha: 'a'.repeat(40), base_sha: 'b'.repeat(40) }

const before = (attempt_id: string, pulls: readonly PullAhead[]): Input => ({ type: 'report_ahead', attempt_id, pulls })

const around: readonly State[] = [
  told('Nothing judges this change', { policy: { verification: { checks: [], verifier: { enabled: false } } }, inputs: passed }), // prettier-ignore
  told('There is no policy, and a rule asks for the check', {
    opening: { invalid: [{ code: 'no_policy', subject: null, detail: null }], starter },
    inputs: passed,
  }),
  told('The builder is unknown', { opening: { builder_known: false }, inputs: passed }),
  told('Green, and nothing requires this check', { opening: { protection: 'none' }, inputs: passed }),
  told('Green, and anybody may report this check', { opening: { protection: 'unpinned' }, inputs: passed }),
  told('A pull request from outside', { opening: { guest: true }, inputs: failed }),
  told('A result that cannot be believed', {
    inputs: (attempt_id) => [
      { type: 'refuse_result', attempt_id, source: 'run 7', why: 'it was for another pull request', policy_hash: null },
    ],
  }),
  told('Stopped, and the leads are called', {
    policy: {
      roles: { lead: ['cleo'] },
      verification: { checks: ['test'], verifier: { enabled: false }, retry: { max_attempts: 1 } },
    },
    inputs: failed,
  }),
  told('The agent is called for another attempt', {
    policy: { verification: { checks: ['test'], verifier: { enabled: false }, retry: { dispatch: 'mention' } } },
    inputs: failed,
  }),
  told('It waits for another task', {
    inputs: (attempt_id) => [
      ...passed(attempt_id),
      {
        type: 'report_dependencies',
        on: [{ name: 'owner/repo#12', number: 12, title: 'Read rates', open: true, status: 'in_progress' }],
      },
    ],
  }),
  told('It waits for a pull request that came first', {
    policy: { scope: { parallel: 'hold' } },
    inputs: (attempt_id) => [...passed(attempt_id), before(attempt_id, [{ pull: 12, paths: ['src/a.ts'], more: 2 }])],
  }),
  told('It is told of a pull request that came first', {
    policy: { scope: { parallel: 'tell' } },
    inputs: (attempt_id) => [...passed(attempt_id), before(attempt_id, [{ pull: 12, paths: ['src/a.ts'], more: 0 }])],
  }),
  told('The way is free', {
    policy: { scope: { parallel: 'hold' }, comment: 'always' },
    inputs: (attempt_id) => [
      ...passed(attempt_id),
      before(attempt_id, [{ pull: 12, paths: ['src/a.ts'], more: 0 }]),
      before(attempt_id, []),
    ],
  }),
  told('Merged, and nobody has confirmed it yet', {
    policy: { tasks: { reopen_unverified: true }, comment: 'always' },
    inputs: (attempt_id) => [
      ...passed(attempt_id),
      { type: 'report_merge', attempt_id, by: { id: 1, login: 'cleo' } },
      { type: 'end_attempt', attempt_id, why: 'closed' },
    ],
  }),
  told('Merged although it was no success', {
    policy: { roles: { lead: ['cleo'] } },
    inputs: (attempt_id) => [
      ...failed(attempt_id),
      { type: 'report_merge', attempt_id, by: { id: null, login: 'ada', kind: 'human' } },
    ],
  }),
  told('Countersign itself failed', {
    inputs: (attempt_id) => [{ type: 'note_fault', attempt_id, doing: 'reading the policy', what: 'a fault of ours' }],
  }),
  told('In the merge queue, beside one that is no success', {
    opening: { group: { pull: 7, beside: [8], base_sha: commits.base_sha, lacking: null, covers: [] } },
    inputs: (attempt_id) => [{ type: 'report_members', attempt_id, lacking: [8], covers: [] }, ...passed(attempt_id)],
  }),
]

const only = (title: string, text: CheckRunText): State => ({
  title,
  shown: [{ kind: 'check_run', sha: commits.head_sha, name: 'countersign', ...text }],
  replies: [],
})
const notJudged: readonly State[] = [
  only('A draft, or closed', notReadyText),
  only('A newer commit was pushed', supersededText),
  only('No policy, and no rule asks for the check', noPolicyText),
  only('Switched off', switchedOffText),
]

export const circumstances: readonly State[] = [...obstacles, ...around, ...notJudged]
