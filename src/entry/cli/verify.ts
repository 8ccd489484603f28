// `countersign verify`: what the gate will say of what is committed in a clone, as far as it can be known before a push: the
// scope, the built-in checks, and the commands of the policy, run as the Action runs them.
import { secretValues } from '../../checks/runner/environment.ts'
import { descendants } from '../../checks/runner/descendants.ts'
import { ownHome } from '../../checks/runner/home.ts'
import { planChecks } from '../../checks/runner/plan.ts'
import { runChecks } from '../../checks/runner/run-checks.ts'
import { oneLine } from '../../checks/tier1/one-line.ts'
import { pathFacts, pathRules, type PathFacts } from '../../core/contract/path-facts.ts'
import { policyFile } from '../../core/contract/scope.ts'
import type { CheckOutcome } from '../../core/decision/results/results-file.ts'
import { runPassed } from '../../core/decision/gate/run-verdict.ts'
import { lastLines, linesOf } from '../../core/words/text/excerpt.ts'
import { endingWords } from '../../core/words/run/run-words.ts'
import { timeWords } from '../../core/words/run/run-summary.ts'
import { visible } from '../../core/visible.ts'
import { givenEnvironment } from '../environment.ts'
import { readSettings, SettingsWrong, type Settings } from '../wire.ts'
import { reviewLines, type Review } from './clone/review-lines.ts'
import { CannotRun, readText, tellProblems } from './cases/cannot-run.ts'
import type { CliCommand, ExitCode, Io } from './common/cli-command.ts'
import { onCommitted, wishIn, type Committed, type Wish } from './clone/committed.ts'
import { tier1Lines } from './tier1.ts'

const OUTPUT_BYTES_MAX = 64 * 1024
const OUTPUT_LINES_SHOWN = 40

export const verify: CliCommand = {
  name: 'verify',
  summary: 'scope, built-in checks and the commands of the policy, before you push',
  help: `countersign verify [folder] [--base <commit>] [--policy <file>] [--task <file>] [--no-review] [--json]

Says of what is committed since the branch left its base what the gate will say of it: whether it stays within the scope,
what the built-in checks find, and whether the commands of the policy pass, which run as in the Action. These commands run
what the clone brings; nothing else of it is run. Checks that are adopted from other CI and people come later.

With ANTHROPIC_API_KEY in the environment the AI review is asked as well, where the policy has one, scope and built-in checks
hold and something changed. It costs money, within \`budget\` of the policy. MODEL_BASE_URL is where the API is served if not at
its home.

  --base <commit>   the branch that you will merge into; without it the default branch of \`origin\`
  --policy <file>   another policy than ${policyFile} of the base, which is the one that governs
  --task <file>     what the task asks, as its issue says it, for the AI review; without it what the commits say
  --no-review       ask no model
  --json            print { "passed", "base", "head", "files", "scope", "protected", "tier1", "checks", "left_out", "adopted",
                    "review" }
  --help            print this

The organisation's policy and the task of the pull request are not known here; they can only ask for more.

Exit code 0: nothing known here stands in the way. 1: something does. 2: it could not run.`,
  run,
}

type Verified = {
  readonly committed: Committed
  readonly paths: PathFacts
  readonly checks: readonly CheckOutcome[]
  readonly left_out: readonly string[]
  readonly adopted: readonly string[]
  /** Null where nobody was to be asked. */
  readonly review: Review | null
  readonly passed: boolean
}

async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  const wish = wishIn(args, true)
  if (typeof wish === 'string') {
    io.err(`countersign verify: ${wish}. \`countersign verify --help\` says what there is.`)
    return 2
  }
  try {
    const verified = await onCommitted(wish, (committed) => verifiedHere(committed, wish, io.err))
    io.out(wish.json ? forPrograms(verified) : forPeople(verified))
    return verified.passed ? 0 : 1
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error
    return tellProblems('countersign verify', error, wish.json, io)
  }
}

async function verifiedHere(committed: Committed, wish: Wish, told: (words: string) => void): Promise<Verified> {
  const { policy, files, report } = committed
  const { left_out, run: commands } = planChecks(policy, files)
  const paths = pathFacts(files, pathRules({ policy, task_scope: { write: null, deny: [] } }))
  const checks = await checksOf(committed, commands, told)
  const adopted = policy.verification.checks.flatMap(({ name, command }) => (command === undefined ? [name] : []))
  const ran = runPassed({ checks, tier1: report })
  const goesOn =
    paths.violations.length === 0 && report.passed && (ran || policy.verification.verifier.run_when_checks_fail)
  const review = goesOn ? await reviewOf(committed, checks, wish, told) : null
  const objects = review?.outcome === 'SOFT_FAIL' || review?.outcome === 'HARD_FAIL'
  const passed = paths.violations.length === 0 && ran && !objects
  return { committed, paths, checks, left_out, adopted, review, passed }
}

