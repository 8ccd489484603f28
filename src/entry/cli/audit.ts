// `countersign audit verify`: walks the hash chains of the record and names the first broken link of each stream.
import { parseArgs } from 'node:util'
import { visible } from '../../core/visible.ts'
import type { AuditAnswer } from '../operations.ts'
import type { CliCommand, ExitCode, Io } from './common/cli-command.ts'
import { operate } from './common/operator.ts'
import { wrongOption } from './common/wrong-option.ts'

const help = `countersign audit verify [task] [--json]

Every decision is recorded as events, each with the hash of the one before it. This reads them as they were stored and
names the first link of each stream that does not hold: an event that was changed, dropped, added or moved. Events that
were cut off at the end of a stream leave no trace in it; compare with a backup where you suspect that.
What lies in the archive is read from there, and a file that is missing or was changed breaks the streams in it.
Without a task it verifies all of them. A task is named as owner/repo#12, or by its stream.

  --json   print { streams, broken: [{ stream, task, version, why }] } for programs
  --help   this text

DATABASE_URL or DATA_DIR, and ARCHIVE_DIR, name the data as for the App, in the environment or in .env. An App that runs is asked; it
need not be stopped.

Exit code 0: every link holds. 1: at least one does not. 2: the command could not run, or there is no such task.`

export const audit: CliCommand = { name: 'audit', summary: 'verify the record', help, run }

type Wish = { readonly task: string | null; readonly json: boolean }

async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  const wish = wishIn(args)
  if (typeof wish === 'string') {
    io.err(`countersign audit: ${wish}. \`countersign audit --help\` says what there is.`)
    return 2
  }
  const { task, json } = wish
  return operate('countersign audit', io, async (operations) => {
    const answer = await operations.verify(task)
    if (answer === null) {
      io.err(`countersign audit: nothing is recorded about ${visible(task ?? '')}. A task is named as owner/repo#12.`)
      return 2
    }
    io.out(json ? JSON.stringify(answer, null, 2) : auditText(answer))
    return answer.broken.length === 0 ? 0 : 1
  })
}

/** What is asked for, or what is wrong with how it was asked. */
function wishIn(args: readonly string[]): Wish | string {
  try {
    const options = { json: { type: 'boolean', default: false } } as const
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const [verb, task, ...more] = positionals
    if (verb !== 'verify') return verb === undefined ? 'say `verify`' : `there is no \`${visible(verb)}\``
    return more.length > 0 ? 'name one task, or none for all' : { task: task ?? null, json: values.json }
  } catch (error) {
    return wrongOption(error, ['json', 'help'])
  }
}

function auditText({ streams, broken }: AuditAnswer): string {
  const count = `${streams} ${streams === 1 ? 'stream' : 'streams'}`
  if (broken.length === 0) return `${count} verified; every link holds.`
  const links = broken.map(({ stream, task, version, why }) => {
    const name = task === null ? '' : ` (${visible(task)})`
    return `${visible(stream)}${name}: event ${version}: ${visible(why)}`
  })
  return [...links, '', `${broken.length} of ${count} ${broken.length === 1 ? 'does' : 'do'} not hold.`].join('\n')
}
