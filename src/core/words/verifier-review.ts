// A verdict as the review that GitHub shows: advisory, with what was checked also where nothing was found, blocking
// findings at their lines, and the rest in the body. A finding keeps its fingerprint, so a push does not say it twice.
import type { Examined, Finding, LedgerItem, ProbeGrade } from '../decision/examined.ts'
import type { Attempt } from '../decision/model.ts'
import type { ReferReason, Verdict } from '../decision/verdict.ts'
import { isToBeReviewed } from '../decision/shown/loudness.ts'
import { fitted } from './text/fit.ts'
import { harmless, harmlessLine } from './text/harmless.ts'
import { folded, list } from './text/lists.ts'
import { codeSpan } from './text/untrusted.ts'

export type InlineComment = {
  readonly path: string
  readonly line: number
  readonly side: 'LEFT' | 'RIGHT'
  readonly body: string
  readonly fingerprint: string
}
export type ShownReview = {
  /** Never anything else: the verifier approves nothing and requests no changes. */
  readonly event: 'COMMENT'
  readonly commit_id: string
  /** Null where nothing is said that would have to reach anybody. */
  readonly body: string | null
  readonly comments: readonly InlineComment[]
  /** What stands from now on above the findings that are no more, in their threads. */
  readonly closings: readonly { readonly fingerprint: string; readonly words: string }[]
}
type Answered = Extract<Attempt['verifier'], { phase: 'answered' }>

const COMMENTS_MAX = 10
const LISTED_MAX = 25
const COMMENT_BYTES_MAX = 20_000
export const fingerprintMarker = (fingerprint: string): string => `<!-- countersign:finding ${fingerprint} -->`
export const reviewMarker = (attemptId: string): string => `<!-- countersign:review ${attemptId} -->`

/** `shown`: fingerprints of findings that have a thread already. Null where there is nothing that a review could say. */
export function verifierReview(
  attempt: Attempt,
  shown: ReadonlySet<string>,
  secrets: readonly string[] = [],
): ShownReview | null {
  const { verifier, head_sha: commit_id } = attempt
  if (verifier.phase !== 'answered') return null
  const { verdict, examined } = verifier
  if (examined !== undefined && isUnread(verdict, examined)) return null
  const closings = (examined?.ledger ?? [])
    .filter(({ id }) => shown.has(id))
    .flatMap((item) => {
      const words = closing(item, attempt)
      return words === null ? [] : [{ fingerprint: item.id, words }]
    })
  if (!isToBeReviewed(attempt, verdict.outcome))
    return { event: 'COMMENT', commit_id, body: null, comments: [], closings }
  const blocking = standing(examined, verdict)
  const fresh = blocking.filter(({ id, proven }) => proven && !shown.has(id)).slice(0, COMMENTS_MAX)
  const inline = new Set(fresh.map(({ id }) => id))
  const rest = blocking.filter(({ id }) => !inline.has(id))
  const body = bodyOf(attempt, verifier, rest, shown)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  return {
    event: 'COMMENT',
    commit_id,
    body: fitted([
      { name: null, text: body.slice(0, 2).join('\n\n') },
      { name: 'the rest of the review', text: body.slice(2).join('\n\n') },
      { name: null, text: footer(verdict, examined) },
    ]),
    comments: fresh.map((finding) => findingComment(finding, footer(verdict, examined), { secrets })),
    closings,
  }
}

/** Whoever was never reached has looked at nothing, and writes no review that says otherwise. */
function isUnread({ outcome }: Verdict, { reused, cost }: Examined): boolean {
  const reached = cost.calls.some(({ purpose, outcome: end }) => purpose !== 'decomposition' && !unreached.has(end))
  return outcome === 'REFER' && !reused && !reached
}

const unreached: ReadonlySet<string> = new Set([
  'transient',
  'ramp',
  'money',
  'config',
  'deadline',
  'superseded',
  'grammar',
])

/** A pass has no objections; its findings are questions. */
const standing = (examined: Examined | undefined, { outcome }: Verdict): Finding[] =>
  outcome === 'PASS' ? [] : (examined?.findings ?? []).filter(({ level }) => level === 'blocking')