/** Null where nobody is to be asked. The key is whose environment it is; `.env` in a clone may be a stranger's. */
async function reviewOf(
  committed: Committed,
  checks: readonly CheckOutcome[],
  { review, task: file }: Wish,
  told: (words: string) => void,
): Promise<Review | null> {
  const { enabled, tier, model: name } = committed.policy.verification.verifier
  const key = givenEnvironment()['ANTHROPIC_API_KEY'] ?? ''
  if (!review || key === '' || enabled === false || tier === 1) return null
  const { model } = settingsOf()
  if (model === null) return null
  const task = file === null ? null : await readText(file, 'It is named by --task.')
  told(`asking ${oneLine(name)} for the AI review; --no-review leaves it out`)
  const { aiReview } = await import('./clone/ai-review.ts')
  return aiReview({ committed, checks, model, task })
}

function settingsOf(): Settings {
  try {
    return readSettings(givenEnvironment())
  } catch (error) {
    throw error instanceof SettingsWrong ? new CannotRun(error.message) : error
  }
}

/** Whoever interrupts this ends what it started. */
async function checksOf(
  { root, policy }: Committed,
  commands: Parameters<typeof runChecks>[0],
  told: (words: string) => void,
): Promise<CheckOutcome[]> {
  const environment = givenEnvironment()
  const { execution, timeout_retry: timeoutRetry } = policy.verification
  const family = descendants(await ownHome(root, environment))
  const stop = new AbortController()
  const interrupted = (): void => stop.abort()
  process.once('SIGINT', interrupted)
  process.once('SIGTERM', interrupted)
  const limits = { outputBytesMax: OUTPUT_BYTES_MAX, logBytesMax: OUTPUT_BYTES_MAX }
  const secrets = secretValues(environment)
  const place = { root, environment, secrets, timeoutRetry, signal: stop.signal, descendants: family, ...limits }
  try {
    const reports = await runChecks(commands, place, execution, {
      began: ({ name, command }) => told(`running ${oneLine(name)}: ${oneLine(command)}`),
      printed: () => undefined,
      completed: (_, { result }) =>
        told(`  ${oneLine(result.name)} ${endingWords(result)} after ${timeWords(result.duration_ms)}`),
    })
    const left = await family.endAll()
    if (left > 0)
      throw new CannotRun(`${left} processes of the checks could not be ended. End them and run this again.`)
    return reports.map(({ result }) => ({ ...result, log: null }))
  } finally {
    process.off('SIGINT', interrupted)
    process.off('SIGTERM', interrupted)
  }
}

const forPrograms = ({ committed, paths, checks, left_out, adopted, review, passed }: Verified): string => {
  const { subject, files, report } = committed
  const scope = paths.violations.map(({ path, violation_type }) => ({ path, violation_type }))
  const tier1 = { passed: report.passed, checks: report.checks, findings: report.findings, warnings: report.warnings }
  const facts = { passed, base: subject.base, head: subject.head, files: files.length, scope, protected: paths.guarded }
  return JSON.stringify({ ...facts, tier1, checks, left_out, adopted, review }, null, 2)
}

function forPeople({ committed, paths, checks, left_out, adopted, review, passed }: Verified): string {
  const { subject, files, report } = committed
  const bad = checks.filter((check) => !check.passed)
  return [
    ...paths.violations.map(({ path, violation_type: how }) => {
      return `FAIL  ${oneLine(path)} is ${how === 'denied' ? 'denied by' : 'outside'} the scope`
    }),
    ...paths.guarded.map((path) => `note  ${oneLine(path)} is protected: somebody entitled has to acknowledge it`),
    ...tier1Lines(report),
    ...bad.flatMap((check) => [
      `${check.required ? 'FAIL ' : 'note '} ${oneLine(check.name)} ${endingWords(check)}`,
      ...lastLines(linesOf(visible(check.output)), OUTPUT_LINES_SHOWN)
        .text.split('\n')
        .map((line) => `      ${line}`),
    ]),
    ...checks.filter((check) => check.passed).map((check) => `ok    ${oneLine(check.name)}`),
    ...(review === null ? [] : reviewLines(review)),
    ...left_out.map((name) => `note  ${oneLine(name)} is left out: none of its paths changed`),
    ...adopted.map((name) => `note  ${oneLine(name)} is adopted from other CI, and not known here`),
    `${passed ? 'Nothing known here stands in the way' : 'This would not pass'} (${files.length} ${files.length === 1 ? 'file' : 'files'}, ${subject.base.slice(0, 7)}...${subject.head.slice(0, 7)})`,
  ].join('\n')
}
