// What somebody sees who watches the job: one group for each check with what it printed, and a sign of life while
// nothing else is to be seen. Programs may print what the runner takes for commands, so it is told not to listen.
import { randomUUID } from 'node:crypto'
import { endGroup, info, startGroup } from '@actions/core'
import type { Watcher } from '../src/checks/runner/run-checks.ts'
import type { CommandRule } from '../src/checks/runner/plan.ts'
import { redact } from '../src/core/words/text/redact.ts'
import { endingWords } from '../src/core/words/run/run-words.ts'
import { timeWords } from '../src/core/words/run/run-summary.ts'

export type LiveLog = Watcher & { readonly end: () => void }

const progressMs = 30_000
/** Of one check. The whole log is in the artifact. */
const SHOWN_LENGTH_MAX = 1024 * 1024

/** Checks that run at the same time would mix their lines, so each is shown whole when it is over. */
export function liveLog(isOneByOne: boolean, secrets: readonly string[]): LiveLog {
  const running = new Map<CommandRule, number>()
  let shown = 0
  const quoted = (text: string): void => {
    // Another word each time: whoever has seen one knows none.
    const silencer = randomUUID()
    info(`::stop-commands::${silencer}`)
    info(text.replace(/\n$/, ''))
    info(`::${silencer}::`)
  }
  const progress = setInterval(() => {
    const now = performance.now()
    const names = Array.from(running, ([{ name }, since]) => `${oneLine(name)} (${timeWords(now - since)})`)
    if (names.length > 0) info(`Still running: ${names.join(', ')}`)
  }, progressMs)
  return {
    began: (check) => {
      running.set(check, performance.now())
      shown = 0
      if (isOneByOne) startGroup(`${oneLine(check.name)}: ${oneLine(redact(check.command, secrets))}`)
      else info(`Started: ${oneLine(check.name)}`)
    },
    printed: (_, text) => {
      if (!isOneByOne || shown > SHOWN_LENGTH_MAX) return
      shown += text.length
      quoted(shown > SHOWN_LENGTH_MAX ? `${text}\n[more is in the artifact]` : text)
    },
    completed: (check, { result }) => {
      const wasStarted = running.delete(check)
      const words = `${oneLine(check.name)} ${endingWords(result)} after ${timeWords(result.duration_ms)}`
      if (isOneByOne && wasStarted) endGroup()
      if (isOneByOne || result.output === '') return info(`Completed: ${words}`)
      startGroup(words)
      quoted(result.output)
      endGroup()
    },
    end: () => clearInterval(progress),
  }
}

/** The toolkit does not escape what it prints as a line of the log. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 200)
}
