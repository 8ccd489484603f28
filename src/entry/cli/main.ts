// The command line: finds the subcommand, hands it its arguments and the terminal, and ends with its exit code.
import { enableCompileCache } from 'node:module'
import { nearest } from '../../core/nearest.ts'
import { visible } from '../../core/visible.ts'
import { VERSION } from '../version.ts'
import { givenEnvironment } from '../environment.ts'
import type { CliCommand, ExitCode, Io } from './cli-command.ts'

// Compiled code is kept between runs, which halves the time to start. The App keeps its own, in a place that is nobody else's.
if (process.argv[2] !== 'start') enableCompileCache()

// `npm run` works in the folder of the package that it was found in; whoever asked stands in their own repository.
const { npm_package_name: script, INIT_CWD: asker, NO_COLOR: plain = '' } = givenEnvironment()
if (script === 'countersign' && asker !== undefined) process.chdir(asker)

const NEAR = 2

/** Loaded only when asked for, so that each command starts as fast as it can. */
const commands: Record<string, { readonly summary: string; readonly load: () => Promise<CliCommand> }> = {
  init: {
    summary: 'write a policy and its workflow for this repository',
    load: async () => (await import('./init.ts')).init,
  },
  start: {
    summary: 'run the App, or register it where it has no credentials yet',
    load: async () => (await import('./start.ts')).start,
  },
  status: {
    summary: 'whether the App runs on its store, and what waits there',
    load: async () => (await import('./status.ts')).status,
  },
  explain: {
    summary: 'what was decided about a pull request, and why; --json for agents',
    load: async () => (await import('./explain.ts')).explain,
  },
  wait: {
    summary: 'wait for the decision about a pull request',
    load: async () => (await import('./wait.ts')).wait,
  },
  mcp: {
    summary: 'serve tools for coding agents over standard input and output',
    load: async () => (await import('./mcp.ts')).mcp,
  },
  doctor: {
    summary: 'look at everything that the gate rests on, and say what mends it',
    load: async () => (await import('./doctor/doctor.ts')).doctor,
  },
  test: {
    summary: 'run policy tests: does the policy decide as you expect?',
    load: async () => (await import('./test.ts')).test,
  },
  simulate: {
    summary: 'what a policy would have decided over the pull requests of the past',
    load: async () => (await import('./simulate.ts')).simulate,
  },
  validate: {
    summary: 'check a policy file, with file, line and the nearest valid word',
    load: async () => (await import('./validate.ts')).validate,
  },
  verify: {
    summary: 'scope, built-in checks and the commands of the policy, before you push',
    load: async () => (await import('./verify.ts')).verify,
  },
  tier1: {
    summary: 'run the built-in checks on what you have committed, before you push',
    load: async () => (await import('./tier1.ts')).builtIn,
  },
  workflow: {
    summary: 'print the workflow that runs the checks of the policy',
    load: async () => (await import('./workflow.ts')).workflow,
  },
  schema: {
    summary: 'print the JSON Schema of the policy file, or of what agents read',
    load: async () => (await import('./schema.ts')).schema,
  },
  eval: {
    summary: 'measure the verifier on changes whose label is known',
    load: async () => (await import('./eval.ts')).evaluate,
  },
  inbox: {
    summary: 'list and replay the deliveries that the App gave up',
    load: async () => (await import('./inbox.ts')).inbox,
  },
  audit: {
    summary: 'verify the record of all decisions, link by link',
    load: async () => (await import('./audit.ts')).audit,
  },
}

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

/** Whoever reads JSON gets the reason as JSON, too, where a command could not run. */
async function inJson(run: (io: Io) => Promise<ExitCode>, io: Io): Promise<ExitCode> {
  let isTold = false
  const words: string[] = []
  const out = (text: string): void => {
    isTold = true
    io.out(text)
  }
  const code = await run({ ...io, out, err: (text) => void words.push(text) })
  if (code === 2 && !isTold) io.out(JSON.stringify({ error: words.join('\n'), problems: [] }, null, 2))
  else for (const text of words) io.err(text)
  return code
}

const io: Io = {
  out: (text) => console.log(text),
  err: (text) => console.error(text),
  color: process.stdout.isTTY && plain === '',
}
try {
  process.exitCode = await main(process.argv.slice(2), io)
} catch (error) {
  io.err(`countersign: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  process.exitCode = 2
}
