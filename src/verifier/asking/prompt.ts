// One layout for every question about a change, be it to find, to refute or to judge: what never changes first, then the
// task, then the attempt, then what is different for each reader. Nothing before the last breakpoint depends on the reader,
// so readers of one kind share it byte for byte.
// Blind: no words of the author about the change come in here, only the task, the recorded results and the diff.
import { canonical, sha256 } from '../../core/canonical.ts'
import type { Finding, LedgerItem } from '../../core/decision/examined.ts'
import type { Attempt } from '../../core/decision/model.ts'
import { answerSchema } from '../weighing/answer.ts'
import { findingsSchema } from '../weighing/found.ts'
import { refutationSchema } from '../weighing/refuted.ts'
import { controlText, type Control } from './control.ts'
import type { Redactor } from './clean.ts'
import { fenceId, inert, wrapUntrusted } from './fence.ts'
import type { Block, CacheTime, ModelRequest } from '../calls/model.ts'
import { diffText, type Chunk, type Packed } from '../change/pack.ts'
import { excerptLabel, excerptText } from '../context/look.ts'
import type { AtomicProbe } from './probes.ts'
import { findingLenses, lenses, roleChunk, type FindingLens, type Lens } from './role.ts'
import type { Rubric } from './rubric.ts'

export type Brief = {
  readonly attempt: Attempt
  readonly probes: readonly AtomicProbe[]
  readonly rubric: Rubric
  readonly packed: Packed
  readonly earlier: readonly string[]
  readonly redact: Redactor
  readonly keyed: (text: string) => string
  readonly ttl: CacheTime
}
export type Terms = {
  readonly nonce: string
  readonly model: string
  readonly control: Control
  /** What was wrong with the answer before, or what another vote objects to. */
  readonly remarks: readonly string[]
}
export type VoteTerms = Terms & {
  readonly n: number
  readonly lens: Lens
  readonly items: readonly LedgerItem[]
  /** What earlier readers found and nobody could refute. */
  readonly claims: readonly Finding[]
}

const ANSWER_TOKENS_MAX = 16_000
const FOUND_TOKENS_MAX = 12_000
const REFUTED_TOKENS_MAX = 8_000
/** Every word of ours around what is others'. The release is told from them, so nothing else here is written out. */
export const layout = {
  rubric: '# Rubric',
  examples: '# Examples',
  task: '# Task',
  contract: 'contract',
  questions: '# Questions',
  results: '# Results of checks',
  noResults: 'none ran',
  exit: 'exit code',
  earlier: '# Earlier attempts',
  change: '# The change',
  shown: (shown: number, changed: number) => `${shown} of ${changed} changed lines are shown`,
  piece: (nth: number, pieces: number) => `, this is piece ${nth} of ${pieces}`,
  around: '# Code around the change, which it leaves alone or that is shown as it is now',
  left: (count: number) => `[... ${count} characters left out ...]`,
  now: '# Now',
  order: 'Answer the questions in this order:',
  noItems: 'open_items: none',
  items: '# Open items',
  claims: '# Findings at hand',
  attack: '# Attack these surfaces, and no others',
  claim: '# Claim',
  picture: (nth: number) => `Picture ${nth}:`,
  asked: '# What was asked for',
  pages: '# Names of the pictures',
  control: '# Control',
  remarks: '# Remarks',
  nonce: 'schema v1, nonce',
} as const
const CHECK_HEAD = 1_100
const CHECKS_CHARACTERS_MAX = 10_000

export function verdictRequest(brief: Brief, chunk: Chunk, terms: VoteTerms): ModelRequest {
  return leaving(brief.redact, {
    model: terms.model,
    system: [
      { text: roleChunk('role-evaluator'), cache: null },
      { text: rubricText(brief.rubric), cache: brief.ttl },
    ],
    content: [...shared(brief, chunk), { text: volatileText(brief, terms), cache: null }],
    format: answerSchema,
    effort: 'high',
    max_tokens: ANSWER_TOKENS_MAX,
  })
}

/** Every other reader begins with the last file: what stands at the end of a long text is read otherwise. */
export function findRequest(brief: Brief, chunk: Chunk, terms: Terms & { n: number; lens: FindingLens }): ModelRequest {
  const files = terms.n % 2 === 0 ? chunk.files.toReversed() : chunk.files
  return leaving(brief.redact, {
    model: terms.model,
    system: [{ text: roleChunk('role-finder'), cache: null }],
    content: [
      ...shared(brief, { ...chunk, files }),
      { text: [layout.now, findingLenses[terms.lens], ...closing(brief, terms)].join('\n'), cache: null },
    ],
    format: findingsSchema,
    effort: 'medium',
    max_tokens: FOUND_TOKENS_MAX,
  })
}

