// One task before the rules alone: what is pushed and reported, what somebody says, and what the rules answer, each in a line.
import { makeContract } from '../../src/core/contract/task/make-contract.ts'
import { policySchema, type PolicyInput } from '../../src/core/contract/policy/policy.ts'
import { emptyTask, evolve } from '../../src/core/decision/record/evolve.ts'
import type { NewEvent } from '../../src/core/decision/record/events.ts'
import { unreported } from '../../src/core/decision/gate/facts.ts'
import { decide } from '../../src/core/decision/rules/decide.ts'
import type { Input, OpenAttempt } from '../../src/core/decision/rules/inputs.ts'
import type { Attempt, CheckState } from '../../src/core/decision/model.ts'
import type { UnavailableReason, Verdict } from '../../src/core/decision/verdict.ts'
import type { Cover, LabelAct } from '../../src/core/people/act.ts'
import type { Saying } from '../../src/core/people/saying.ts'
import type { Builder, MadeAs, Person } from '../../src/core/people/people.ts'
import { readCommands } from '../../src/core/people/read-commands.ts'

export const aPerson = (login: string, given: Partial<Person> = {}): Person => ({
  login,
  id: null,
  kind: 'human',
  permission: 'write',
  teams: [],
  ...given,
})
export const madeBy = (person: Person, ...via: MadeAs[]): Builder => ({ ...person, via })

export const agent = aPerson('agent[bot]', { kind: 'bot' })
export const ada = aPerson('ada', { permission: 'maintain' })
export const abe = aPerson('abe', { permission: 'maintain' })
export const bob = aPerson('bob')
export const cleo = aPerson('cleo', { permission: 'admin' })
export const dan = aPerson('dan', { permission: 'triage' })
export const helper = aPerson('helper[bot]', { kind: 'bot', permission: 'admin' })

export const shaOf = (name: string): string => name.padEnd(40, '0')
const at = '2026-01-05T09:00:00.000Z'

type Of<T extends Input['type']> = Extract<Input, { type: T }>
type Told = Exclude<CheckState, 'running' | 'left_out'>
export type Pushed = Partial<OpenAttempt> & {
  readonly files?: readonly string[] | null
  readonly complete?: boolean
  readonly tier1?: 'passed' | 'failed' | 'running'
  readonly checks?: Readonly<Record<string, Told>>
}
type Spoken = Partial<Pick<Saying, 'sha' | 'through' | 'census' | 'key' | 'source' | 'at'>> & { readonly pull?: number }

export type Scene = ReturnType<typeof aScene>

