// What a run does once it is known what to judge and by what: the checks, and then what came of them and of tier 1 as
// results and as places to show.
import { posix } from 'node:path'
import { changedLooks } from '../src/checks/checkout/work-tree.ts'
import { descendants } from '../src/checks/runner/descendants.ts'
import { invite, type Guest } from '../src/checks/runner/guest.ts'
import { ownHome } from '../src/checks/runner/home.ts'
import type { CommandRule, Plan } from '../src/checks/runner/plan.ts'
import { runChecks } from '../src/checks/runner/run-checks.ts'
import type { CheckReport } from '../src/checks/runner/run-check.ts'
import { someOf } from '../src/checks/tier1/one-line.ts'
import type { JudgedDiff } from '../src/core/decision/model.ts'
import { artifactOfCheck, RESULTS_ARTIFACT, type ResultsFile } from '../src/core/decision/results/results-file.ts'
import { checkPassed, runPassed } from '../src/core/decision/gate/run-verdict.ts'
import { judgedDiff } from '../src/core/words/retry/judged-diff.ts'
import { redacting } from '../src/core/words/text/redact.ts'
import { runWords } from '../src/core/words/run/run-words.ts'
import { logBytesMax, logName } from './handing-over/artifact.ts'
import type { Changes } from './changes.ts'
import { comparedBy, type Compared } from './differences.ts'
import type { Runner } from './environment.ts'
import type { Subject } from './event.ts'
import { liveLog } from './live-log.ts'
import type { Surroundings } from './look-around.ts'
import { checkMarks, gravestFirst, tier1Marks, warningMark, type CheckMarks, type Mark } from './marks.ts'
import { planOf, type Part } from './part.ts'
import type { Governing } from './policy.ts'
import { OUTPUT_BYTES_MAX, resultsOf } from './results.ts'
import { systemProgram } from './system-program.ts'

/** Everything that is known before anything runs. */
export type Case = Surroundings & {
  readonly kind: 'case'
  readonly runner: Runner
  readonly subject: Subject
  readonly governing: Extract<Governing, { readonly kind: 'policy' }>
  readonly part: Part
  readonly changes: Changes
  /** Worth a line on the summary page, and no annotation. */
  readonly notes: readonly string[]
  readonly secrets: readonly string[]
  readonly signal: AbortSignal
}
export type Judged = {
  readonly kind: 'judged'
  readonly results: ResultsFile
  /** What was judged, for whoever makes the next attempt. */
  readonly diff: JudgedDiff
  readonly logs: ReadonlyMap<string, string>
  readonly marks: readonly Mark[]
  readonly passed: boolean
  readonly mode: 'enforce' | 'shadow'
  /** What the results are handed over as. */
  readonly artifact: string
  /** Where the checks ran. */
  readonly root: string
  /** Where what differs from earlier pictures is drawn. */
  readonly compared: Compared | null
  /** To be called when it is told. */
  readonly leave: () => Promise<void>
}
/** Where checks run, and as whom. */
type Lodging = Guest

const CHANGED_NAMES_MAX = 10

export async function carryOut(one: Case): Promise<Judged | { readonly trouble: string }> {
  const lodging = await lodgingFor(one)
  if ('trouble' in lodging) return lodging
  try {
    return await carriedOut(one, lodging)
  } catch (error) {
    await lodging.leave()
    throw error
  }
}

/** Never another than the policy asks for. */
async function lodgingFor({ runner, governing }: Case): Promise<Lodging | { readonly trouble: string }> {
  const { workspace: root, environment } = runner
  if (governing.policy.verification.execution.isolation === 'user') return invite(root, environment, systemProgram)
  const nothing = async (): Promise<void> => {}
  return { home: await ownHome(root, environment), root, environment, takeOver: nothing, leave: nothing }
}

async function carriedOut(one: Case, lodging: Lodging): Promise<Judged> {
  const { runner, subject, governing, part, changes, notes, secrets, builtIn } = one
  const { policy, hash, organisation } = governing
  const { root, leave } = lodging
  const plan = planOf(part, policy, changes.files)
  const before = one.look(root)
  const reports = await checksOf(one, lodging, plan)
  const after = one.look(root)
  await lodging.takeOver()
  const reportsOf = new Set(plan.run.flatMap(reportPaths))
  const unasked = changedLooks(before, after).filter((path) => !reportsOf.has(path))
  const shown = await marksOf(plan, reports, root)
  const troubles = [
    ...governing.warnings,
    ...changes.warnings,
    ...(unasked.length > 0 ? [runWords.changedByChecks(someOf(unasked, CHANGED_NAMES_MAX))] : []),
    ...shown.flatMap((one) => one.warnings),
    ...(builtIn?.warnings ?? []),
  ]
  const warnings = [...notes, ...troubles]
  const found = { policy: { hash, organisation }, reports, left_out: plan.left_out, tier1: builtIn, warnings, secrets }
  const results = resultsOf(runner, subject, found)
  const marks = gravestFirst([
    ...(builtIn === null ? [] : tier1Marks(builtIn)),
    ...shown.flatMap((one) => one.marks),
    ...troubles.map(warningMark),
  ])
  // How a job with a part of it all ends is its result, so it fails under `mode: shadow` too; what is shown for it does not.
  const mode = policy.mode === 'shadow' && part.kind === 'all' ? 'shadow' : 'enforce'
  const [passed, artifact] =
    part.kind === 'check'
      ? [checkPassed(results), artifactOfCheck(part.rule.name)]
      : [runPassed(results), RESULTS_ARTIFACT]
  const diff = judgedDiff(changes.files, changes.patches ?? new Map(), redacting(secrets))
  const told = { results, diff, logs: logsOf(reports), marks, passed, mode, artifact } as const
  return { kind: 'judged', ...told, root, compared: comparedBy(one), leave }
}

/** What a check is asked to write is no surprise. */
const reportPaths = ({ report, working_dir = '.' }: CommandRule): string[] =>
  [report?.junit, report?.sarif].flatMap((path) => (path === undefined ? [] : [posix.join(working_dir, path)]))

async function checksOf(
  { governing, secrets, signal }: Case,
  { root, environment, home }: Lodging,
  { run }: Plan,
): Promise<CheckReport[]> {
  const { execution, timeout_retry: timeoutRetry } = governing.policy.verification
  const isOneByOne = execution.mode === 'sequential' || execution.max_parallel === 1 || run.length === 1
  const log = liveLog(isOneByOne, secrets)
  const limits = { outputBytesMax: OUTPUT_BYTES_MAX, logBytesMax: logBytesMax(run.length) }
  const family = descendants(home)
  const place = { root, environment, secrets, timeoutRetry, signal, descendants: family, ...limits }
  try {
    const reports = await runChecks(run, place, execution, log)
    // From here on nothing of the change runs. What still did could change what is about to be read and handed over.
    const left = await family.endAll()
    if (left > 0) throw new Error(runWords.stillRunning(left))
    return reports.map(({ result, log }, index) => {
      return { result: { ...result, log: log === '' ? null : logName(index, result.name) }, log }
    })
  } finally {
    log.end()
  }
}

async function marksOf({ run }: Plan, reports: readonly CheckReport[], root: string): Promise<CheckMarks[]> {
  return Promise.all(
    run.map(async (check, index) => {
      const report = reports[index]
      return report === undefined ? { marks: [], warnings: [] } : checkMarks(check, report, root)
    }),
  )
}

function logsOf(reports: readonly CheckReport[]): ReadonlyMap<string, string> {
  return new Map(
    reports.flatMap(({ result, log }): [string, string][] => (result.log === null ? [] : [[result.log, log]])),
  )
}