function bodyOf(
  attempt: Attempt,
  { verdict, examined }: Answered,
  rest: readonly Finding[],
  shown: ReadonlySet<string>,
): string[] {
  const head = [reviewMarker(attempt.id), `**${verdictLine(verdict, examined)}**`, harmless(verdict.reasoning)]
  if (examined === undefined) return head
  const questions = examined.findings.filter(({ level }) => level === 'question')
  const open = examined.ledger.filter(({ status }) => status === 'open')
  const fixed = examined.ledger.filter(({ status }) => status === 'fixed')
  const withdrawn = examined.ledger.filter(({ status }) => status === 'withdrawn')
  const overruled = examined.ledger.filter(({ status }) => status === 'overridden')
  return [
    ...head,
    list(
      'Objections',
      rest.map(
        (finding) =>
          `${place(finding)}: ${harmlessLine(finding.claim)}${shown.has(finding.id) ? ' (said before)' : ''}`,
      ),
    ),
    folded('What was checked', checked(examined, attempt)),
    list(
      'Questions, which block nothing',
      questions.map((finding) => `${place(finding)}: ${harmlessLine(finding.claim)}`),
    ),
    list('Still open from earlier', open.filter(({ first_sha, last_sha }) => first_sha !== last_sha).map(itemLine)),
    list('Fixed since', fixed.map(itemLine)),
    list(
      'Withdrawn',
      withdrawn.map((item) => `${itemLine(item)}${item.why === undefined ? '' : ` (${withdrawnWords[item.why]})`}`),
    ),
    list('Overruled by a person', overruled.map(itemLine)),
    list(
      'Remarks',
      examined.remarks.map((one) => harmlessLine(one)),
    ),
    costLine(examined),
  ]
}

export function verdictLine(verdict: Verdict, examined: Examined | undefined): string {
  const { outcome, confidence, objections, reason_code } = verdict
  switch (outcome) {
    case 'PASS': {
      const sure = confidence === null ? '' : `, confidence ${confidence.toFixed(2)}`
      return `AI review: no objection.${examined === undefined ? '' : ` ${counts(examined)}`}${sure}`
    }
    case 'SOFT_FAIL':
      return `AI review: ${objections.length} objection${objections.length === 1 ? '' : 's'}`
    case 'HARD_FAIL':
      return 'AI review: this is not the way to do it, with proof'
    case 'REFER':
      return `AI review: a person must look: ${reason_code === null ? 'it cannot judge' : referWords[reason_code]}`
  }
}

const counts = ({ probes, coverage }: Examined): string => {
  const asked = probes.filter(({ answer }) => answer !== 'not_applicable')
  const met = asked.filter(({ answer }) => answer === 'met').length
  return `${met}/${asked.length} questions met, ${coverage.shown}/${coverage.changed} changed lines read`
}

export const referWords = {
  low_confidence: 'it is not sure enough',
  cannot_tell: 'what it was shown does not answer every question',
  divergence: 'the votes are divided',
  proven_dissent: 'a minority of the votes proves an objection',
  coverage: 'not every changed line could be read',
  too_large: 'the change is too large to be read whole',
  no_probes: 'the task asks nothing that could be checked',
  insufficient_evidence: 'too little could be told from what it was shown',
  hidden_text: 'the change holds characters that people cannot see',
  secret: 'a line that is added looks as if it held a secret',
  addressed: 'text in the change speaks to its reviewer, and the answer does not mention it',
  assumption_violation: 'the answer rests on something that was not shown',
  refused: 'the model refused to answer',
  truncated: 'the answer was cut off',
  malformed: 'the answer could not be read',
  budget: 'the budget does not allow the calls that it takes',
  same_model: 'the judging model is too near to the one that built the change',
  no_feedback: 'it objects without saying what to do',
} as const satisfies Record<ReferReason, string>

function checked({ probes, coverage }: Examined, { checks }: Attempt): string[] {
  const words = {
    met: 'yes',
    not_met: 'no',
    cannot_tell: 'cannot tell',
    not_applicable: 'does not apply',
  } as const satisfies Record<ProbeGrade['answer'], string>
  const lines = probes.map(
    ({ id, text, answer, proven }) =>
      `${words[answer]}${proven ? ', with proof' : ''}: ${harmlessLine(text)} (${codeSpan(id)})`,
  )
  const ran = Object.values(checks).map(({ name, state }) => `${codeSpan(name)} ${state}`)
  const unread = [
    ...coverage.unseen.map((path) => `not read: ${codeSpan(path)}`),
    ...coverage.ignored.map((path) => `generated, not read: ${codeSpan(path)}`),
  ]
  return [
    `${coverage.shown} of ${coverage.changed} changed lines were read`,
    ...(ran.length === 0 ? [] : [`results of checks: ${ran.join(', ')}`]),
    ...cut(unread),
    ...lines,
  ]
}

