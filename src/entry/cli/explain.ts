// `countersign explain`: what there is to know about the attempt at which a pull request stands, for people and for agents.
import { parseArgs } from 'node:util'
import { jsonIn } from '../../core/json.ts'
import { attemptPage } from '../../core/words/documents/attempt-page.ts'
import { attemptSchema } from '../../core/words/documents/attempt-schema.ts'
import { pullMeant } from '../attempts/pull-meant.ts'
import type { PullNamed } from '../attempts/pull-named.ts'
import { attemptReader, type ReadAttempt } from '../attempts/read-attempt.ts'
import { givenEnvironment } from '../environment.ts'
import { SettingsWrong } from '../wire.ts'
import { CannotRun } from './cases/cannot-run.ts'
import type { CliCommand, ExitCode, Io } from './common/cli-command.ts'
import { wrongOption } from './common/wrong-option.ts'

export const whereItIsRead = `It is asked of the App at --app or COUNTERSIGN_URL, with GH_TOKEN or GITHUB_TOKEN; else read in the store that
DATABASE_URL or DATA_DIR name; else, with a token, in the comment of the App on GitHub, which holds the same. Without
a token the store is the one of the .env here.`

const help = `countersign explain [pull request] [--json] [--app <url>]

Says what was decided about the newest attempt of a pull request, why, what failed, and who can change it. The pull
request is named as owner/repo#7, by its address, or as 7 in a clone; without a name it is that of the branch here.

${whereItIsRead}

  --json   print the document, countersign/attempt@1; \`countersign schema attempt\` prints its schema
  --app    the address of the App
  --help   print this

Exit code 0: printed. 1: nothing was judged there. 2: nobody could be asked.`

export const explain: CliCommand = {
  name: 'explain',
  summary: 'what was decided about a pull request, and why',
  help,
  run,
}

async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  return tellingTrouble('countersign explain', io, async () => {
    const { pull, read, json } = await wishIn(args)
    const { text, head } = await read(pull)
    if (text === null) {
      io.err(`countersign explain: nothing was judged at ${pull.repository}#${pull.number} yet.`)
      return 1
    }
    const document = documentFrom(text)
    if (head !== null && document.head_sha !== head) {
      io.err(
        `countersign explain: this is about ${document.head_sha.slice(0, 7)}; ${head.slice(0, 7)} is not judged yet.`,
      )
    }
    io.out(json ? text : attemptPage(document))
    return 0
  })
}

async function wishIn(args: readonly string[]): Promise<{ pull: PullNamed; read: ReadAttempt; json: boolean }> {
  const { values, positionals } = optionsOf(args)
  const env = givenEnvironment()
  return { pull: await pullMeant(positionals, env), read: attemptReader(env, values.app), json: values.json }
}

function optionsOf(args: readonly string[]) {
  try {
    const options = { json: { type: 'boolean', default: false }, app: { type: 'string' } } as const
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new CannotRun(wrongOption(error, ['json', 'app', 'help']))
  }
}

export function documentFrom(text: string) {
  const document = attemptSchema.safeParse(jsonIn(text))
  if (!document.success)
    throw new CannotRun('what was read is no countersign/attempt@1: is the App of another version?')
  return document.data
}

/** What keeps a command from running is said, with exit code 2. */
export async function tellingTrouble<Code extends number>(
  command: string,
  io: Io,
  work: () => Promise<Code>,
): Promise<Code | 2> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof CannotRun) && !(error instanceof SettingsWrong)) throw error
    io.err(`${command}: ${error.message}`)
    return 2
  }
}