export function refuteRequest(brief: Brief, chunk: Chunk, terms: Terms & { readonly claim: Finding }): ModelRequest {
  const { path, side, line, quote, claim, failure_scenario } = terms.claim
  const id = fenceId(brief.keyed, `${terms.nonce}|claim`)
  const told = canonical({ path, side, line, quote, claim, failure_scenario })
  return leaving(brief.redact, {
    model: terms.model,
    system: [{ text: roleChunk('role-refuter'), cache: null }],
    content: [
      ...shared(brief, chunk),
      {
        text: [layout.claim, wrapUntrusted('criteria-json', id, 'claim', told), ...closing(brief, terms)].join('\n'),
        cache: null,
      },
    ],
    format: refutationSchema,
    effort: 'medium',
    max_tokens: REFUTED_TOKENS_MAX,
  })
}

/** Whatever a request was put together from, names and labels too, no secret is in what leaves. */
export function leaving({ secrets }: Pick<Redactor, 'secrets'>, request: ModelRequest): ModelRequest {
  const bare = (block: Block): Block => ({ ...block, text: secrets(block.text) })
  return { ...request, system: request.system.map(bare), content: request.content.map(bare) }
}

export const shared = (brief: Brief, chunk: Chunk): Block[] => [
  { text: taskText(brief), cache: null },
  { text: attemptText(brief, chunk), cache: '5m' },
]

/** The same questions for a plain answer, which patterns then read. */
export function patternRequest(brief: Brief, chunk: Chunk, model: string): ModelRequest {
  const system = [{ text: roleChunk('role-pattern'), cache: null }]
  const content = [taskText(brief), attemptText(brief, chunk)].map((text): Block => ({ text, cache: null }))
  return leaving(brief.redact, { model, system, content, format: null, effort: 'high', max_tokens: ANSWER_TOKENS_MAX })
}

/** A rubric comes from the base branch, yet its words are spelled like everybody's: they cannot open a fence. */
function rubricText({ name, criteria, calibration }: Rubric): string {
  const parts = criteria.map(({ name, description }) => `- ${name}: ${description}`)
  const examples = calibration.map(
    ({ artifact_summary, expected_verdict, rationale }) =>
      `- ${artifact_summary}\n  proposed_verdict ${expected_verdict}: ${rationale}`,
  )
  const text = [`${layout.rubric} ${name}`, ...parts, '', layout.examples, ...examples].join('\n')
  return inert(text)
}

/** A pull request that closes no issue is its own task, and its words are its builder's. */
export const isOwnTask = ({ contract, pull }: Attempt): boolean => contract.task_id.endsWith(`#${pull}`)

function taskText({ attempt, probes, redact, keyed }: Brief): string {
  const { contract } = attempt
  const id = fenceId(keyed, `${contract.task_id}|${contract.contract_hash}`)
  const questions = probes
    .map(({ id, polarity, conditional, text }) => canonical({ id, polarity, conditional, text: redact.people(text) }))
    .join('\n')
  // Its author's words stay out.
  const task = isOwnTask(attempt) ? [] : [wrapUntrusted('task-data', id, '', redact.people(contract.description))]
  return [
    layout.task,
    `${layout.contract} ${contract.contract_hash}`,
    ...task,
    layout.questions,
    wrapUntrusted('criteria-json', id, '', questions),
  ].join('\n')
}

function attemptText(brief: Brief, chunk: Chunk): string {
  const { attempt, packed, earlier } = brief
  const { coverage, manifest } = packed
  const id = fenceId(brief.keyed, `${attempt.head_sha}|manifest`)
  const pieces = packed.chunks.length
  return [
    layout.results,
    ...checkTexts(brief),
    ...(earlier.length === 0 ? [] : [layout.earlier, ...earlier.map(inert)]),
    layout.change,
    `${layout.shown(coverage.shown, coverage.changed)}${pieces > 1 ? layout.piece(packed.chunks.findIndex(({ fingerprint }) => fingerprint === chunk.fingerprint) + 1, pieces) : ''}.`,
    wrapUntrusted('code-diff', id, 'all files', manifest.join('\n')),
    ...chunk.files.map((file) =>
      wrapUntrusted('code-diff', fenceId(brief.keyed, `${attempt.head_sha}|${file.path}`), file.path, diffText(file)),
    ),
    ...aroundTexts(brief, chunk),
  ].join('\n')
}

