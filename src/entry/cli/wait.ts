// `countersign wait`: returns when the attempt has a decision, with an exit code that says which.
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { documentStatuses } from '../../core/words/documents/attempt-schema.ts'
import { decisionOf } from '../attempts/await-decision.ts'
import { pullMeant } from '../attempts/pull-meant.ts'
import { attemptReader } from '../attempts/read-attempt.ts'
import { givenEnvironment } from '../environment.ts'
import { CannotRun } from './cases/cannot-run.ts'
import type { CliCommand, ExitCode, Io } from './common/cli-command.ts'
import { documentFrom, tellingTrouble, whereItIsRead } from './explain.ts'
import { wrongOption } from './common/wrong-option.ts'

const WAIT_SECONDS = 3_600
const ASK_SECONDS = 5

const help = `countersign wait [pull request] [--sha <sha>] [--timeout <seconds>] [--interval <seconds>] [--app <url>]

Waits until the newest attempt of a pull request has a decision, and prints its document, countersign/attempt@1. On a
terminal it says meanwhile what is waited for. While nobody answers, it says so and asks again. The pull request is named as owner/repo#7, by its address, or as 7 in a clone;
without a name it is that of the branch here.

${whereItIsRead}

  --sha        only a decision about this commit ends the wait; after a push, name what was pushed
  --timeout    give up after so long; ${WAIT_SECONDS} by default
  --interval   ask so often; ${ASK_SECONDS} by default
  --app        the address of the App
  --help       print this

Exit code 0: success. 1: another attempt is asked for. 2: nobody could be asked, to the end. 3: failed, and a human must act.
4: a human must look. 5: there was no decision in time.`

export const wait: CliCommand = { name: 'wait', summary: 'wait for the decision about a pull request', help, run }

const codes = { success: 0, retry: 1, failed: 3, refer: 4, pending: 5 } as const satisfies Record<
  (typeof documentStatuses)[number],
  ExitCode
>

async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  return tellingTrouble('countersign wait', io, async () => {
    const { pull, read, sha, until, every } = await wishIn(args)
    let said = ''
    const progress = (words: string, trouble: CannotRun | null): void => {
      const line = trouble === null ? words : `countersign wait: ${words}; asking again`
      if ((process.stderr.isTTY || trouble !== null) && line !== said) io.err(line)
      said = line
    }
    const pause = (ms: number): Promise<void> => delay(ms)
    const now = (): number => performance.now()
    const text = await decisionOf(() => read(pull), { sha, until, now, every, pause, progress })
    if (text === null) {
      io.err(`countersign wait: nothing was judged at ${pull.repository}#${pull.number} in time.`)
      return 5
    }
    io.out(text)
    const { status, head_sha } = documentFrom(text)
    const isIt = sha === null || head_sha.startsWith(sha)
    return isIt && status !== null ? codes[status] : 5
  })
}

async function wishIn(args: readonly string[]) {
  const { values, positionals } = optionsOf(args)
  const env = givenEnvironment()
  const sha = values.sha?.toLowerCase() ?? null
  if (sha !== null && !/^[0-9a-f]{7,40}$/.test(sha))
    throw new CannotRun('--sha names a commit by 7 to 40 hexadecimal digits')
  return {
    pull: await pullMeant(positionals, env),
    read: attemptReader(env, values.app),
    sha,
    until: performance.now() + seconds('timeout', values.timeout, WAIT_SECONDS) * 1_000,
    every: seconds('interval', values.interval, ASK_SECONDS) * 1_000,
  }
}

function seconds(option: string, text: string | undefined, usually: number): number {
  const value = text === undefined ? usually : Number(text)
  if (!(value > 0 && value <= 7 * 24 * 3_600)) throw new CannotRun(`--${option} is a number of seconds`)
  return value
}

function optionsOf(args: readonly string[]) {
  const word = { type: 'string' } as const
  try {
    const options = { sha: word, timeout: word, interval: word, app: word }
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new CannotRun(wrongOption(error, ['sha', 'timeout', 'interval', 'app', 'help']))
  }
}
