// A small world around the engine: one repository, some people, an agent, and a GitHub that shows what it is told.
// Its transcript reads like the pull request page: who did what, and what Countersign answered.
import { aside, inLine } from '../../src/adapters/aside/aside.ts'
import { makeContract } from '../../src/core/contract/task/make-contract.ts'
import { policySchema, type PolicyInput } from '../../src/core/contract/policy/policy.ts'
import type { Input } from '../../src/core/decision/rules/inputs.ts'
import type { ChangedFile, TaskState } from '../../src/core/decision/model.ts'
import type { UnavailableReason, VerdictOutcome } from '../../src/core/decision/verdict.ts'
import type { Reason } from '../../src/core/decision/decision.ts'
import type { Builder, Census, Person } from '../../src/core/people/people.ts'
import { labelOf, type LabelAct } from '../../src/core/people/act.ts'
import { readCommands } from '../../src/core/people/read-commands.ts'
import { explain, sayMoment } from '../../src/core/words/timeline/explain.ts'
import { engineOver, load, type Engine } from '../../src/engine/engine.ts'
import { record } from '../../src/engine/record.ts'
import { settle } from '../../src/engine/settle.ts'
import { sweep } from '../../src/engine/rounds/sweep.ts'
import { memoryStore } from '../../src/adapters/store/memory.ts'
import type { GateAnswer, Store, VerifierAnswer } from '../../src/ports.ts'
import { aForge, type FakeForge } from './forge.ts'
import { aFuse, Crash, type Fuse } from './fuse.ts'

export type Setting = {
  readonly policy?: PolicyInput
  readonly census?: Census
  readonly author?: Person
  readonly store?: Store
  readonly model?: boolean
  readonly invalid?: readonly Reason[]
  /** Blows at a chosen call to the outside: the process dies there and starts again. */
  readonly fuse?: Fuse
}
export type PushOptions = {
  readonly checks?: Readonly<Record<string, 'passed' | 'failed' | 'timed_out' | 'missing'>>
  readonly tier1?: 'passed' | 'failed' | 'running'
  readonly files?: readonly string[]
  readonly by?: readonly Builder[]
  readonly tree?: string
  readonly base?: string
}

export const people: Readonly<Record<string, Person>> = {
  ada: { id: null, login: 'ada', kind: 'human', permission: 'maintain', teams: [] },
  bob: { id: null, login: 'bob', kind: 'human', permission: 'write', teams: [] },
  cleo: { id: null, login: 'cleo', kind: 'human', permission: 'admin', teams: [] },
  dan: { id: null, login: 'dan', kind: 'human', permission: 'read', teams: [] },
  'helper[bot]': { id: null, login: 'helper[bot]', kind: 'bot', permission: 'admin', teams: [] },
}
export const agent: Person = { id: null, login: 'agent[bot]', kind: 'bot', permission: 'write', teams: [] }

const ref = { stream: 'R1#7', task_id: 'acme/shop#7' }
const sha = (name: string): string => name.padEnd(40, '0')

export type World = Awaited<ReturnType<typeof aWorld>>

