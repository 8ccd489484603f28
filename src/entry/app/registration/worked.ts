// Whether a registration worked: whether GitHub takes the new key, whether a webhook found its way here, and where the App is
// installed. What arrives before the App itself runs is not taken, so that GitHub keeps it and the App asks for it.
import type { IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { wordsOf } from '../../../core/error-words.ts'
import type { Room } from '../door/bodies.ts'
import { sealsOf } from '../door/signature.ts'
import type { Kept } from './env-file.ts'

export type Worked = {
  /** Why GitHub does not take the key; null where it does. */
  readonly refused: string | null
  /** The events that arrived, signed. */
  readonly heard: readonly string[]
  /** What GitHub says of its last try, where nothing arrived; null where it says nothing. */
  readonly lastTry: string | null
  /** The accounts on which it is installed. */
  readonly installed: readonly string[]
}
export type Aftermath = {
  /** True for a webhook of this App's. */
  readonly receive: (request: IncomingMessage, room: Room) => Promise<boolean>
  readonly look: () => Promise<Worked>
}

const ANSWER_MS_MAX = 8_000
const WEBHOOK_BYTES_MAX = 512 * 1024
const EVENTS_MAX = 20
const installations = z.array(z.object({ account: z.object({ login: z.string() }).nullish() }))
const deliveries = z.array(z.object({ status: z.string(), event: z.string() }))

export function aftermathOf(apiUrl: string, { APP_ID, PRIVATE_KEY, WEBHOOK_SECRET }: Kept): Aftermath {
  const seals = sealsOf(WEBHOOK_SECRET)
  const heard = new Set<string>()
  const look = async (): Promise<Worked> => {
    // The client is slow to load, and only whoever registers needs it here.
    const { countersignOctokit } = await import('../../../adapters/github/traffic/app-octokit.ts')
    const { githubTraffic } = await import('../../../adapters/github/traffic/client.ts')
    const Client = countersignOctokit(githubTraffic())
    const octokit = new Client({ auth: { appId: Number(APP_ID), privateKey: PRIVATE_KEY }, baseUrl: apiUrl })
    await octokit.request('GET /app')
    const { data: all } = await octokit.request('GET /app/installations', { per_page: 100 })
    const { data: tries } = await octokit.request('GET /app/hook/deliveries', { per_page: 1 })
    const [last] = deliveries.parse(tries)
    return {
      refused: null,
      heard: [...heard],
      lastTry: last === undefined ? null : `${last.event}: ${last.status}`,
      installed: installations.parse(all).flatMap(({ account }) => account?.login ?? []),
    }
  }
  return {
    receive: async (request, room) => {
      const seal = seals(String(request.headers['x-hub-signature-256'] ?? ''))
      const event = String(request.headers['x-github-event'] ?? '')
      if (seal === null) return false
      const body = await room.receive(request, WEBHOOK_BYTES_MAX, seal.seen)
      if (typeof body === 'string' || !seal.holds()) return false
      if (heard.size < EVENTS_MAX && /^\w{1,60}$/.test(event)) heard.add(event)
      return true
    },
    look: () =>
      Promise.race([look(), delay(ANSWER_MS_MAX, null, { ref: false }).then(tooLate)]).catch((error: unknown) => ({
        refused: wordsOf(error),
        heard: [...heard],
        lastTry: null,
        installed: [],
      })),
  }
}

const tooLate = (): never => {
  throw new Error(`GitHub did not answer within ${ANSWER_MS_MAX / 1000} seconds`)
}
