// The checks of a plan, one after another or side by side. Every check has a result in the end, in the order of the
// policy: one that was stopped because another failed says so.
import { setMaxListeners } from 'node:events'
import type { Verification } from '../../core/contract/policy/policy.ts'
import type { CommandRule } from './plan.ts'
import { runCheck, stoppedBefore, type CheckReport, type Place } from './run-check.ts'

/** Told as it happens, for whoever watches. */
export type Watcher = {
  readonly began: (check: CommandRule) => void
  /** More of what it printed, without secrets. */
  readonly printed: (check: CommandRule, text: string) => void
  readonly completed: (check: CommandRule, report: CheckReport) => void
}

export async function runChecks(
  checks: readonly CommandRule[],
  place: Place,
  execution: Readonly<Verification['execution']>,
  watcher: Watcher,
): Promise<CheckReport[]> {
  const reports: CheckReport[] = []
  const failure = new AbortController()
  const signal = AbortSignal.any([place.signal, failure.signal])
  // Each running check listens, and Node takes more than ten for a mistake.
  setMaxListeners(0, signal)
  let failed: string | null = null
  const why = () => (failed === null ? 'the run was cancelled' : `required check \`${failed}\` failed`)
  const one = async (check: CommandRule, index: number): Promise<void> => {
    if (!signal.aborted) watcher.began(check)
    const report = signal.aborted
      ? stoppedBefore(check, why())
      : await runCheck(check, { ...place, signal, whyStopped: why }, (text) => watcher.printed(check, text))
    reports[index] = report
    watcher.completed(check, report)
    if (report.result.passed || !check.required || !execution.fail_fast || failed !== null) return
    failed = check.name
    failure.abort()
  }
  const queue = [...checks.entries()]
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await one(next[1], next[0])
  }
  const workers = execution.mode === 'sequential' ? 1 : Math.min(execution.max_parallel, checks.length)
  await Promise.all(Array.from({ length: workers }, worker))
  return reports
}
