// One check of the policy: where it runs, what it sees, how long it may take, and its result. What it prints is kept
// without secrets, head and tail: a short form for people and a longer log.
import { stat } from 'node:fs/promises'
import type { Verification } from '../../core/contract/policy/policy.ts'
import type { CheckOutcome } from '../../core/decision/results/results-file.ts'
import { realPathWithin } from '../within.ts'
import type { Descendants } from './descendants.ts'
import { checkEnvironment, type Environment } from './environment.ts'
import { headAndTail } from './head-and-tail.ts'
import type { CommandRule } from './plan.ts'
import { redactedStream } from './redacted-stream.ts'
import { exitNotStarted, runCommand, type Ending } from './run-command.ts'

export type Place = {
  /** The checkout. */
  readonly root: string
  readonly environment: Environment
  readonly secrets: readonly string[]
  readonly timeoutRetry: Readonly<Verification['timeout_retry']>
  readonly outputBytesMax: number
  readonly logBytesMax: number
  /** Of all checks of a run. */
  readonly descendants: Descendants
  /** Stops everything. */
  readonly signal: AbortSignal
}
export type CheckReport = {
  /** Its `log` is for whoever stores the log to fill in. */
  readonly result: CheckOutcome
  readonly log: string
}
type Stoppable = Place & { readonly whyStopped: () => string }

/** The exit code of a check that never ran; no program ends with it. */
const exitNever = -1

export async function runCheck(
  check: CommandRule,
  place: Stoppable,
  printed: (text: string) => void,
): Promise<CheckReport> {
  const started_at = new Date().toISOString()
  const output = headAndTail(place.outputBytesMax)
  const log = headAndTail(place.logBytesMax)
  const tell = (text: string): void => {
    output.add(text)
    log.add(text)
    printed(text)
  }
  const ending = await repeated(check, place, tell)
  return {
    result: {
      ...unchanged(check),
      passed: ending.why === 'ended' && ending.exit_code === 0,
      exit_code: ending.exit_code,
      output: output.text(),
      duration_ms: ending.duration_ms,
      error_code: errorCode(ending),
      started_at,
      truncated_bytes: output.omittedBytes(),
    },
    log: log.text(),
  }
}

export function stoppedBefore(check: CommandRule, why: string): CheckReport {
  const result = {
    ...unchanged(check),
    passed: false,
    exit_code: exitNever,
    output: `[not started: ${why}]\n`,
    duration_ms: 0,
    error_code: 'VERIFICATION_CHECK_FAILED' as const,
    started_at: new Date().toISOString(),
    truncated_bytes: 0,
  }
  return { result, log: '' }
}

const unchanged = ({ name, required, command }: CommandRule) => {
  return { name, required, command, source: 'command' as const, log: null }
}

function errorCode({ why, exit_code }: Ending): CheckOutcome['error_code'] {
  if (why === 'timed_out') return 'VERIFICATION_TIMEOUT'
  return why === 'ended' && exit_code === 0 ? null : 'VERIFICATION_CHECK_FAILED'
}

/** One that ran out of time runs again with more, as often as policy says. The duration is that of all runs. */
async function repeated(check: CommandRule, place: Stoppable, tell: (text: string) => void): Promise<Ending> {
  let seconds = check.timeout
  let duration_ms = 0
  for (let left = place.timeoutRetry.max; ; left -= 1) {
    const ending = await once(check, seconds, place, tell)
    duration_ms += ending.duration_ms
    const again = ending.why === 'timed_out' && left > 0 && !place.signal.aborted
    const words = wordsOn(ending, seconds, place.whyStopped())
    const next = seconds * place.timeoutRetry.factor
    if (words !== null) tell(`\n[${words}${again ? `; it runs again with ${next} s` : ''}]\n`)
    if (!again) return { ...ending, duration_ms }
    seconds = next
  }
}

function wordsOn({ why, words }: Ending, seconds: number, whyStopped: string): string | null {
  switch (why) {
    case 'ended':
      return null
    case 'timed_out':
      return `timed out after ${seconds} s, and was ended with everything that it had started`
    case 'stopped':
      return `stopped: ${whyStopped}`
    case 'not_started':
      return `it could not be started: ${words ?? 'for no known reason'}`
  }
}

async function once(check: CommandRule, seconds: number, place: Place, tell: (text: string) => void): Promise<Ending> {
  const directory = await directoryWithin(place.root, check.working_dir ?? '.')
  if (directory === null) {
    const words = `\`working_dir\` ${check.working_dir ?? ''} is no folder of the checkout`
    return { exit_code: exitNotStarted, why: 'not_started', words, duration_ms: 0 }
  }
  const stream = redactedStream(place.secrets, tell)
  const { command } = check
  const { signal, descendants } = place
  const env = checkEnvironment(place.environment, check.env)
  const run = { command, directory, env, timeoutMs: seconds * 1000, signal, descendants }
  const ending = await runCommand(run, stream.push)
  stream.end()
  return ending
}

async function directoryWithin(root: string, path: string): Promise<string | null> {
  try {
    const directory = await realPathWithin(root, path)
    return directory !== null && (await stat(directory)).isDirectory() ? directory : null
  } catch {
    return null
  }
}
