// How clients of the Model Context Protocol learn where to sign in: GitHub is who gives tokens, and this App only takes them.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization and RFC 9728.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pagesOf } from '../../github-host.ts'
import { guessedAddress } from '../registration/address.ts'

const RESOURCE = '/.well-known/oauth-protected-resource'
const SERVER = '/.well-known/oauth-authorization-server'

/** Both with the path of what is protected behind them, and without. */
export const isSignInPath = (path: string): boolean =>
  [RESOURCE, SERVER].some((one) => path === one || path === `${one}/mcp`)

export function signIn(apiUrl: string, request: IncomingMessage, response: ServerResponse): void {
  const issuer = issuerOf(apiUrl)
  const { pathname = '' } = URL.parse(request.url ?? '', 'http://localhost') ?? {}
  if (pathname.startsWith(SERVER)) {
    // What GitHub offers is told by GitHub, and stays true when that changes.
    const { origin, pathname: path } = new URL(issuer)
    return void response.writeHead(302, { location: `${origin}${SERVER}${path}` }).end()
  }
  const metadata = {
    resource: `${guessedAddress(request)}/mcp`,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    scopes_supported: ['repo'],
    resource_name: 'Countersign',
  }
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
  response.writeHead(200, headers).end(JSON.stringify(metadata))
}

/** What a client without a token, or with one that GitHub does not know, is told. */
export function challenge(request: IncomingMessage, hadToken: boolean): string {
  const address = guessedAddress(request)
  const parts = [
    ...(hadToken ? ['error="invalid_token"'] : []),
    ...(address === '' ? [] : [`resource_metadata="${address}${RESOURCE}/mcp"`]),
    'scope="repo"',
  ]
  return `Bearer ${parts.join(', ')}`
}

/** https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
const issuerOf = (apiUrl: string): string => `${pagesOf(apiUrl)}/login/oauth`
