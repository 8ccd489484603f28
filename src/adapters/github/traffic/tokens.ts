// Tokens that are no good although their hour is not over: GitHub takes one no more, since it was revoked or our clock was set back;
// or one cannot do what was granted since. The library would keep it for its hour, and try one that is refused for as long as our
// clock was set back. Here it is forgotten instead, once for all whose requests went out with it, and they are sent again.
import { setTimeout as sleep } from 'node:timers/promises'
import { statusOf } from '../status.ts'

/** GitHub does not take the token of an installation. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
  readonly status = 401

  constructor(installation: string) {
    super(`GitHub does not take the token of installation ${installation}, nor another one (401)`)
  }
}

/** One per process: tokens are an installation's, not a client's. */
export type Tokens = {
  /** `auth`: how a client knows its tokens. Null for one that brings its own, or acts as the App: it has no other. */
  readonly renewal: (auth: unknown, installation: string) => WithGoodToken | null
  /** The installation allows something else from now on. */
  readonly forget: (installation: string) => void
}
/** Sends something, and again with another token while that may help. */
export type WithGoodToken = <T>(send: () => Promise<T>) => Promise<T>

/** Where another token is not taken either, it is not for the token; or it was made just now and is not known everywhere yet. */
const REFUSED_AGAIN_MS = 10_000
const PAUSES_MS = [1_000, 2_000, 3_000] as const
/** Whoever told us of what they granted has the new token at once; this is for when nobody told us. */
const LACKING_AGAIN_MS = 60_000

type Time = { readonly ms: () => number; readonly pause: (ms: number) => Promise<unknown> }
type Known = { readonly cache: TokenCache; forgotten: number }

/** The clock is one that nobody sets. */
export function tokensIn({ ms, pause }: Time = { ms: () => performance.now(), pause: sleep }): Tokens {
  const known = new Map<string, Known>()
  const forget = (installation: string): void => {
    const one = known.get(installation)
    if (one === undefined) return
    one.forgotten = ms()
    one.cache.delete(installation)
  }
  /** Whether what began then went out with a token that is forgotten by now. */
  const isForgotten = (installation: string, began: number, againMs: number): boolean => {
    const last = (): number => known.get(installation)?.forgotten ?? -Infinity
    if (last() < began && ms() - last() >= againMs) forget(installation)
    return last() > began
  }
  return {
    forget,
    renewal: (auth, installation) => {
      const cache = cacheIn(auth)
      if (cache === null) return null
      if (known.get(installation)?.cache !== cache) known.set(installation, { cache, forgotten: -Infinity })
      return async (send) => {
        for (const wait of PAUSES_MS) {
          const began = ms()
          try {
            return await send()
          } catch (error) {
            const wasRefused = isRefused(error)
            if (!wasRefused && !isLacking(error)) throw error
            if (isForgotten(installation, began, wasRefused ? REFUSED_AGAIN_MS : LACKING_AGAIN_MS)) continue
            if (!wasRefused) throw error
          }
          await pause(wait)
        }
        return send()
      }
    },
  }
}

/** The library wraps whatever fetch throws. */
const isRefused = (error: unknown): boolean =>
  error instanceof TokenRefused || (error instanceof Error && error.cause instanceof TokenRefused)

const isLacking = (error: unknown): boolean =>
  statusOf(error) === 403 && error instanceof Error && /resource not accessible by integration/i.test(error.message)

/** Where the library keeps the tokens of all installations, each under its number. */
type TokenCache = { readonly delete: (installation: string) => unknown }

const cacheIn = (auth: unknown): TokenCache | null =>
  typeof auth === 'object' && auth !== null && 'installationId' in auth && 'cache' in auth && isCache(auth.cache)
    ? auth.cache
    : null

const isCache = (cache: unknown): cache is TokenCache =>
  typeof cache === 'object' && cache !== null && 'delete' in cache && typeof cache.delete === 'function'
