// The GitHub Action: runs the checks of the base's policy and tier 1 on a pull request, says what came of it, and hands
// the results over. Without the App this job is the gate, so it fails when a required check or tier 1 fails. Trouble of
// its own fails it too, in words that nobody can take for a judgement.
import http from 'node:http'
import {
  endGroup,
  getInput,
  getMultilineInput,
  info,
  setFailed,
  setOutput,
  setSecret,
  startGroup,
  summary,
  warning,
} from '@actions/core'
import { runDocument } from '../src/core/words/documents/run-document.ts'
import { runRetryContext } from '../src/core/words/run/run-retry-context.ts'
import { runSummary } from '../src/core/words/run/run-summary.ts'
import { runWords, verdictWords } from '../src/core/words/run/run-words.ts'
import { redact } from '../src/core/words/text/redact.ts'
import { handOver, type HandOver } from './handing-over/artifact.ts'
import { destinationOf, takesArtifacts } from './handing-over/upload.ts'
import { startAfresh } from './command-files.ts'
import { withDifferences } from './differences.ts'
import { readRunner, type Runner } from './environment.ts'
import type { Judged } from './carry-out.ts'
import { accessTo, judge, knownSecrets, type Judgement } from './judge.ts'
import { showMarks, warningMark } from './marks.ts'
import { resultsOutput } from './results.ts'
import { findScreenshots, namedIn } from './screenshots.ts'

async function main(): Promise<void> {
  let secrets: readonly string[] = []
  try {
    goByProxy()
    const runner = readRunner()
    secrets = knownSecrets(runner)
    // The runner hides the secrets that it knows; this one may come from anywhere.
    setSecret(getInput('github-token'))
    const judgement = await judge(runner, secrets, cancellation())
    try {
      await tell(runner, judgement, secrets)
    } finally {
      if (judgement.kind === 'judged') await judgement.leave()
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    setFailed(runWords.ownTrouble(redact(why, secrets)))
    notPassed()
  }
}

/**
 * In a network that nothing leaves otherwise, the runner names its proxy in the environment. A Node of before 24.14 cannot
 * be told to go by it.
 */
function goByProxy(): void {
  if ('setGlobalProxyFromEnv' in http) http.setGlobalProxyFromEnv()
}

/** Where the runner takes no output any more, the end of this process still says it. */
function notPassed(): void {
  try {
    setOutput('passed', 'false')
  } catch (error) {
    info(`The outputs could not be written: ${String(error)}`)
  }
}

/** Node opens its inspector to whoever sends this signal, unless somebody else listens. */
const closeInspector = (): void => void process.on('SIGUSR1', () => null)

/** The runner asks a job to end with a signal; what the job started has to end with it. */
function cancellation(): AbortSignal {
  const cancelled = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => cancelled.abort())
  return cancelled.signal
}

async function tell(runner: Runner, judgement: Judgement, secrets: readonly string[]): Promise<void> {
  switch (judgement.kind) {
    case 'refused':
      setOutput('passed', 'false')
      showMarks(judgement.marks, secrets)
      await summarise(`### ❌ Countersign\n\n${judgement.words}`)
      return setFailed(judgement.words)
    case 'off':
      setOutput('passed', '')
      await summarise(`### Countersign\n\n${judgement.words}`)
      return info(judgement.words)
    case 'judged':
      return tellJudged(runner, judgement, secrets)
  }
}

async function tellJudged(runner: Runner, judged: Judged, secrets: readonly string[]): Promise<void> {
  const { passed, mode, marks, logs, artifact } = judged
  await startAfresh(runner.commandFiles)
  const { images, leftOut } = await findScreenshots(getMultilineInput('screenshots'), judged.root)
  const { screenshots, why } = await withDifferences(() => accessTo(runner), judged.compared, images)
  if (why !== null) info(redact(why, secrets))
  const more = leftOut === 0 ? [] : [runWords.screenshotsLeftOut(leftOut)]
  const warnings = [...judged.results.warnings, ...more]
  const results = { ...judged.results, screenshots: namedIn(screenshots), warnings }
  const words = verdictWords(results.checks, results.tier1 === null ? null : results.tier1.passed)
  showMarks([...marks, ...more.map(warningMark)], secrets)
  setOutput('passed', String(passed))
  setOutput('results', resultsOutput(results))
  setOutput('retry_context', runRetryContext(results, judged.diff))
  const document = runDocument(results, judged)
  setOutput('attempt', document)
  await summarise(runSummary({ ...results, passed, mode }))
  await give(runner, { artifact, results, document, logs, screenshots }, secrets)
  if (passed) info(runWords.passed(words))
  else if (mode === 'shadow') warning(runWords.shadow(words), { title: 'Countersign' })
  else setFailed(runWords.failed(words))
}

/** What this job says of the change stands, whether or not the App gets to see it. */
async function give(runner: Runner, what: HandOver, secrets: readonly string[]): Promise<void> {
  if (!takesArtifacts(runner.serverUrl)) return warning(runWords.enterpriseServer, { title: 'Countersign' })
  startGroup('Handing the results over')
  try {
    await handOver(what, destinationOf(runner.environment))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    warning(runWords.notHandedOver(redact(why, secrets)), { title: 'Countersign' })
  }
  endGroup()
}

/** A runner that takes no summary is no reason to fail. */
async function summarise(markdown: string): Promise<void> {
  try {
    await summary.addRaw(markdown, true).write()
  } catch (error) {
    info(`The summary could not be written: ${String(error)}`)
  }
}

closeInspector()
await main()
// Whatever still holds a connection open is not worth waiting for.
process.exit()
