// The vision gate: the screenshots of a change held against what is expected of them, by measuring, and where the policy wants
// it by a model that sees them. A mismatch blocks by what it weighs; a fault of whoever looks blocks nothing, and is said.
import { gravestFirst, weighed } from '../../core/decision/gate-report.ts'
import { gateSummary } from '../../core/words/gate-review.ts'
import { plural } from '../../core/words/text/plural.ts'
import type { Evidence } from '../../ports.ts'
import type { Redactor } from '../../verifier/asking/clean.ts'
import { readView, type Viewed } from '../../verifier/vision/answer.ts'
import { expectationsOf } from '../../verifier/vision/expected.ts'
import { measuredFindings, pagesMeasured, viewedFindings } from '../../verifier/vision/found.ts'
import { viewRequest, type Shown } from '../../verifier/vision/request.ts'
import type { PageSeen } from '../../verifier/vision/page.ts'
import { put, type Asking } from './asking/asking.ts'
import type { Failure } from './failure.ts'
import { noKey, nothingFound, told, unanswered, type Answer, type Report } from './gate-answer.ts'
import { unapproved, unpaid } from './steps/calls.ts'
import type { Given } from './subject.ts'

export const viewerAgent = 'countersign-viewer'
/** Whoever measures is no model. */
export const measuring = 'measuring'

export type Viewer = Pick<Given, 'attempt' | 'evaluator' | 'declaredModels' | 'keyed'> & {
  readonly redact: Redactor
  /** Looks at the screenshots; null where nobody can fetch any. */
  readonly pages: (() => ReturnType<NonNullable<Evidence['pages']>>) | null
}

/** The model that looks, or the word for measuring alone. */
export function viewerOf({ security, verification }: Viewer['attempt']['contract']['policy']): string {
  const { kind, model } = security.vision
  return kind === 'llm_vision' ? (model ?? verification.verifier.model) : measuring
}

export async function view(viewer: Viewer, asking: Asking | null): Promise<Answer> {
  const { attempt } = viewer
  const { kind, on_missing_screenshots: onMissing = 'skip' } = attempt.contract.policy.security.vision
  const shots = attempt.screenshots?.shots ?? null
  if (kind === 'noop')
    return { verdict: 'SKIP', summary: 'nobody looks at screenshots: `security.vision.kind` is noop' }
  if (shots === null) return { verdict: 'REFER', summary: 'the run of the Action ended without handing anything over' }
  if (shots.length === 0)
    return { verdict: onMissing === 'block' ? 'BLOCK' : 'SKIP', summary: 'it comes without screenshots' }
  const looked = (await viewer.pages?.()) ?? { kind: 'gone', why: 'nobody can fetch screenshots here' }
  if (looked.kind === 'gone') return { verdict: 'REFER', summary: looked.why }
  return judged(viewer, asking, looked.pages)
}

async function judged(viewer: Viewer, asking: Asking | null, pages: readonly PageSeen[]): Promise<Answer> {
  const { attempt } = viewer
  const { security } = attempt.contract.policy
  const shown = pages.filter((one) => one.kind === 'seen')
  const measured = measuredOf(viewer, pages)
  const byModel = security.vision.kind === 'llm_vision' && shown.length > 0
  const seen = byModel ? await asked(viewer, asking, shown) : null
  // What is measured needs nobody's word.
  const isBlocked = weighed(measured.findings, security.autonomy) === 'BLOCK'
  if (seen?.kind === 'failed' && !isBlocked) return unanswered(viewer, asking, 'vision', seen.failure, measured)
  const view = seen?.kind === 'viewed' ? seen.view : null
  const findings = gravestFirst([
    ...measured.findings,
    ...(view === null ? [] : viewedFindings(view, shown, attempt.head_sha)),
  ])
  const remarks = [...measured.remarks, ...(view === null || view.summary.trim() === '' ? [] : [view.summary.trim()])]
  const report = told(viewer, asking, { ...measured, findings, remarks })
  if (!byModel && findings.length === 0 && measured.pages?.every(({ met }) => met === null) !== false)
    return { verdict: 'SKIP', summary: 'nothing is expected of its screenshots that could be measured', ...report }
  const verdict = weighed(findings, security.autonomy)
  return { verdict, summary: verdict === 'PASS' ? passed(shown) : gateSummary(findings), ...report }
}

const passed = (shown: readonly Shown[]): string =>
  `${plural(shown.length, 'screenshot shows', 'screenshots show')} what is expected`

function measuredOf({ attempt }: Viewer, pages: readonly PageSeen[]): Report {
  const expectations = expectationsOf(attempt.contract)
  const other = pages.filter(({ kind }) => kind === 'passed over')
  return {
    ...nothingFound,
    findings: measuredFindings(pages, expectations, attempt.head_sha),
    pages: pagesMeasured(pages),
    remarks: other.map(({ shot }) => `${shot.page} was not looked at: only PNG is, and it is ${shot.media_type}`),
  }
}

type Asked = { readonly kind: 'viewed'; readonly view: Viewed } | { readonly kind: 'failed'; readonly failure: Failure }

async function asked(viewer: Viewer, asking: Asking | null, shown: readonly Shown[]): Promise<Asked> {
  const { attempt } = viewer
  const model = viewerOf(attempt.contract.policy)
  const panel = { attempt, declaredModels: viewer.declaredModels, models: [model], asking }
  const failure = unpaid(panel) ?? (await unapproved(panel))
  if (failure !== null || asking === null) return { kind: 'failed', failure: failure ?? noKey }
  const can = await asking.model.describe(model)
  if (can !== 'unknown' && can?.image_input !== true)
    return { kind: 'failed', failure: { kind: 'unavailable', reason: 'capability' } }
  const reply = await put(asking, {
    purpose: 'view',
    request: (nonce, remarks) => viewRequest(attempt, shown, viewer, { nonce, model, remarks }),
    read: (text, nonce) => readView(text, nonce, shown.length),
  })
  return reply.kind === 'read' ? { kind: 'viewed', view: reply.value } : { kind: 'failed', failure: reply }
}
