// Who calls: nobody, an App by a JWT that it signed, or the holder of a token. Credentials live on the wall clock.
// https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app
import { createVerify } from 'node:crypto'
import { isFields, type Fields } from '../fields.ts'
import type { App } from '../model.ts'
import { badCredentials, Problem } from '../problem.ts'
import type { World } from '../world.ts'
import type { Viewer } from './call.ts'

const jwtLifeSecondsMax = 600
const clockDriftSeconds = 60

export function viewerOf(world: World, authorization: string | undefined): Viewer {
  if (authorization === undefined) return { kind: 'nobody' }
  const text = credentials(authorization)
  if (text.split('.').length === 3) return { kind: 'app', app: appOf(world, text) }
  const token = world.state.tokens.get(text)
  if (token === undefined) throw badCredentials()
  if (token.expiresAt !== null && Date.parse(token.expiresAt) <= Date.now()) throw badCredentials()
  return { kind: 'token', token }
}

function credentials(authorization: string): string {
  const [scheme = '', value = ''] = authorization.split(' ')
  if (scheme.toLowerCase() !== 'basic') return value
  // Git and some clients send a token as the password.
  return Buffer.from(value, 'base64').toString().split(':').at(-1) ?? ''
}

const undecodable = (): Problem => new Problem(401, 'A JSON web token could not be decoded')

function appOf(world: World, jwt: string): App {
  const [header = '', payload = '', signature = ''] = jwt.split('.')
  const claims = decode(payload)
  if (decode(header)['alg'] !== 'RS256') throw undecodable()
  const issuer = String(claims['iss'])
  const app = [...world.state.apps.values()].find(({ id, clientId }) => `${id}` === issuer || clientId === issuer)
  if (app === undefined || app.publicKey === null) throw new Problem(404, 'Integration not found')
  const verifier = createVerify('RSA-SHA256').update(`${header}.${payload}`)
  if (!verifier.verify(app.publicKey, Buffer.from(signature, 'base64url'))) throw undecodable()
  checkTimes(claims)
  return app
}

function checkTimes({ iat, exp }: Fields): void {
  const now = Date.now() / 1000
  if (typeof exp !== 'number' || exp <= now) {
    const claim = "'Expiration time' claim ('exp') must be a numeric value representing the future time"
    throw new Problem(401, `${claim} at which the assertion expires`)
  }
  if (exp > now + jwtLifeSecondsMax + clockDriftSeconds) {
    throw new Problem(401, "'Expiration time' claim ('exp') is too far in the future")
  }
  if (typeof iat !== 'number' || iat > now + clockDriftSeconds) {
    const claim = "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued"
    throw new Problem(401, claim)
  }
}

function decode(part: string): Fields {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    if (isFields(value)) return value
  } catch {
    throw undecodable()
  }
  throw undecodable()
}
