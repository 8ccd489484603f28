// The command line: finds the subcommand, hands it its arguments and the terminal, and ends with its exit code.
import { enableCompileCache } from 'node:module'
import { nearest } from '../../core/nearest.ts'
import { visible } from '../../core/visible.ts'
import { VERSION } from '../version.ts'
import { givenEnvironment } from '../environment.ts'
import type { ExitCode, Io } from './common/cli-command.ts'
import { commands } from './commands.ts'

// Compiled code is kept between runs, which halves the time to start. The App keeps its own, in a place that is nobody else's.
if (process.argv[2] !== 'start') enableCompileCache()

// `npm run` works in the folder of the package that it was found in; whoever asked stands in their own repository.
const { npm_package_name: script, INIT_CWD: asker, NO_COLOR: plain = '' } = givenEnvironment()
if (script === 'countersign' && asker !== undefined) process.chdir(asker)

const NEAR = 2

function usage(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length))
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
  const more = ['countersign <command> --help says more, countersign --version which one this is.']
  return ['countersign <command> [options]', '', ...lines, '', ...more].join('\n')
}

async function main(args: readonly string[], io: Io): Promise<ExitCode> {
  const [name, ...rest] = args
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    io.out(usage())
    return name === undefined ? 2 : 0
  }
  if (name === '--version' || name === '-V') {
    io.out(VERSION)
    return 0
  }
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (entry === undefined) {
    const meant = nearest(name, Object.keys(commands), NEAR)
    const hint = meant === null ? '' : ` Did you mean \`${meant}\`?`
    io.err(`countersign: there is no command \`${visible(name)}\`.${hint}\n\n${usage()}`)
    return 2
  }
  const command = await entry.load()
  if (rest.includes('--help') || rest.includes('-h')) {
    io.out(command.help)
    return 0
  }
  return rest.includes('--json') ? inJson((given) => command.run(rest, given), io) : command.run(rest, io)
}

/** Whoever reads JSON gets the reason as JSON, too, where a command could not run or failed. */
async function inJson(run: (io: Io) => Promise<ExitCode>, io: Io): Promise<ExitCode> {
  let isTold = false
  const words: string[] = []
  const out = (text: string): void => {
    isTold = true
    io.out(text)
  }
  const err = (text: string): void => void words.push(text)
  const code = await run({ ...io, out, err }).catch((error: unknown) => faulty(err, error))
  if (code === 2 && !isTold) io.out(JSON.stringify({ error: words.join('\n'), problems: [] }, null, 2))
  else for (const text of words) io.err(text)
  return code
}

/** Nobody expected it. */
function faulty(err: Io['err'], error: unknown): ExitCode {
  err(`countersign: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return 2
}

// Whoever reads only the first lines, as `head` does, has what they wanted: what was begun is done all the same.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

const io: Io = {
  out: (text) => console.log(text),
  err: (text) => console.error(text),
  color: process.stdout.isTTY && plain === '',
}
process.exitCode = await main(process.argv.slice(2), io).catch((error: unknown) => faulty(io.err, error))