export function aScene(
  policy: PolicyInput = {},
  made: readonly Builder[] = [madeBy(agent, 'author')],
  onTold: (events: readonly NewEvent[], input: Input) => void = () => {},
) {
  let task = emptyTask('acme/shop#7')
  let told = 0
  let census = { admin: 1, maintain: 2, write: 3, complete: true }
  const key = (): string => `k${(told += 1)}`
  const tell = (input: Input): readonly NewEvent[] => {
    const events = decide(task, input, at)
    task = events.reduce((state, event) => evolve(state, event, at), task)
    onTold(events, input)
    return events
  }
  const live = (): Attempt => {
    const found = task.attempts.findLast((one) => one.live) ?? task.attempts.at(-1)
    if (found === undefined) throw new Error('nothing was pushed yet')
    return found
  }
  const saying = (user: Person, text: string, { pull: _pull, ...given }: Spoken): Saying => ({
    key: key(),
    user,
    sha: live().head_sha,
    source: 'comment',
    census,
    text,
    at,
    through: null,
    ...given,
  })
  const commanded = (user: Person, words: string, given: Spoken = {}): readonly NewEvent[] => {
    const [read] = readCommands(words, 'comment')
    if (read?.kind !== 'command') throw new Error(`no command: ${words}`)
    return tell({
      type: 'give_command',
      pull: given.pull ?? 9,
      command: read.command,
      saying: saying(user, words, given),
    })
  }
  const check = (name: string, state: Told, run = key()) =>
    tell({ type: 'report_check', attempt_id: live().id, run, name, state, result: null, output_ref: null })
  const tier1 = (passed: boolean) =>
    tell({ type: 'report_tier1', attempt_id: live().id, run: key(), passed, checks: [], findings: [], feedback: null })

  return {
    tell,
    live,
    check,
    tier1,
    task: () => task,
    decision: () => live().decision,
    /** What the page would show: the status and the row that decided. */
    shown: () => `${live().decision?.status} ${live().decision?.row}`,
    /** So many humans have each permission from now on. */
    peopled(admin: number, maintain: number, write: number, complete = true) {
      census = { admin, maintain, write, complete }
    },
    push(
      name: string,
      { files = ['src/shop.ts'], complete = true, tier1: first = 'passed', checks = {}, ...given }: Pushed = {},
    ) {
      const reading = makeContract({
        task_id: 'acme/shop#7',
        title: 't',
        body: 'b',
        policy: policySchema.parse(policy),
        blocks: [],
      })
      if ('unreadable' in reading) throw new Error('the contract of the scene is unreadable')
      const opened = {
        type: 'open_attempt',
        repository: 'R1',
        pull: 9,
        title: 't',
        head_sha: shaOf(name),
        tree_sha: shaOf(`tree-${name}`),
        base_ref: 'main',
        merges_into: 'main',
        merges_base: false,
        head_branch: null,
        check_name: 'countersign',
        guest: false,
        sources: [],
        protection: null,
        head_at: at,
        group: null,
        contract: reading.contract,
        policy_source: { sha: shaOf('base'), problems: [] },
        invalid: [],
        remarks: [],
        builders: made,
        builder_known: true,
        model_available: true,
        census,
        announced: null,
      } as const satisfies OpenAttempt
      const events = tell({ ...opened, ...given })
      const attempt_id = live().id
      if (files !== null) {
        const listed = files.map((path) => ({ path, previous_path: null, status: 'modified' }) as const)
        tell({ type: 'report_files', attempt_id, files: listed, complete })
      }
      if (first !== 'running') tier1(first === 'passed')
      for (const [one, state] of Object.entries(checks)) check(one, state)
      return events
    },
    judged(outcome: Verdict['outcome'], given: Partial<Verdict> = {}) {
      const evaluator = { login: 'v', agent_id: 'v', session_id: key(), model_id: 'm', model_family: 'f' }
      const verdict = {
        outcome,
        reason_code: null,
        confidence: 0.9,
        reasoning: 'r',
        feedback: 'f',
        objections: [],
        votes: null,
      }
      return tell({ type: 'report_verdict', attempt_id: live().id, verdict: { ...verdict, evaluator, ...given } })
    },
    outage: (reason: UnavailableReason = 'transient', retry_at: string | null = null) =>
      tell({ type: 'report_unavailable', attempt_id: live().id, session_id: key(), reason, retry_at }),
    gate: (gate: 'red_team' | 'vision', verdict: Of<'report_gate'>['verdict']) =>
      tell({ type: 'report_gate', attempt_id: live().id, gate, run: key(), verdict, summary: 's', elapsed_ms: 1 }),
    waited: () => tell({ type: 'end_wait', attempt_id: live().id, what: 'verification.wait' }),
    ended: (why: 'draft' | 'closed') => tell({ type: 'end_attempt', attempt_id: live().id, why }),
    /** The page showed the decision of the present head. */
    seen: () =>
      tell({
        type: 'show_slot',
        attempt_id: live().id,
        slot: `check:${live().head_sha}:countersign`,
        digest: key(),
        ref: null,
      }),
    says: (user: Person, words: string, given: Spoken = {}) => answers(commanded(user, words, given)),
    /** Who may do instead what this person is refused. */
    whoMay: (user: Person, words: string): readonly string[] =>
      commanded(user, words).flatMap(({ data }) => ('who_may' in data ? data.who_may : [])),
    labels(user: Person, act: LabelAct, added = true, given: Spoken = {}): string[] {
      return answers(
        tell({
          type: 'set_label',
          pull: given.pull ?? 9,
          act,
          added,
          saying: saying(user, '', { source: 'label', ...given }),
        }),
      )
    },
    reviews(user: Person, state: 'approved' | 'changes_requested', given: Spoken & { tree?: string } = {}): string[] {
      const { tree, ...rest } = given
      const about = saying(user, '', { source: 'review', ...rest })
      const review = { state, head_sha: about.sha, tree_sha: tree ?? live().tree_sha, body: 'looked' }
      return answers(tell({ type: 'submit_review', pull: given.pull ?? 9, review, saying: about }))
    },
    /** Somebody dismisses the newest review, or the one at this place. */
    dismisses(user: Person, given: Spoken & { which?: number } = {}): string[] {
      const review_id = task.reviews.at(given.which ?? -1)?.id ?? ''
      return answers(
        tell({ type: 'dismiss_review', pull: given.pull ?? 9, review_id, saying: saying(user, '', given) }),
      )
    },
  }
}

const sayCover = ({ subject, result }: Cover): string =>
  result === null ? `${subject} for good` : result === unreported ? `${subject} unreported` : subject

const answers = (events: readonly NewEvent[]): string[] => events.flatMap(answer)

/** What the rules made of words; what follows from it is asked of the scene. */
export function answer({ type, data }: NewEvent): string[] {
  if (type === 'OverrideDenied' || type === 'CommandRefused') {
    const said = [data.why, data.detail].filter((part) => part !== null).join(' ')
    return [`${type === 'OverrideDenied' ? 'denied' : 'refused'}: ${said}`]
  }
  if (type === 'HumanOverride')
    return [[data.override_type, ...data.covers.map(sayCover), ...(data.solo ? ['(solo)'] : [])].join(' ')]
  if (type === 'ReviewSubmitted') {
    const counts = data.counts ? 'counts' : (data.why_not ?? '')
    return [`${counts}${data.resolves_refer ? ', resolves' : ''}${data.solo ? ' (solo)' : ''}`]
  }
  if (type === 'ReviewDismissed') return [data.lifts ? 'dismissed' : 'dismissed in vain']
  if (type === 'OverrideRevoked') return [`revoked ${data.override_id.split('#')[1]}`]
  if (type === 'RejectionCarried') return [`${data.standing} where it was carried from`]
  if (type === 'ActAsked') return [`asked: ${data.act}`]
  if (type === 'ActWithdrawn') return [`withdrawn: ${data.act}`]
  if (type === 'VerificationReopened') return ['asked again']
  if (type === 'TaskVerified') return [`${type} ${data.separation}`]
  if (type === 'TaskAssigned') return data.implicit ? [] : [`${type} ${data.assignee}`]
  if (type === 'TaskStarted' || type === 'TaskSubmitted') return data.implicit ? [] : [type]
  return type === 'TaskReopened' ? [type] : []
}
