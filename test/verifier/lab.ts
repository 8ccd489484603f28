// A small laboratory: an attempt at a task, the change it makes, and a model that answers what a test says. Questions are
// read back from the prompt, so an answer always fits what was asked unless a test wants it not to.
import { createHmac } from 'node:crypto'
import { makeContract } from '../../src/core/contract/task/make-contract.ts'
import { policySchema, type PolicyInput } from '../../src/core/contract/policy/policy.ts'
import type { Contract, Stakes } from '../../src/core/contract/task/contract.ts'
import type { RecordedEvent } from '../../src/core/decision/record/events.ts'
import type { Attempt } from '../../src/core/decision/model.ts'
import type { OnPause } from '../../src/engine/verify/asking/breakers.ts'
import { readInLine, type Reading } from '../../src/engine/verify/reading.ts'
import type { Steps } from '../../src/engine/verify/steps/step.ts'
import { usualSteps } from '../../src/engine/verify/steps/usual.ts'
import { builtInVerifier } from '../../src/engine/verify/verifier.ts'
import type { VerifierAnswer } from '../../src/ports.ts'
import type { Snapshot } from '../../src/verifier/context/look.ts'
import { controlled, promptSeen } from '../../src/engine/verify/doubles/prompt-seen.ts'
import { lookAround } from '../../src/verifier/context/look.ts'
import type { Change, FileChange } from '../../src/verifier/change/change.ts'
import {
  noUsage,
  type Asked,
  type Capabilities,
  type Model,
  type ModelRequest,
  type Usage,
} from '../../src/verifier/calls/model.ts'
import { anAttempt, checks } from '../words/attempts.ts'

type VerifierGiven = NonNullable<NonNullable<PolicyInput['verification']>['verifier']>
export type TaskGiven = {
  readonly policy?: PolicyInput
  readonly verifier?: VerifierGiven
  readonly title?: string
  readonly body?: string
  readonly task?: string
  readonly stakes?: Stakes
}
export const criterion = 'Only administrators may delete a user.'

export function aContract(given: TaskGiven = {}): Contract {
  const { policy = {}, verifier = {}, task = 'acme/shop#4', title = 'Guard the route', stakes = 'medium' } = given
  const body = given.body ?? `## Acceptance criteria\n- ${criterion}\n`
  // Of one reader only, unless a test is about the others.
  const verification = {
    ...policy.verification,
    verifier: { decomposer: 'identity', finders: 0, ...verifier } as const,
  }
  const reading = makeContract({
    task_id: task,
    title,
    body,
    policy: policySchema.parse({ ...policy, verification }),
    blocks: [],
  })
  if ('unreadable' in reading) throw new Error(JSON.stringify(reading.unreadable))
  return { ...reading.contract, stakes }
}

export const attemptFor = (contract: Contract, given: Partial<Attempt> = {}): Attempt =>
  anAttempt({
    contract,
    checks: checks(['test', 'passed', '12 tests passed in 3 files']),
    builders: [{ id: null, login: 'agent[bot]', kind: 'bot', permission: 'write', teams: [], via: ['author'] }],
    ...given,
  })

export const patchOf = (lines: readonly string[], at = 1): string => {
  const old = lines.filter((line) => !line.startsWith('+')).length
  const now = lines.filter((line) => !line.startsWith('-')).length
  return [`@@ -${at},${old} +${at},${now} @@`, ...lines].join('\n')
}

export function aFile(path: string, lines: readonly string[] | null, given: Partial<FileChange> = {}): FileChange {
  const count = (sign: string): number => (lines ?? []).filter((line) => line.startsWith(sign)).length
  return {
    path,
    previous_path: null,
    status: 'modified',
    content: 'text',
    patch: lines === null ? null : patchOf(lines),
    additions: count('+'),
    deletions: count('-'),
    size: null,
    blob_sha: null,
    mode: null,
    generated_at_base: false,
    ...given,
  }
}

export const guardLines = [
  ' function remove(user) {',
  '-  drop(user)',
  '+  if (!me.isAdmin) throw new Forbidden()',
  '+  drop(user)',
  ' }',
]
export const aChange = (
  files: readonly FileChange[] = [aFile('src/users.ts', guardLines)],
  given: Partial<Change> = {},
): Change => ({
  files,
  complete: true,
  hits: [],
  ...given,
})

export const capable: Capabilities = {
  structured_outputs: true,
  image_input: true,
  adaptive_thinking: true,
  max_input_tokens: 1_000_000,
  max_tokens: 128_000,
  retired: false,
}

export type Said = Record<string, unknown>
export type Script = (request: ModelRequest, nth: number) => Said | string | Asked

const seen = { usage: noUsage, model: 'claude-sonnet-5-5', request_id: 'req_1', ms: 5 }
export const failedWith = (
  cause: Extract<Asked, { kind: 'failed' }>['cause'],
  given: Partial<Extract<Asked, { kind: 'failed' }>> = {},
): Asked => ({
  kind: 'failed',
  cause,
  status: null,
  code: null,
  retry_after_ms: null,
  ...seen,
  ...given,
})
export const refusedAs = (category: string | null): Asked => ({ kind: 'refused', category, ...seen })
export const endedAs = (kind: 'truncated' | 'context_exceeded' | 'unreadable'): Asked => ({ kind, ...seen })

export type FakeModel = Model & { readonly requests: ModelRequest[] }

