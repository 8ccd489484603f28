// Agents with the official client, over both transports, each with the token of somebody on the GitHub of the tests.
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll } from 'vitest'
import { z } from 'zod'
import { entry } from '../../cli/cli.ts'
import type { Running } from './running.ts'

export function mcpClients(app: Pick<Running, 'github' | 'url'>) {
  const clients: Client[] = []
  afterAll(async () => {
    for (const client of clients) await client.close()
  })
  const connected = async (transport: Transport, options = {}): Promise<Client> => {
    const client = new Client({ name: 'an agent', version: '1' }, options)
    await client.connect(transport)
    clients.push(client)
    return client
  }
  const withToken = (token: string, options = {}): Promise<Client> => {
    const headers = { authorization: `Bearer ${token}` }
    const transport = new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { requestInit: { headers } })
    return connected(transport, options)
  }
  return {
    withToken,
    overHttp: (login: string, options = {}): Promise<Client> => withToken(app.github.tokenOf(login), options),
    overStdio: (login: string, more: Record<string, string> = {}, options = {}): Promise<Client> => {
      const { PATH = '', HOME = '' } = process.env
      const env = { PATH, HOME, GITHUB_TOKEN: app.github.tokenOf(login), GITHUB_API_URL: app.github.url, ...more }
      const server = { command: process.execPath, args: [entry, 'mcp'], env, stderr: 'inherit' as const }
      return connected(new StdioClientTransport(server), options)
    },
  }
}

const answered = z.object({
  content: z.array(z.object({ text: z.string() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
})

/** The client holds what is structured against the schema that the tool names. */
export async function call(client: Client, name: string, args: Record<string, unknown>) {
  const {
    content,
    isError = false,
    structuredContent = {},
  } = answered.parse(await client.callTool({ name, arguments: args }))
  return { isError, text: content.map(({ text }) => text).join('\n'), structured: structuredContent }
}
