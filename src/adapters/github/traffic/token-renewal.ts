// A token that GitHub does not take any more although its hour is not over: it was revoked, or our clock was set back since.
// The library would keep it for its hour, and where the clock was set back try it for as long. It is forgotten instead, once for
// all whose requests went out with it, and they are sent again.
import { setTimeout as sleep } from 'node:timers/promises'

/** GitHub does not take the token of an installation. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
  readonly status = 401

  constructor(installation: string) {
    super(`GitHub does not take the token of installation ${installation}, nor another one (401)`)
  }
}

/** Where the next one is not taken either, it is not for the token; or it was made just now and is not known everywhere yet. */
const AGAIN_MS = 10_000
const PAUSES_MS = [1_000, 2_000, 3_000] as const

export type Renewal = {
  /** Whether there is another token where this one is refused: not for whoever brings their own, or acts as the App. */
  readonly isPossible: boolean
  /** Sends something, and again with another token while that may help. */
  readonly withGoodToken: <T>(send: () => Promise<T>) => Promise<T>
}
type Time = { readonly ms: () => number; readonly pause: (ms: number) => Promise<unknown> }

/** `auth`: how a client knows its tokens. The clock is one that nobody sets. */
export function tokenRenewal(
  auth: unknown,
  installation: string,
  { ms, pause }: Time = { ms: () => performance.now(), pause: sleep },
): Renewal {
  const tokens = tokensIn(auth)
  let forgotten = -Infinity
  /** Whether what began then went out with a token that was forgotten since. */
  const isForgotten = (began: number): boolean => {
    const now = ms()
    if (forgotten < began && now - forgotten >= AGAIN_MS) {
      forgotten = now
      tokens?.delete(installation)
    }
    return forgotten > began
  }
  return {
    isPossible: tokens !== null,
    withGoodToken: async (send) => {
      for (const wait of PAUSES_MS) {
        const began = ms()
        try {
          return await send()
        } catch (error) {
          if (!isRefused(error)) throw error
        }
        if (!isForgotten(began)) await pause(wait)
      }
      return send()
    },
  }
}

/** The library wraps whatever fetch throws. */
const isRefused = (error: unknown): boolean =>
  error instanceof TokenRefused || (error instanceof Error && error.cause instanceof TokenRefused)

/** Where the library keeps the tokens of all installations, each under its number. */
type TokenCache = { readonly delete: (installation: string) => unknown }

const tokensIn = (auth: unknown): TokenCache | null =>
  typeof auth === 'object' && auth !== null && 'installationId' in auth && 'cache' in auth && isCache(auth.cache)
    ? auth.cache
    : null

const isCache = (cache: unknown): cache is TokenCache =>
  typeof cache === 'object' && cache !== null && 'delete' in cache && typeof cache.delete === 'function'