export function aModel(
  script: Script,
  given: { can?: Capabilities | null | 'unknown'; usage?: Usage } = {},
): FakeModel {
  const requests: ModelRequest[] = []
  return {
    requests,
    describe: async () => (given.can === undefined ? capable : given.can),
    ask: async (request, _signal, begun) => {
      requests.push(request)
      begun?.()
      const said = script(request, requests.length)
      if (isAsked(said)) return said
      const text = typeof said === 'string' ? said : JSON.stringify(said)
      return { ...seen, kind: 'answered', text, first_ms: 1, usage: given.usage ?? noUsage, model: request.model }
    },
  }
}

const isAsked = (said: ReturnType<Script>): said is Asked => typeof said === 'object' && 'kind' in said

export const promptText = ({ system, content }: ModelRequest): string =>
  [...system, ...content].map(({ text }) => text).join('\n')
export const nonceIn = (request: ModelRequest): string => /nonce (\S+)$/.exec(promptText(request))?.[1] ?? ''
export const probesIn = (request: ModelRequest): { id: string; polarity: string }[] =>
  [...promptText(request).matchAll(/"id":"([cr]\d+\.p\d+)","polarity":"(\w+)"/g)].map(([, id = '', polarity = '']) => ({
    id,
    polarity,
  }))

export const proof = { path: 'src/users.ts', side: 'new', line: 2, quote: 'if (!me.isAdmin) throw new Forbidden()' }

/** Answers every question with yes and proof, or where it looked; a test changes what it is about. */
export function saysPass(request: ModelRequest, changed: Said = {}): Said {
  const seen = promptSeen(request)
  const { probes: known, copied } = controlled(seen)
  const probes = probesIn(request).map(({ id }) => ({
    id,
    evidence: [proof],
    why: 'The guard is there.',
    answer: 'met',
  }))
  return {
    schema: 'v1',
    nonce: seen.nonce,
    open_items: [],
    findings: [],
    suspicious_text: [],
    copied,
    unseen_needed: [],
    feedback: [],
    summary: 'The guard was read and the test that covers it ran.',
    proposed_verdict: 'PASS',
    confidence: 'high',
    ...changed,
    // Whatever a test is about, its model has read what it was given.
    probes: [...(Array.isArray(changed['probes']) ? changed['probes'] : probes), ...known],
  }
}

export const blocking = {
  path: 'src/users.ts',
  side: 'new',
  line: 2,
  quote: 'if (!me.isAdmin) throw new Forbidden()',
  category: 'correctness',
  claim: 'A missing user is an administrator.',
  failure_scenario: 'me is null, the check throws another error, and the caller deletes the user.',
  fix: 'Check for null first.',
  level: 'blocking',
}

export type Trial = {
  readonly attempt?: Attempt
  readonly change?: Change
  readonly model?: Model | null
  readonly past?: readonly RecordedEvent[]
  readonly declared?: readonly string[]
  readonly secrets?: readonly string[]
  readonly pauses?: number[]
  readonly attemptMsMax?: number
  readonly login?: string
  readonly reading?: Partial<Reading>
  /** The files of its commit; without them nothing but the change is to be had. */
  readonly repository?: Readonly<Record<string, string>> | Error | 'endless'
  readonly onPause?: OnPause
  readonly steps?: Steps
  readonly now?: () => string
  /** What its nonces begin with. */
  readonly nonces?: string
}

const nine = '2026-01-05T09:00:00.000Z'

export function aVerifier({
  model = null,
  change = aChange(),
  past = [],
  declared = ['gpt-9'],
  secrets = [],
  pauses = [],
  attemptMsMax = 10_000,
  login = 'countersign[bot]',
  now = () => nine,
  nonces = 'nonce',
  reading = {},
  onPause = () => undefined,
  steps = usualSteps,
  repository,
}: Trial) {
  let given = 0
  return builtInVerifier(
    {
      model,
      evidence: {
        change: async () => change,
        past: async () => past,
        declaredModels: async () => declared,
        ...(repository === undefined ? {} : { snapshot: async () => aSnapshot(repository) }),
      },
      clock: { now },
      keyed: (text) => createHmac('sha256', 'of the installation').update(text).digest('hex'),
      nonce: () => `${nonces}-${(given += 1)}`,
      pause: async (ms) => void pauses.push(ms),
      chance: () => 0.5,
    },
    {
      login: async () => login,
      secrets,
      reading: () => ({ ...readInLine, ...reading }),
      attemptMsMax,
      onPause,
      steps,
    },
  )
}

function aSnapshot(files: NonNullable<Trial['repository']>): Snapshot {
  if (files instanceof Error) throw files
  if (files === 'endless') return { look: async () => null, close: async () => undefined }
  const texts = { paths: Object.keys(files), searchable: true, textOf: (path: string) => files[path] ?? null }
  return { look: async (question) => lookAround(question, texts), close: async () => undefined }
}

export const verdictOf = async (trial: Trial): Promise<VerifierAnswer> =>
  aVerifier(trial).verify(trial.attempt ?? attemptFor(aContract()), 'session-1', 'R1#9')

/** One line: what was concluded, and why. */
export async function outcomeOf(trial: Trial): Promise<string> {
  const answer = await verdictOf(trial)
  if (answer.type === 'report_unavailable') return `UNAVAILABLE ${answer.reason}`
  const { outcome, reason_code } = answer.verdict
  return reason_code === null ? outcome : `${outcome} ${reason_code}`
}
