// What a step is to the rules of the product: the input that the App would make of it.
import { anOpening } from '../decision/opening.ts'
import type { Contract } from '../../src/core/contract/task/contract.ts'
import { liveAttempt } from '../../src/core/decision/rules/attempt.ts'
import type { Input } from '../../src/core/decision/rules/inputs.ts'
import type { Reason } from '../../src/core/decision/decision.ts'
import type { Attempt, TaskState } from '../../src/core/decision/model.ts'
import type { Command } from '../../src/core/people/command.ts'
import type { Saying } from '../../src/core/people/saying.ts'
import type { Builder, Person } from '../../src/core/people/people.ts'
import type { Base, CommandName, Step } from './steps.ts'

const at = '2026-01-05T09:00:00.000Z'
const census = { admin: 2, maintain: 2, write: 3, complete: true }

export type Scene = {
  readonly task: TaskState
  readonly base: Base
  /** The base that has no policy, where there is such. */
  readonly ungoverned: Base | null
  readonly contracts: Readonly<Record<Base, Contract>>
  readonly person: (who: number) => Person
  readonly index: number
  /** Where a pull request was pushed to last, by its number. */
  readonly heads: ReadonlyMap<number, string>
}
type OfPull = Exclude<Step, { kind: 'repeat' } | { kind: 'rename' }>

export function inputOf(step: OfPull, scene: Scene): Input | null {
  const live = liveAttempt(scene.task, step.pull)
  if (step.kind === 'push') return opening(step.pull, step.tree, step.commit, step.known, scene)
  // Also of one that is closed GitHub knows the head, which may be a commit that came back.
  const isHead = ({ pull, head_sha }: Attempt): boolean => pull === step.pull && head_sha === scene.heads.get(step.pull)
  const attempt = live ?? scene.task.attempts.findLast(isHead)
  if (attempt === undefined) return null
  switch (step.kind) {
    case 'retarget':
    case 'reopen': {
      const [tree = '0', commit = '0'] = attempt.head_sha
      if (step.kind === 'retarget' && live === undefined) return null
      return opening(step.pull, Number(tree), Number(commit), attempt.builder_known, scene)
    }
    case 'close':
      return { type: 'end_attempt', attempt_id: attempt.id, why: 'closed' }
    case 'say':
      return {
        type: 'give_command',
        pull: step.pull,
        command: commandOf(step.command),
        saying: sayingOf(step, attempt, scene),
      }
    case 'reason':
      return {
        type: 'give_command',
        pull: step.pull,
        command: { name: 'reason', reason: 'so' },
        saying: sayingOf(step, attempt, scene),
      }
    case 'label':
      return {
        type: 'set_label',
        pull: step.pull,
        act: step.act,
        added: step.added,
        saying: sayingOf(step, attempt, scene),
      }
    case 'review': {
      const saying = sayingOf(step, attempt, scene)
      const state = step.approves ? 'approved' : 'changes_requested'
      const tree_sha = step.stale ? '' : attempt.tree_sha
      return {
        type: 'submit_review',
        pull: step.pull,
        review: { state, head_sha: saying.sha, tree_sha, body: '' },
        saying,
      }
    }
    case 'dismiss': {
      const author = scene.person(step.whose).id
      const review = scene.task.reviews.findLast((one) => one.pull === step.pull && one.user_id === author)
      if (review === undefined) return null
      return { type: 'dismiss_review', pull: step.pull, review_id: review.id, saying: sayingOf(step, attempt, scene) }
    }
    case 'files':
    case 'tier1':
    case 'check':
    case 'verdict':
    case 'shown':
    case 'made_by':
      return live === undefined ? null : reportOf(step, live, scene)
  }
}

type Report = Extract<OfPull, { kind: 'files' | 'tier1' | 'check' | 'verdict' | 'shown' | 'made_by' }>
const paths = {
  source: ['src/a.ts'],
  outside: ['vendor/x.js'],
  protected: ['.github/workflows/ci.yml'],
  empty: [],
  cut: ['src/a.ts'],
}

function reportOf(step: Report, { id: attempt_id, head_sha, check_name }: Attempt, { person, index }: Scene): Input {
  switch (step.kind) {
    case 'files': {
      const files = paths[step.files].map((path) => ({ path, previous_path: null, status: 'modified' }) as const)
      return { type: 'report_files', attempt_id, files, complete: step.files !== 'cut' }
    }
    case 'tier1': {
      const checks = [{ name: 'syntax', passed: step.passed, detail: null }]
      return {
        type: 'report_tier1',
        attempt_id,
        run: `${step.run}${step.passed}`,
        passed: step.passed,
        checks,
        findings: [],
        feedback: null,
      }
    }
    case 'check':
      return {
        type: 'report_check',
        attempt_id,
        run: `${step.run}${step.state}`,
        name: 'test',
        state: step.state,
        result: null,
        output_ref: null,
      }
    case 'verdict': {
      const evaluator = { login: 'v', agent_id: 'v', session_id: 'v', model_id: 'm', model_family: 'f' }
      const confidence = step.sure ? 0.95 : 0.1
      const said = { reason_code: null, reasoning: 'r', feedback: 'f', objections: [], votes: null, evaluator }
      return { type: 'report_verdict', attempt_id, verdict: { outcome: step.outcome, confidence, ...said } }
    }
    case 'shown':
      return { type: 'show_slot', attempt_id, slot: `check:${head_sha}:${check_name}`, digest: `d${index}`, ref: null }
    case 'made_by': {
      const builder: Builder = { ...person(step.who), via: ['pusher'] }
      return { type: 'add_builder', attempt_id, builder, sha: head_sha }
    }
  }
}

function opening(pull: number, tree: number, commit: number, known: boolean, scene: Scene): Input {
  const { base, contracts, ungoverned } = scene
  const proposed: Reason = { code: 'policy_proposed', subject: base, detail: null }
  const invalid = base === ungoverned ? [proposed] : []
  const head_sha = `${tree}${commit}`.repeat(20)
  const maker: Builder = { id: 100, login: 'agent[bot]', kind: 'bot', permission: 'write', teams: [], via: ['author'] }
  const check_name = base === 'main' ? 'countersign' : `countersign (${base})`
  const where = { pull, base_ref: base, check_name, policy_source: { sha: base, problems: [] }, head_at: at }
  const given = { ...where, tree_sha: `tree-${tree}`, builders: [maker], builder_known: known, census }
  return anOpening(contracts[base], { head_sha, invalid, ...given })
}

type Voice = { readonly who: number; readonly stale?: boolean; readonly through?: boolean; readonly kind: string }

function sayingOf({ who, stale, through, kind }: Voice, attempt: Attempt, { person, index }: Scene): Saying {
  const sha = stale === true ? 'f'.repeat(40) : attempt.head_sha
  const source = kind === 'review' ? 'review' : kind === 'label' ? 'label' : 'comment'
  return {
    key: `k${index}`,
    user: person(who),
    sha,
    source,
    census,
    text: 'said',
    at,
    through: through === true ? 'some-app' : null,
  }
}

function commandOf(name: CommandName): Command {
  const [reason, sha] = ['because', null]
  switch (name) {
    case 'override':
      return { name, checks: [], verifier: false, reason, sha }
    case 'override-test':
      return { name: 'override', checks: ['test'], verifier: false, reason, sha }
    case 'override-verifier':
      return { name: 'override', checks: [], verifier: true, reason, sha }
    case 'approve':
    case 'reject':
    case 'ack':
    case 'retry':
      return { name, reason, sha }
    case 'revoke':
      return { name }
    case 'confirm':
      return { name: 'task', verb: 'verify', text: reason }
  }
}
