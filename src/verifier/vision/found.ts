// What a look at screenshots found, as findings of a gate: what is expected and not met, pages that are missing, pictures that
// cannot be looked at, and what a model says that saw them.
import { digest } from '../../core/canonical.ts'
import type { VisualExpectation } from '../../core/contract/task/expectations.ts'
import type { GateFinding, PageMeasured, Severity } from '../../core/decision/gate-report.ts'
import type { Viewed } from './answer.ts'
import type { PageSeen } from './page.ts'
import type { Shown } from './request.ts'

type About = { readonly page: string; readonly severity: Severity; readonly claim: string }

function finding(
  { page, severity, claim }: About,
  sha: string,
  { fix = '', confidence = 1 }: { readonly fix?: string; readonly confidence?: number } = {},
): GateFinding {
  return {
    id: digest([page, claim]).slice(0, 16),
    path: page,
    side: 'new',
    line: 0,
    quote: '',
    category: 'contract',
    claim,
    failure_scenario: '',
    fix,
    level: severity === 'LOW' || severity === 'INFO' ? 'question' : 'blocking',
    proven: false,
    surface: 'appearance',
    severity,
    confidence,
    first_sha: sha,
  }
}

/** By measuring alone: the same pictures give the same findings, every time. */
export function measuredFindings(
  pages: readonly PageSeen[],
  expectations: readonly VisualExpectation[],
  sha: string,
): GateFinding[] {
  const there = new Set(pages.map(({ shot }) => shot.page))
  const missing = expectations.filter(({ page }) => page !== undefined && !there.has(page))
  return [
    ...missing.map(({ page = '', description, severity }) =>
      finding({ page, severity, claim: `no screenshot shows it: ${description}` }, sha),
    ),
    ...pages.flatMap((one) => ofPage(one, expectations, sha)),
  ]
}

function ofPage(seen: PageSeen, expectations: readonly VisualExpectation[], sha: string): GateFinding[] {
  const { page } = seen.shot
  if (seen.kind === 'broken') return [finding({ page, severity: 'MEDIUM', claim: seen.why }, sha)]
  if (seen.kind === 'passed over') {
    const awaited = expectations.some((one) => one.page === page)
    const claim = `only PNG is looked at, and this is ${seen.shot.media_type}`
    return awaited ? [finding({ page, severity: 'MEDIUM', claim }, sha)] : []
  }
  return seen.measured
    .filter(({ measure }) => measure.met === false)
    .map(({ expectation: { description, severity }, measure }) =>
      finding({ page, severity, claim: `${description}; it shows ${measure.measured}` }, sha, {
        fix: `it should show ${measure.expected}`,
      }),
    )
}

/** Whoever is not sure of what they see says nothing grave. */
const SURE = 0.5

export const viewedFindings = ({ findings }: Viewed, shown: readonly Shown[], sha: string): GateFinding[] =>
  findings.map(({ page, severity, claim, expected, seen, fix, confidence }) => {
    const told = [
      claim,
      ...(seen === '' ? [] : [`it shows ${seen}`]),
      ...(expected === '' ? [] : [`expected ${expected}`]),
    ]
    const about = {
      page: shown[page - 1]?.shot.page ?? '',
      severity: confidence < SURE && severity !== 'INFO' ? 'LOW' : severity,
      claim: told.join('; '),
    } as const
    return finding(about, sha, { fix, confidence })
  })

/** For the page: each expectation of each picture, met or not. */
export const pagesMeasured = (pages: readonly PageSeen[]): PageMeasured[] =>
  pages.flatMap((seen) =>
    seen.kind === 'seen'
      ? seen.measured.map(({ expectation: { kind, description: what }, measure }) => {
          const { met, measured, expected } = measure
          const isDrawn = kind === 'max_difference' && seen.difference !== undefined
          const difference = isDrawn ? { difference: seen.difference } : {}
          return { page: seen.shot.page, what, expected, measured, met, ...difference }
        })
      : [],
  )