/** The same lines for every vote, so they stand before the last breakpoint too. */
function aroundTexts({ attempt: { head_sha }, keyed }: Brief, { around }: Chunk): string[] {
  if (around.length === 0) return []
  return [
    layout.around,
    ...around.map((one) => {
      const id = fenceId(keyed, `${head_sha}|around|${one.path}|${one.from}`)
      return wrapUntrusted('code-context', id, excerptLabel(one, head_sha), excerptText(one))
    }),
  ]
}

/** Each check's outcome is ours to say; its output is not, and is cut with a mark. */
function checkTexts({ attempt, redact, keyed }: Brief): string[] {
  const outputs = checkOutputs(attempt, redact)
  if (outputs.length === 0) return [layout.noResults]
  return outputs.flatMap(({ name, state, exit_code, text }) => {
    const id = fenceId(keyed, `${attempt.head_sha}|check|${name}`)
    return [
      `${JSON.stringify(inert(name))}: ${state}, ${layout.exit} ${exit_code ?? 'none'}`,
      ...(text === '' ? [] : [wrapUntrusted('check-output', id, name, text)]),
    ]
  })
}

export type CheckOutput = {
  readonly name: string
  readonly state: string
  readonly exit_code: number | null
  readonly text: string
}

/** What of the checks' output is shown, which is also what quotes from it are looked for in. */
export function checkOutputs({ checks }: Attempt, redact: Redactor): CheckOutput[] {
  let left = CHECKS_CHARACTERS_MAX
  return Object.values(checks)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, state, result }) => {
      const text = inert(headAndTail(redact.people(result?.output ?? '')))
      const kept = text.length <= left ? text : ''
      left -= kept.length
      return { name, state, exit_code: result?.exit_code ?? null, text: kept }
    })
}

function headAndTail(text: string): string {
  if (text.length <= 2 * CHECK_HEAD) return text
  const left = text.length - 2 * CHECK_HEAD
  return `${text.slice(0, CHECK_HEAD)}\n${layout.left(left)}\n${text.slice(-CHECK_HEAD)}`
}

function volatileText(brief: Brief, terms: VoteTerms): string {
  const { probes, attempt, keyed } = brief
  const { n, lens, nonce, items, claims } = terms
  const order = probes
    .map(({ id }) => ({ id, at: keyed(`${attempt.head_sha}|${n}|${id}`) }))
    .toSorted((one, other) => (one.at < other.at ? -1 : 1))
  const fenced = (heading: string, name: string, lines: readonly string[]): string[] =>
    lines.length === 0
      ? []
      : [heading, wrapUntrusted('criteria-json', fenceId(keyed, `${nonce}|${name}`), name, lines.join('\n'))]
  const open = items.map(({ id, path, line, quote, claim }) => canonical({ id, path, line, quote, claim }))
  const found = claims.map(({ path, line, quote, claim }) => canonical({ path, line, quote, claim }))
  return [
    layout.now,
    lenses[lens],
    `${layout.order} ${order.map(({ id }) => id).join(' ')}`,
    ...fenced(layout.claims, 'findings', found),
    ...(open.length === 0 ? [layout.noItems] : fenced(layout.items, 'open items', open)),
    ...closing(brief, terms),
  ].join('\n')
}

/** What every reader is given last. */
export function closing({ keyed }: Brief, { nonce, control, remarks }: Terms): string[] {
  const fence = (name: string, text: string): string =>
    wrapUntrusted('criteria-json', fenceId(keyed, `${nonce}|${name}`), name, text)
  return [
    layout.control,
    fence('control', controlText(control)),
    ...(remarks.length === 0 ? [] : [layout.remarks, fence('remarks', remarks.join('\n'))]),
    `${layout.nonce} ${nonce}`,
  ]
}

/** Each block apart, so that a record says which part of a prompt changed. */
export const promptHash = ({ system, content, format }: ModelRequest): string =>
  [...system, ...content].map(({ text }) => sha256(text).slice(0, 12)).join('.') + (format === null ? '' : '+schema')
