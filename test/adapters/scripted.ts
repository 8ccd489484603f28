// A GitHub of a few lines, for what the stateful one cannot be brought to say: it answers by rule and keeps what it was asked.
import { Octokit } from '@octokit/rest'
import type { Access } from '../../src/adapters/github/access.ts'

export type Asked = { readonly line: string; readonly body: Readonly<Record<string, unknown>>; readonly text: string }
export type Reply = {
  readonly status?: number
  readonly json?: unknown
  /** Sent as they are, in place of JSON. */
  readonly bytes?: Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

type Scripted = { readonly access: Access; readonly asked: readonly Asked[]; readonly octokit: Octokit }

export function scripted(rule: (asked: Asked) => Reply | null, more: Partial<Access> = {}): Scripted {
  const asked: Asked[] = []
  const fetch = async (url: string, { method = 'GET', body }: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url)
    const text = typeof body === 'string' ? body : ''
    const value: unknown = text === '' ? {} : JSON.parse(text)
    const one = { line: `${method} ${pathname}${search}`, body: fieldsOf(value), text }
    asked.push(one)
    const { status = 200, json, bytes, headers = {} } = rule(one) ?? { status: 404, json: { message: 'Not Found' } }
    if (bytes !== undefined) return new Response(bytes, { status, headers })
    const type = { 'content-type': 'application/json; charset=utf-8' }
    return new Response(JSON.stringify(json), { status, headers: { ...type, ...headers } })
  }
  const octokit = new Octokit({ request: { fetch }, log: quiet })
  const place = { owner: 'acme', repo: 'shop' }
  const access: Access = { octokit, place, slug: 'countersign', app: 1, now: () => 0, ...more }
  return { access, asked, octokit }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}

const nothing = (): void => undefined
const quiet = { debug: nothing, info: nothing, warn: nothing, error: nothing }
