// The server of the Model Context Protocol over whatever carries it: the table of tools, what can be read by address, and
// prompts, as the official package serves them. It is made for one connection, or for one request, and remembers nothing. https://modelcontextprotocol.io
import { McpServer } from '@modelcontextprotocol/server'
import { VERSION } from '../version.ts'
import { wordsFor } from './refused.ts'
import type { Hands, Tool } from './row.ts'
import { registerPrompts } from './prompts.ts'
import { registerResources } from './resources.ts'
import { tools } from './tools.ts'

const instructions = `Countersign decides whether a pull request may merge: by its checks, by an independent verifier, or by
a human who takes responsibility. Before a push, call check_before_push where it is there. After it, wait_for_decision; where the
status is retry, retry_context says what to mend. Where people are waited for, stop, and tell them the words under unblock.`

/** `watched`: whoever carries it tells of changes at the addresses that somebody subscribed to. */
export function mcpServer(hands: Hands, watched: boolean): McpServer {
  const capabilities = { resources: { subscribe: watched } }
  const server = new McpServer({ name: 'countersign', version: VERSION }, { instructions, capabilities })
  registerResources(server, hands)
  registerPrompts(server, hands)
  for (const tool of tools) if (!tool.needsCheckout || hands.check !== null) register(server, tool, hands)
  return server
}

function register(server: McpServer, { name, description, input, output, reads, run }: Tool, hands: Hands): void {
  const annotations = { readOnlyHint: reads, destructiveHint: false, idempotentHint: true, openWorldHint: true }
  server.registerTool(
    name,
    { description, inputSchema: input, outputSchema: output, annotations },
    async (given, context) => {
      const { _meta: meta, notify } = context.mcpReq
      const progressToken = meta?.progressToken
      let looks = 0
      const progress = async (message: string): Promise<void> => {
        looks += 1
        if (progressToken === undefined) return
        await notify({
          method: 'notifications/progress',
          params: { progressToken, progress: looks, message },
        })
      }
      try {
        const { text, structured } = await run(given, { hands, progress })
        return { content: [{ type: 'text', text }], structuredContent: structured }
      } catch (error) {
        return { content: [{ type: 'text', text: wordsFor(error) }], isError: true }
      }
    },
  )
}
