// `countersign status`: whether the App answers, and what waits in its inbox.
import { parseArgs } from 'node:util'
import type { CliCommand, ExitCode, Io } from './common/cli-command.ts'
import { statusText } from './inbox.ts'
import { operate, type Source } from './common/operator.ts'
import { wrongOption } from './common/wrong-option.ts'

export const status: CliCommand = {
  name: 'status',
  summary: 'whether the App runs on its store, and what waits there',
  help: `countersign status [--json]

Asks the App that holds the store, or the store itself where no App runs: how many deliveries wait, since when, and how many
were given up. DATABASE_URL or DATA_DIR name the store as for the App, in the environment or in .env. What GitHub and the
rules of a repository say is for \`countersign doctor\`.

  --json   print { "source", "waiting", "oldest_waiting_at", "dead" }
  --help   print this

Exit code 0: nothing was given up. 1: something was. 2: nobody could be asked.`,
  run,
}

async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  const json = wishIn(args)
  if (typeof json === 'string') {
    io.err(`countersign status: ${json}. \`countersign status --help\` says what there is.`)
    return 2
  }
  return operate('countersign status', io, async (operations, source) => {
    const { waiting, oldest_waiting_at, dead } = await operations.status()
    const told = { source, waiting, oldest_waiting_at, dead }
    io.out(json ? JSON.stringify(told, null, 2) : `${sources[source]}\n${statusText(told)}`)
    return dead === 0 ? 0 : 1
  })
}

const sources = {
  app: 'The App runs.',
  directory: 'No App runs on this store.',
  server: 'The database answers; whether an App runs is told by its /health.',
} as const satisfies Record<Source, string>

function wishIn(args: readonly string[]): boolean | string {
  try {
    return parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } }).values.json
  } catch (error) {
    return wrongOption(error, ['json', 'help'])
  }
}
