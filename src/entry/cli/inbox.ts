// `countersign inbox`: what waits, and the deliveries that were given up, which an operator may have handled again.
import { parseArgs } from 'node:util'
import { visible } from '../../core/visible.ts'
import { LETTERS_MAX, type Letter, type Operations, type Status } from '../operations.ts'
import type { CliCommand, ExitCode, Io } from './common/cli-command.ts'
import { operate, type Source } from './common/operator.ts'
import { wrongOption } from './common/wrong-option.ts'

const LISTED_USUALLY = 50

const help = `countersign inbox list [--limit N] [--json]
countersign inbox replay <guid>
countersign inbox status [--json]

Deliveries from GitHub wait in the inbox until they are handled. One that fails again and again is given up, so that it
does not hold up the others: it is listed here with the reason, and can be replayed when the cause is repaired.

  list      the deliveries that were given up, the oldest first: at most ${LISTED_USUALLY}, or as many as --limit says
  replay    puts one of them back at the end of its line
  status    how many wait, since when, and how many were given up
  --json    print for programs: list { dead, total }, status { waiting, oldest_waiting_at, dead }
  --help    this text

DATABASE_URL or DATA_DIR name the data as for the App, in the environment or in .env. An App that runs is asked; it
need not be stopped.

Exit code 0: done. 1: there is no such delivery. 2: the command could not run.`

export const inbox: CliCommand = { name: 'inbox', summary: 'list and replay deliveries that were given up', help, run }

type Wish =
  | { readonly verb: 'list'; readonly limit: number; readonly json: boolean }
  | { readonly verb: 'replay'; readonly guid: string }
  | { readonly verb: 'status'; readonly json: boolean }

async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  const wish = wishIn(args)
  if (typeof wish === 'string') {
    io.err(`countersign inbox: ${wish}. \`countersign inbox --help\` says what there is.`)
    return 2
  }
  return operate('countersign inbox', io, (operations, source) => {
    switch (wish.verb) {
      case 'list':
        return list(operations, io, wish)
      case 'replay':
        return replay(operations, io, wish.guid, source)
      case 'status':
        return status(operations, io, wish.json)
    }
  })
}

/** What is asked for, or what is wrong with how it was asked. */
function wishIn(args: readonly string[]): Wish | string {
  try {
    const options = { json: { type: 'boolean', default: false }, limit: { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const [verb, guid, ...more] = positionals
    const { json, limit } = values
    if (limit !== undefined && verb !== 'list') return '--limit is for `list`'
    if (verb === 'replay') {
      if (guid === undefined || more.length > 0) return '`replay` takes one guid, as `list` shows it'
      return json ? '--json is for `list` and `status`' : { verb, guid }
    }
    if (guid !== undefined) return `nothing is expected after \`${visible(verb ?? '')}\``
    if (verb === 'status') return { verb, json }
    if (verb === 'list') return { verb, json, limit: limitOf(limit) }
    return verb === undefined ? 'say `list`, `replay` or `status`' : `there is no \`${visible(verb)}\``
  } catch (error) {
    return error instanceof RangeError ? error.message : wrongOption(error, ['json', 'limit', 'help'])
  }
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return LISTED_USUALLY
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= LETTERS_MAX) return limit
  throw new RangeError(`--limit is a number from 1 to ${LETTERS_MAX}`)
}

async function list(
  operations: Operations,
  io: Io,
  { limit, json }: { limit: number; json: boolean },
): Promise<ExitCode> {
  const dead = await operations.dead(limit)
  const { dead: total } = await operations.status()
  if (json) io.out(JSON.stringify({ dead, total }, null, 2))
  else if (dead.length === 0) io.out('No delivery was given up.')
  else io.out([...dead.map(letterText), listEnd(dead.length, total)].join('\n\n'))
  return 0
}

const letterText = ({ guid, key, received_at, error }: Letter): string =>
  `${visible(guid)}  ${visible(key)}  received ${received_at}\n    ${visible(error).replaceAll('\n', '\n    ')}`

const listEnd = (shown: number, total: number): string =>
  [
    shown < total ? `${shown} of ${total} deliveries that were given up; --limit shows more.` : `${total} in all.`,
    'When the cause is repaired, `countersign inbox replay <guid>` has one handled again.',
  ].join(' ')

const whenHandled = {
  app: 'The App handles it now.',
  directory: 'The App handles it when it starts.',
  server: 'An App that runs on this database handles it within a minute.',
} as const satisfies Record<Source, string>

async function replay(operations: Operations, io: Io, guid: string, source: Source): Promise<ExitCode> {
  if (await operations.replay(guid)) {
    io.out(`${visible(guid)} is at the end of its line again. ${whenHandled[source]}`)
    return 0
  }
  io.err(
    `countersign inbox: no delivery ${visible(guid)} was given up; \`countersign inbox list\` shows those that were.`,
  )
  return 1
}

async function status(operations: Operations, io: Io, json: boolean): Promise<ExitCode> {
  const { waiting, oldest_waiting_at, dead } = await operations.status()
  io.out(
    json
      ? JSON.stringify({ waiting, oldest_waiting_at, dead }, null, 2)
      : statusText({ waiting, oldest_waiting_at, dead }),
  )
  return 0
}

export function statusText({ waiting, oldest_waiting_at, dead }: Status): string {
  const since = oldest_waiting_at === null ? '' : `, the oldest since ${oldest_waiting_at}`
  return `${waiting} waiting${since}\n${dead} given up${dead === 0 ? '' : '; see `countersign inbox list`'}`
}