/** A finding at its lines: what is wrong, when, and what would repair it. */
export function findingComment(
  { id, path, line, side, claim, failure_scenario, fix }: Omit<Finding, 'level' | 'proven' | 'category' | 'quote'>,
  footer: string,
  { head = '', secrets = [] }: { readonly head?: string; readonly secrets?: readonly string[] } = {},
): InlineComment {
  const parts = [
    `${head}${harmless(claim, secrets)}`,
    failure_scenario === '' ? '' : `**When:** ${harmless(failure_scenario, secrets)}`,
    fix === '' ? '' : `**Repair:** ${harmless(fix, secrets)}`,
  ]
  const said = parts.filter((part) => part !== '').join('\n\n')
  const body = fitted(
    [
      { name: 'the rest', text: said },
      { name: null, text: footer },
      { name: null, text: fingerprintMarker(id) },
    ],
    COMMENT_BYTES_MAX,
  )
  return { path, line, side: side === 'old' ? 'LEFT' : 'RIGHT', body, fingerprint: id }
}

/** Null while it is open. */
function closing({ status, why }: LedgerItem, { head_sha }: Attempt): string | null {
  const sha = head_sha.slice(0, 7)
  switch (status) {
    case 'open':
      return null
    case 'fixed':
      return `Fixed as of ${sha}.`
    case 'withdrawn':
      return `Withdrawn as of ${sha}${why === undefined ? '' : `: ${withdrawnWords[why]}`}.`
    case 'overridden':
      return 'Overruled by a person; it is not raised again on these lines.'
  }
}

const withdrawnWords = {
  not_asked: 'this is no longer asked',
  against_record: 'the results on record say otherwise',
} as const satisfies Record<NonNullable<LedgerItem['why']>, string>

const place = ({ path, line }: { path: string; line: number }): string => codeSpan(`${path}:${line}`)
const itemLine = (item: LedgerItem): string =>
  `${item.path === '' ? codeSpan(item.id) : place(item)}: ${harmlessLine(item.claim)}`
const cut = (lines: readonly string[]): string[] =>
  lines.length <= LISTED_MAX ? [...lines] : [...lines.slice(0, LISTED_MAX), `and ${lines.length - LISTED_MAX} more`]

export function costLine({ cost, reused }: Pick<Examined, 'cost' | 'reused'>): string {
  const seconds = Math.round(cost.calls.reduce((sum, { ms }) => sum + ms, 0) / 1000)
  const tokens = cost.calls.reduce(
    (sum, { input, cache_write, cache_read, output }) => sum + input + cache_write + cache_read + output,
    0,
  )
  const kept = cost.calls.reduce((sum, { cache_read }) => sum + cache_read, 0)
  if (reused && cost.calls.length === 0)
    return 'The same patch was reviewed before; its answers were judged again, and no model was called.'
  const calls = cost.calls.length === 1 ? '1 call' : `${cost.calls.length} calls`
  return `${calls}, ${tokens} tokens (${kept} from the cache), $${cost.usd.toFixed(2)}, ${seconds} s.`
}

/** By whom this was written: by the models that answered, and by no model where none did. */
function footer({ evaluator }: Verdict, examined: Examined | undefined): string {
  return `_Advisory: ${authorship(evaluator.model_id, examined)}, may be wrong._`
}

function authorship(model: string, examined: Examined | undefined): string {
  const own = `written by ${codeSpan(model || 'the verifier')}`
  if (examined === undefined) return own
  if (examined.rubric === 'heuristic') return 'worked out by comparing words, read by no model'
  const models = [...new Set(examined.cost.calls.filter(({ outcome }) => outcome === 'read').map((call) => call.model))]
  if (models.length > 0) return `written by ${models.map(codeSpan).join(' and ')}`
  return examined.reused ? own : 'worked out without the answer of a model'
}

/** For a place where a review would be expected and nobody looked. */
export function notReviewed(attempt: Attempt, since: string): string | null {
  const { verifier } = attempt
  if (verifier.phase !== 'unavailable') return null
  const next = verifier.retry_at === null ? '' : ` Next try ${verifier.retry_at.slice(11, 16)}`
  return `Verifier unavailable since ${since.slice(11, 16)}, not reviewed.${next}`
}
