// What tier 1 reports: the checks, which decide; findings, which inform; and where in the files to look.
import type { Tier1Check } from '../../core/decision/model.ts'
import { severities, type Finding } from './finding.ts'
import { oneLine } from './one-line.ts'

export type Annotation = {
  readonly path: string
  readonly line: number
  readonly level: 'failure' | 'warning' | 'notice'
  readonly message: string
}
export type Tier1Report = {
  readonly passed: boolean
  readonly checks: readonly Tier1Check[]
  /** Each failed check with its detail; null when none failed. */
  readonly feedback: string | null
  /** The gravest first. */
  readonly findings: readonly Finding[]
  readonly warnings: readonly string[]
  readonly annotations: readonly Annotation[]
}

const FINDINGS_MAX = 200
const ANNOTATIONS_MAX = 500
const FEEDBACK_CHECKS_MAX = 100

type Parts = Pick<Tier1Report, 'checks' | 'findings' | 'warnings'> & { readonly failures: readonly Annotation[] }

export function makeReport({ checks, findings, warnings, failures }: Parts): Tier1Report {
  const ranked = findings.toSorted((one, other) => severityRank(one) - severityRank(other) || byPlace(one, other))
  const shown = ranked.slice(0, FINDINGS_MAX)
  const uncounted = ranked.length - shown.length
  const annotations = [...failures.toSorted(byPlace), ...shown.map(annotationOf)]
  const cut = annotations.length - ANNOTATIONS_MAX
  return {
    passed: checks.every(({ passed }) => passed),
    checks,
    feedback: feedbackOn(checks.filter(({ passed }) => !passed)),
    findings: shown,
    warnings: [
      ...warnings,
      ...(uncounted > 0 ? [`There are ${uncounted} more findings, less grave than those that are listed.`] : []),
      ...(cut > 0 ? [`${cut} more places are not marked in the files.`] : []),
    ],
    annotations: annotations.slice(0, ANNOTATIONS_MAX),
  }
}

const severityRank = ({ severity }: Finding): number => severities.indexOf(severity)

type Place = { readonly path: string; readonly line: number; readonly message: string }

/** By code units, which no locale changes. */
function byPlace(one: Place, other: Place): number {
  return compare(one.path, other.path) || one.line - other.line || compare(one.message, other.message)
}

export const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

function annotationOf({ path, line, severity, message }: Finding): Annotation {
  return { path, line, level: severity === 'HIGH' || severity === 'MEDIUM' ? 'warning' : 'notice', message }
}

function feedbackOn(failed: readonly Tier1Check[]): string | null {
  if (failed.length === 0) return null
  const lines = failed.slice(0, FEEDBACK_CHECKS_MAX).map(({ name, detail }) => {
    return `- ${oneLine(name)}${detail === null ? '' : `: ${oneLine(detail)}`}`
  })
  const more = failed.length - lines.length
  const head = failed.length === 1 ? '1 built-in check failed:' : `${failed.length} built-in checks failed:`
  return [head, ...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n')
}
