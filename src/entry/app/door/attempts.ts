// The documents for programs, over HTTP: `GET /attempts/<owner>/<repo>/<pull>`, and `/log` behind it for what happened;
// `/tasks/`, `/goals/` and `/requests/` by the number of an issue. Whoever asks shows a token, and reads what GitHub lets that token read.
import type { IncomingMessage } from 'node:http'
import { GitHubSilent, type Readers } from '../../../adapters/github/people/readers.ts'
import { documents, type DocumentKind } from '../../../engine/documents.ts'
import type { Store } from '../../../ports.ts'

export type Answer = {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}
export type AttemptParts = {
  readonly store: Pick<Store, 'find' | 'read'>
  readonly readers: Readers
  /** Without the secrets of this App. */
  readonly hide: (text: string) => string
}

export const isDocumentPath = (path: string): boolean => /^\/(?:attempts|tasks|goals|requests)\//.test(path)
const place = /^\/(attempts|tasks|goals|requests)\/([\w.-]{1,100}\/[\w.-]{1,100})\/([1-9]\d{0,9})(\/log)?$/
const kinds: Readonly<Record<string, DocumentKind>> = {
  '/attempts': 'attempt',
  '/attempts/log': 'log',
  '/tasks': 'task',
  '/goals': 'goal',
  '/requests': 'request',
}
/** What whoever asks for it knows an empty answer by. */
export const NOTHING_THERE = 'Nothing was judged there.'
const plain = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'private, no-store' }
const json = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'private, no-store' }

export async function documentAt({ store, readers, hide }: AttemptParts, request: IncomingMessage): Promise<Answer> {
  const token = tokenOf(request)
  if (token === null) {
    return refused(401, 'Show a token of GitHub that can read the repository: `Authorization: Bearer <token>`.', {
      'www-authenticate': 'Bearer',
    })
  }
  const [, of = '', name = '', number = '', log = ''] = place.exec((request.url ?? '').split('?')[0] ?? '') ?? []
  const kind = kinds[`/${of}${log}`]
  if (kind === undefined)
    return refused(
      404,
      'Ask for /attempts/<owner>/<repo>/<pull request>, or /tasks/, /goals/ and /requests/ by an issue.',
    )
  if (!readers.mayAsk(token)) return refused(429, 'This token asks too often.', { 'retry-after': '60' })
  try {
    const key = await readers.repository(token, name)
    if (key === null) return refused(404, 'GitHub shows no such repository to this token.')
    const document = await documents[kind](store, key, Number(number))
    return document === null
      ? refused(404, NOTHING_THERE)
      : { status: 200, text: hide(document), headers: kind === 'log' ? plain : json }
  } catch (error) {
    if (!(error instanceof GitHubSilent)) throw error
    return refused(502, 'GitHub did not say whether this token may read the repository; ask again.')
  }
}

/** A token goes on in a header, so it holds nothing that a header could not. */
export function tokenOf({ headers }: IncomingMessage): string | null {
  return /^(?:bearer|token) ([!-~]{1,500})$/i.exec(headers.authorization ?? '')?.[1] ?? null
}

const refused = (status: number, error: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  text: JSON.stringify({ error }),
  headers: { ...json, ...headers },
})
