// What earlier attacks on a pull request left behind. A finding follows its lines from push to push until they are other code,
// until somebody refutes it, or until a person takes responsibility for it; not being found again closes nothing.
import type { Attempt, TaskState } from '../../core/decision/model.ts'
import type { GateFinding } from '../../core/decision/gate-report.ts'
import type { PresentedFile } from '../change/presented.ts'
import { whereabouts } from '../weighing/repair.ts'

export type LeftByAttacks = {
  readonly standing: readonly GateFinding[]
  /** Findings that are not raised again. */
  readonly declined: ReadonlySet<string>
}

export function leftByAttacks({ attempts }: TaskState, { pull, ordinal }: Attempt): LeftByAttacks {
  const before = attempts.filter((one) => one.pull === pull && one.ordinal < ordinal)
  const declined = new Set<string>()
  let standing: readonly GateFinding[] = []
  for (const { acts, gates } of before) {
    const report = gates.red_team?.report
    if (report === undefined) continue
    // Where nobody answered, nothing is over that stood before.
    const isSilent = report.could_not_run !== null || report.referred !== null
    if (!isSilent || report.findings.length > 0) standing = report.findings
    if (acts.some(({ type, standing: state }) => type === 'VERIFIER_OVERRIDE' && state !== 'revoked'))
      for (const { id } of report.findings) declined.add(id)
  }
  return { standing: standing.filter(({ id }) => !declined.has(id)), declined }
}

/** Those that are to be tried against the change as it is now, at their new places, and those that are no more. */
export function followed(
  standing: readonly GateFinding[],
  files: readonly PresentedFile[],
  unseen: readonly string[],
): { readonly claims: readonly GateFinding[]; readonly repaired: readonly string[] } {
  const places = standing.map((finding) => ({ finding, where: whereabouts(finding, files, unseen) }))
  return {
    claims: places.flatMap(({ finding, where }) => {
      if (where.state === 'gone') return []
      return [where.state === 'there' ? { ...finding, path: where.path, line: where.line } : finding]
    }),
    repaired: places.flatMap(({ finding, where }) => (where.state === 'gone' ? [finding.id] : [])),
  }
}
