// The documents for programs, over HTTP: `GET /attempts/<owner>/<repo>/<pull>`, and `/log` behind it for what happened;
// `/tasks/`, `/goals/` and `/requests/` by the number of an issue. Whoever asks shows a token, and reads what GitHub lets that token read.
import type { IncomingMessage } from 'node:http'
import type { Readers } from '../../../adapters/github/people/readers.ts'
import { repositoryName } from '../../../core/repository-name.ts'
import { documents, type DocumentKind } from '../../../engine/documents.ts'
import type { Store } from '../../../ports.ts'
import { orRefusal, refusalOf, tokenOf } from './bearer.ts'

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
const place = new RegExp(`^/(attempts|tasks|goals|requests)/(${repositoryName})/([1-9]\\d{0,9})(/log)?$`)
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

/** `proved` is called where GitHub knows who asks. */
export async function documentAt(
  { store, readers, hide }: AttemptParts,
  request: IncomingMessage,
  proved: () => void,
): Promise<Answer> {
  const token = tokenOf(request)
  if (token === null) {
    return refused(401, 'Show a token of GitHub that can read the repository: `Authorization: Bearer <token>`.')
  }
  const [, of = '', name = '', number = '', log = ''] = place.exec((request.url ?? '').split('?')[0] ?? '') ?? []
  const kind = kinds[`/${of}${log}`]
  if (kind === undefined)
    return refused(
      404,
      'Ask for /attempts/<owner>/<repo>/<pull request>, or /tasks/, /goals/ and /requests/ by an issue.',
    )
  const why = await refusalOf(readers, token)
  if (why !== null) return refused(...why)
  proved()
  const key = await orRefusal(readers.repository(token, name))
  if (key === null) return refused(404, 'GitHub shows no such repository to this token.')
  if (typeof key !== 'string') return refused(...key)
  const document = await documents[kind](store, key, Number(number))
  return document === null
    ? refused(404, NOTHING_THERE)
    : { status: 200, text: hide(document), headers: kind === 'log' ? plain : json }
}

const refused = (status: number, error: string): Answer => ({
  status,
  text: JSON.stringify({ error }),
  headers: {
    ...json,
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(status === 429 ? { 'retry-after': '60' } : {}),
  },
})
