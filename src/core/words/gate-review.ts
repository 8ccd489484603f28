// What a gate found, in words: the line that says what blocks, the list on the page, and the review that puts each finding at
// its lines. A gate that lets a change pass writes no review; what it found stands on the page.
import { gravestFirst, type GateFinding, type GateReport, type PageMeasured } from '../decision/gate-report.ts'
import type { Attempt, TaskState } from '../decision/model.ts'
import { fitted } from './text/fit.ts'
import { harmlessLine } from './text/harmless.ts'
import { plural } from './text/plural.ts'
import type { GateBlock } from './retry/retry-material.ts'
import { cell, codeSpan } from './text/untrusted.ts'
import { costLine, findingComment, type InlineComment, type ShownReview } from './verifier-review.ts'
import { repositoryIn } from '../names.ts'

const SUMMED_MAX = 5
const COMMENTS_MAX = 10
const PAGES_MAX = 60

export const gateMarker = (attemptId: string): string => `<!-- countersign:red-team ${attemptId} -->`

/** Bare text: whoever shows it makes it harmless. */
export function gateSummary(findings: readonly GateFinding[]): string {
  if (findings.length === 0) return 'nothing gave way'
  const [first, ...others] = gravestFirst(findings)
    .slice(0, SUMMED_MAX)
    .map((one) => `${placeOf(one)}${one.line === 0 ? ':' : ''} ${one.claim}`)
  const more = findings.length > SUMMED_MAX ? [`and ${findings.length - SUMMED_MAX} more`] : []
  return [first, ...others, ...more].join('; ')
}

/** For the page, which shows it whatever the gate decides. */
export function gateLines({ report }: { readonly report?: GateReport }): string[] {
  if (report === undefined) return []
  const { findings, dropped, coverage, remarks } = report
  const lost = Object.values(dropped).reduce((sum, times) => sum + times, 0)
  return [
    ...gravestFirst(findings).map(findingLine),
    ...(lost === 0
      ? []
      : [`${plural(lost, 'thing', 'things')} that could not be shown, or that another reader refuted, left out`]),
    ...remarks.map((one) => harmlessLine(one)),
    ...(coverage.changed === 0
      ? []
      : [`${coverage.shown} of ${coverage.changed} changed lines attacked. ${costLine(report)}`]),
  ]
}

/** The same of the screenshots: what was expected of each page, and the run that keeps the pictures. */
export function visionText({ task_id }: Pick<TaskState, 'task_id'>, { gates, screenshots }: Attempt): string {
  const record = gates.vision
  if (record?.report === undefined) return ''
  const lines = [...gateLines(record), ...(record.report.cost.calls.length === 0 ? [] : [costLine(record.report)])]
  const run = `/${repositoryIn(task_id)}/actions/runs/${/^\d+/.exec(screenshots?.run ?? '')?.[0] ?? ''}#artifacts`
  const table = pagesTable(record.report.pages ?? [], run)
  if (lines.length === 0 && table === null) return ''
  return [
    '**What the screenshots show**',
    ...(lines.length === 0 ? [] : [lines.map((one) => `- ${one}`).join('\n')]),
    ...(table === null ? [] : [table]),
    `The pictures are kept in [the artifact of the run](${run}).`,
  ].join('\n\n')
}

/** `run`: the page of its artifact. */
function pagesTable(pages: readonly PageMeasured[], run: string): string | null {
  if (pages.length === 0) return null
  const rows = pages.slice(0, PAGES_MAX).map(({ page, what, measured, expected, met, difference }) => {
    const verdict = met === null ? 'not compared' : met ? 'as expected' : 'not as expected'
    const drawn = difference === undefined ? '' : `, drawn in [${codeSpan(difference)}](${run})`
    return `| ${[codeSpan(page), harmlessLine(what), `${measured}${drawn}`, expected, verdict].map(cell).join(' | ')} |`
  })
  const more = pages.length > PAGES_MAX ? [`| and ${pages.length - PAGES_MAX} more | | | | |`] : []
  return ['| Page | What | Measured | Expected | |', '|---|---|---|---|---|', ...rows, ...more].join('\n')
}

/** For whoever mends it. */
export const blockText = (findings: readonly GateBlock[]): string =>
  findings
    .map(({ severity, claim, scenario, fix, ...place }) => {
      const when = scenario === '' ? '' : ` When: ${scenario}`
      return `${placeOf(place)} (${severity.toLowerCase()}) ${claim}${when}${fix === '' ? '' : ` Repair: ${fix}`}`
    })
    .join('\n\n')

const findingLine = (finding: GateFinding): string => {
  const { severity, surface, claim } = finding
  return `${codeSpan(placeOf(finding))} ${severity.toLowerCase()}, ${surface}: ${harmlessLine(claim)}`
}

/** A page has no lines. */
const placeOf = ({ path, line }: { readonly path: string; readonly line: number }): string =>
  line === 0 ? path : `${path}:${line}`

/** `shown`: fingerprints of findings that have a thread already. Null where there is nothing that a review could say. */
export function gateReview(attempt: Attempt, shown: ReadonlySet<string>): ShownReview | null {
  const record = attempt.gates.red_team
  const report = record?.report
  if (record === undefined || report === undefined) return null
  const { head_sha: commit_id } = attempt
  const words = `No more as of ${commit_id.slice(0, 7)}.`
  const closings = report.repaired.filter((id) => shown.has(id)).map((fingerprint) => ({ fingerprint, words }))
  if (record.verdict !== 'BLOCK') return { event: 'COMMENT', commit_id, body: null, comments: [], closings }
  const all = gravestFirst(report.findings)
  const fresh = all.filter(({ id, proven }) => proven && !shown.has(id)).slice(0, COMMENTS_MAX)
  const rest = all.filter((one) => !fresh.includes(one))
  const body = [
    gateMarker(attempt.id),
    `**Red team: ${plural(all.length, 'finding', 'findings')}**`,
    ...(rest.length === 0 ? [] : [rest.map((one) => `- ${findingLine(one)}`).join('\n')]),
    costLine(report),
  ]
  return {
    event: 'COMMENT',
    commit_id,
    body: fitted([
      { name: 'the rest of the review', text: body.join('\n\n') },
      { name: null, text: footerOf(report) },
    ]),
    comments: fresh.map((finding) => commentOf(finding, report)),
    closings,
  }
}

function commentOf(finding: GateFinding, report: GateReport): InlineComment {
  const head = `**${finding.severity.toLowerCase()}, ${finding.surface}.** `
  return findingComment(finding, footerOf(report), { head })
}

const footerOf = ({ evaluator }: GateReport): string => `_Written by ${codeSpan(evaluator.model_id)}, may be wrong._`
