// What can be read by address: attempts, tasks, goals and requests, the same bytes that the tools give. There is no list of them: what
// there is, GitHub knows.
import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/server'
import { repositoryName } from '../../core/repository-name.ts'
import type { DocumentKind } from '../../engine/documents.ts'
import type { PullNamed } from '../attempts/pull-named.ts'
import { inWords, Refused } from './refused.ts'
import type { Hands } from './row.ts'

type Kind = Exclude<DocumentKind, 'log'>
const kinds = {
  attempt: {
    folder: 'attempts',
    number: 'pull',
    description: 'The newest attempt of a pull request: what was decided, what failed, what is waited for.',
  },
  task: {
    folder: 'tasks',
    number: 'issue',
    description: 'A task, by its issue or its pull request: where it stands, and the attempts at it.',
  },
  request: { folder: 'requests', number: 'issue', description: 'A request, by its issue: where it stands.' },
  goal: { folder: 'goals', number: 'issue', description: 'A goal, by its issue: where it and all its tasks stand.' },
} as const satisfies Record<Kind, object>
export const mimeType = 'application/json'

type Read = Pick<Hands, 'read' | 'document'>

export function registerResources(server: McpServer, hands: Read): void {
  for (const kind of ['attempt', 'task', 'goal', 'request'] as const) {
    const { folder, number, description } = kinds[kind]
    const template = new ResourceTemplate(`countersign://${folder}/{owner}/{repo}/{${number}}`, { list: undefined })
    server.registerResource(kind, template, { description, mimeType }, async ({ href }) => {
      const text = await inWords(() => readAt(hands, href))
      if (text === null) throw new Refused(`Nothing is known of ${href}.`)
      return { contents: [{ uri: href, mimeType, text }] }
    })
  }
}

export const addressOf = (kind: Kind, { repository, number }: PullNamed): string =>
  `countersign://${kinds[kind].folder}/${repository}/${number}`

/** Null where nothing is there. */
export async function readAt(hands: Read, uri: string): Promise<string | null> {
  const [, folder = '', repository = '', number] = address.exec(uri) ?? []
  const kind = ofFolder[folder]
  if (kind === undefined) {
    throw new Refused(
      'There are only countersign://attempts/, tasks/, goals/ and requests/, each followed by owner/repo/number.',
    )
  }
  const named = { repository, number: Number(number) }
  return kind === 'attempt' ? (await hands.read(named)).text : hands.document(kind, named)
}

const ofFolder: Readonly<Record<string, Kind>> = {
  attempts: 'attempt',
  tasks: 'task',
  goals: 'goal',
  requests: 'request',
}
const address = new RegExp(`^countersign://(attempts|tasks|goals|requests)/(${repositoryName})/([1-9]\\d{0,9})$`)
