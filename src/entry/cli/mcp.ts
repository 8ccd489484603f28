// `countersign mcp`: the tools for coding agents over standard input and output. What it says is the protocol's alone.
import type { McpServer } from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { judgesSeen } from '../attempts/our-app.ts'
import { attemptReader, documentReader } from '../attempts/read-attempt.ts'
import { givenEnvironment } from '../environment.ts'
import { readAt } from '../mcp/resources.ts'
import { mcpServer } from '../mcp/serving.ts'
import { watchAsked, watching } from '../mcp/watching.ts'
import { Refused } from '../mcp/refused.ts'
import { speakingWith } from '../mcp/speaking.ts'
import type { Hands } from '../mcp/row.ts'
import { readSettings, readToken } from '../wire.ts'
import { CannotRun } from './cases/cannot-run.ts'
import type { CliCommand, ExitCode, Io } from './common/cli-command.ts'
import { tellingTrouble, whereItIsRead } from './explain.ts'
import { wrongOption } from './common/wrong-option.ts'

const help = `countersign mcp [--app <url>]

Serves the tools for coding agents (Model Context Protocol) over standard input and output; an agent starts it itself.

${whereItIsRead}

What changes something is written on the pull request with GH_TOKEN or GITHUB_TOKEN, so that GitHub proves who speaks.
No tool overrides anything.

  --app    the address of the App
  --help   print this

Exit code 0: whoever asked has gone. 2: it could not run.`

export const mcp: CliCommand = { name: 'mcp', summary: 'serve tools for coding agents', help, run }

async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  return tellingTrouble('countersign mcp', io, async () => {
    const hands = handsHere(appIn(args))
    const onerror = (error: Error): void => io.err(`countersign mcp: ${error.message}`)
    let serving: McpServer | null = null
    const watch = watching(
      (uri) => readAt(hands, uri),
      (uri) => void serving?.server.sendResourceUpdated({ uri }).catch(onerror),
    )
    const made = (): McpServer => (serving = subscribable(mcpServer(hands, true)))
    const transport = new StdioServerTransport()
    const server = serveStdio(made, { transport, onerror })
    overhear(transport, (message) => {
      const asked = watchAsked(message)
      if (asked !== null) watch.watch(asked.name, asked.addresses)
    })
    await once(process.stdin, 'close')
    watch.stop()
    await server.close()
    return 0
  })
}

/** The package tells nobody which addresses somebody listens to, so what comes in is looked at on its way. */
function overhear(transport: StdioServerTransport, ear: (message: unknown) => void): void {
  const heard = transport.onmessage
  const onmessage: NonNullable<typeof heard> = (message) => {
    ear(message)
    heard?.(message)
  }
  Object.assign(transport, { onmessage })
}

/** As clients of before 2026 ask for it. What they ask to be watched is heard where every message is. */
function subscribable(made: McpServer): McpServer {
  made.server.setRequestHandler('resources/subscribe', () => ({}))
  made.server.setRequestHandler('resources/unsubscribe', () => ({}))
  return made
}

function appIn(args: readonly string[]): string | undefined {
  try {
    return parseArgs({ args: [...args], options: { app: { type: 'string' } } }).values.app
  } catch (error) {
    throw new CannotRun(wrongOption(error, ['app', 'help']))
  }
}

function handsHere(app: string | undefined): Hands {
  const env = givenEnvironment()
  const token = readToken(env)
  return {
    read: attemptReader(env, app),
    document: documentReader(env, app),
    speaking: async () => {
      if (token === null) throw new Refused('Nobody knows who speaks: set GITHUB_TOKEN to the token of whoever it is.')
      const { githubTraffic, tokenOctokit } = await import('../../adapters/github/traffic/client.ts')
      const octokit = tokenOctokit(githubTraffic(), token, readSettings(env).apiUrl)
      return speakingWith(octokit, judgesSeen(octokit))
    },
    check: async (folder, base, commands) => {
      const command = commands ? (await import('./verify.ts')).verify : (await import('./tier1.ts')).builtIn
      const said: string[] = []
      // The key of an agent is not ours to spend.
      const alone = commands ? ['--no-review'] : []
      const words = [folder, '--json', ...alone, ...(base === null ? [] : ['--base', base])]
      const wrong: string[] = []
      const io = {
        out: (text: string) => void said.push(text),
        err: (text: string) => void wrong.push(text),
        color: false,
      }
      const code = await command.run(words, io)
      if (code === 2) throw new Refused([...said, ...wrong].join('\n'))
      return { passed: code === 0, text: said.join('\n') }
    },
    pause: (ms) => delay(ms),
    now: () => performance.now(),
  }
}