export async function aWorld(setting: Setting = {}) {
  const log: string[] = []
  let minutes = 0
  const clock = { now: () => new Date(Date.UTC(2026, 0, 5, 9, minutes)).toISOString() }
  let said = 0
  const forge: FakeForge = aForge(log)
  const answers: VerifierAnswer[] = []
  const gateAnswers: GateAnswer[] = []
  const given = new Map<string, VerifierAnswer>()
  const verifier = {
    available: true,
    /** Asked again under the same session, as after a crash, it answers the same. */
    verify: async (_attempt: unknown, session: string): Promise<VerifierAnswer> => {
      const answer = given.get(session) ?? (answers.length > 1 ? answers.shift() : answers[0])
      if (answer === undefined) throw new Error('The verifier was asked, and the world has no answer for it')
      given.set(session, answer)
      if (answer.type === 'report_unavailable') return { ...answer, session_id: session }
      return {
        ...answer,
        verdict: { ...answer.verdict, evaluator: { ...answer.verdict.evaluator, session_id: session } },
      }
    },
    judgeGate: async (): Promise<GateAnswer> =>
      gateAnswers[0] ?? { verdict: 'PASS', summary: 'nothing found', elapsed_ms: 5 },
  }
  let ids = 0
  const store = setting.store ?? memoryStore()
  const fuse = setting.fuse ?? aFuse()
  const ports = fuse.guard({
    store,
    forges: { of: async () => forge },
    verifier,
    clock,
    ids: { next: () => `id-${(ids += 1)}` },
    aside: aside(inLine),
  })
  let engine: Engine = engineOver(ports)
  const policy = policySchema.parse(setting.policy ?? {})
  const census = setting.census ?? { admin: 1, maintain: 1, write: 3, complete: true }
  const author = setting.author ?? agent

  /** A process that dies forgets everything; what it had not acknowledged is delivered again. */
  const surviving = async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!isCrash(error)) throw error
        engine = engineOver(ports)
      }
    }
  }
  const hear = (input: Input, login: string) => {
    const kind = people[login]?.kind === 'bot' || login === author.login ? 'app' : 'human'
    const told = { actor: { kind, login, id: null }, correlation_id: 'world' } as const
    return surviving(() => record(engine, ref, input, told))
  }
  const sweeps = () =>
    surviving(async () => {
      const swept = await sweep(engine)
      const crashed = swept.failed.find(({ error }) => isCrash(error))
      if (crashed !== undefined) throw crashed.error
      return swept
    })
  const settled = () => surviving(() => settle(engine, ref))
  const saying = (user: Person, text: string, at: string, source: 'comment' | 'review') => {
    const seen = at === '' ? forge.pull.head : sha(at)
    return {
      key: `said-${(said += 1)}`,
      user,
      sha: seen,
      source,
      census,
      text,
      at: clock.now(),
      through: null,
    } as const
  }
  const person = (login: string): Person => {
    const known = people[login] ?? (login === author.login ? author : undefined)
    if (known === undefined) throw new Error(`Nobody in this world is called ${login}`)
    return known
  }
  const live = async () => {
    const { task } = await load(engine, ref)
    const attempt = task.attempts.findLast((one) => one.live)
    if (attempt === undefined) throw new Error('There is no open attempt')
    return attempt
  }

  return {
    sweep: sweeps,
    forge,
    ref,
    /** Opens the pull request on first use, then moves its head; results arrive as the options say. */
    async push(name: string, options: PushOptions = {}) {
      minutes += 1
      log.push(`${author.login} pushes ${name}`)
      const files = (options.files ?? ['src/shop.ts']).map((path): ChangedFile => ({
        path,
        previous_path: null,
        status: 'modified',
      }))
      forge.pull.base = options.base ?? 'main'
      forge.push(sha(name), files, options.tier1 ?? 'passed', options.checks ?? {})
      const reading = makeContract({
        task_id: ref.task_id,
        title: 'Fix the shop',
        body: 'Make it work.',
        policy,
        blocks: [],
      })
      if ('unreadable' in reading) throw new Error('The contract of the world is unreadable')
      const builders: Builder[] = [{ ...author, via: ['author', 'pusher'] }, ...(options.by ?? [])]
      const opened: Input = {
        type: 'open_attempt',
        repository: 'R1',
        merges_into: options.base ?? 'main',
        merges_base: false,
        head_branch: null,
        guest: false,
        sources: [],
        pull: 9,
        title: 'Fix the shop',
        head_sha: sha(name),
        tree_sha: options.tree ?? sha(`tree-${name}`),
        base_ref: options.base ?? 'main',
        check_name: 'countersign',
        head_at: '2026-01-01T00:00:00Z',
        group: null,
        contract: reading.contract,
        policy_source: { sha: sha('base'), problems: [] },
        invalid: setting.invalid ?? [],
        builders,
        builder_known: true,
        model_available: setting.model ?? true,
        announced: null,
        remarks: [],
        protection: null,
        census,
      }
      await hear(opened, author.login)
      return settled()
    },
    /** The continuous integration reports again on the present head. */
    async report(checks: NonNullable<PushOptions['checks']>) {
      minutes += 1
      for (const [name, state] of Object.entries(checks)) log.push(`ci reports ${name} ${state}`)
      forge.report(checks)
      for (const input of await forge.results(await live())) await hear(input, 'ci')
      return settled()
    },
    verifierWillSay(outcome: VerdictOutcome, feedback = '', confidence: number | null = 0.9) {
      answers.push({ type: 'report_verdict', verdict: verdictOf(outcome, feedback, confidence) })
    },
    verifierIsDown(reason: UnavailableReason = 'transient', retry_at: string | null = null) {
      answers.push({ type: 'report_unavailable', session_id: '', reason, retry_at })
    },
    gateWillSay(verdict: GateAnswer['verdict'], summary = '') {
      gateAnswers.unshift({ verdict, summary, elapsed_ms: 5 })
    },
    /** A comment; `seen` is the head that its author had in front of them, the present one unless given. */
    async comment(login: string, body: string, seen = '') {
      minutes += 1
      log.push(`${login} writes: ${body}`)
      for (const read of readCommands(body, 'comment')) {
        if (read.kind !== 'command') continue
        const input: Input = {
          type: 'give_command',
          pull: 9,
          command: read.command,
          saying: saying(person(login), read.text, seen, 'comment'),
        }
        const { events } = await hear(input, login)
        forge.answer(events)
      }
      return settled()
    },
    async label(login: string, act: LabelAct, added = true) {
      minutes += 1
      log.push(`${login} ${added ? 'sets' : 'removes'} the label ${labelOf(act)}`)
      const about = { ...saying(person(login), '', '', 'comment'), source: 'label' } as const
      await hear({ type: 'set_label', pull: 9, act, added, saying: about }, login)
      return settled()
    },
    async review(login: string, state: 'approved' | 'changes_requested', body = '', seen = '') {
      minutes += 1
      log.push(`${login} ${state === 'approved' ? 'approves' : 'requests changes'}${body === '' ? '' : `: ${body}`}`)
      const about = saying(person(login), body, seen, 'review')
      const tree_sha = (await live()).tree_sha
      const review = { state, head_sha: about.sha, tree_sha: seen === '' ? tree_sha : sha(`tree-${seen}`), body }
      await hear({ type: 'submit_review', pull: 9, review, saying: about }, login)
      return settled()
    },
    async close(why: 'draft' | 'closed') {
      minutes += 1
      log.push(`${author.login} ${why === 'draft' ? 'makes it a draft' : 'closes it'}`)
      await hear({ type: 'end_attempt', attempt_id: (await live()).id, why }, author.login)
      forge.pull.head = ''
      return settled()
    },
    async passTime(hours: number) {
      minutes += hours * 60
      log.push(`${hours} h pass`)
      return sweeps()
    },
    async tell(input: Input, login = 'ci') {
      await hear(input, login)
      return settled()
    },
    state: async (): Promise<TaskState> => (await load(engine, ref)).task,
    decision: async () => (await live()).decision,
    events: () => store.read(ref.stream, 0),
    timeline: async () =>
      explain(await store.read(ref.stream, 0))
        .map(sayMoment)
        .join('\n'),
    transcript: () => log.join('\n'),
  }
}

function verdictOf(outcome: VerdictOutcome, feedback: string, confidence: number | null) {
  const evaluator = {
    login: 'countersign[bot]',
    agent_id: 'verifier',
    session_id: '',
    model_id: 'a-model',
    model_family: 'a',
  }
  const reasoning = feedback === '' ? 'every probe is met' : feedback
  const told = feedback === '' ? null : feedback
  return { outcome, reason_code: null, confidence, reasoning, feedback: told, objections: [], votes: null, evaluator }
}

/** A crash may surface wrapped, as the failure of what was being settled. */
function isCrash(error: unknown): boolean {
  return error instanceof Crash || (error instanceof AggregateError && error.errors.some(isCrash))
}
