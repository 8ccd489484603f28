// Tells whoever asked that what lies at an address has changed: it is looked at again and again, since whoever changes it may
// be any process. Nothing of it outlives the connection that asked.
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { digest } from '../../core/canonical.ts'
import { jsonIn } from '../../core/json.ts'

export const ADDRESSES_MAX = 20
const LOOK_MS = 2_000

export type Watching = {
  /** What is looked at under this name from now on, and nothing else. */
  readonly watch: (name: string, addresses: readonly string[]) => void
  readonly stop: () => void
}

/** What cannot be read just now has not changed. */
export function watching(
  read: (address: string) => Promise<string | null>,
  changed: (address: string) => void,
): Watching {
  const watched = new Map<string, readonly string[]>()
  const known = new Map<string, string>()
  const end = new AbortController()
  let looking = false
  const look = async (): Promise<void> => {
    looking = true
    while (watched.size > 0 && !end.signal.aborted) {
      for (const address of new Set([...watched.values()].flat())) {
        const now = await read(address).then(digest, () => null)
        const before = known.get(address)
        if (now === null || now === before || end.signal.aborted) continue
        known.set(address, now)
        if (before !== undefined) changed(address)
      }
      await delay(LOOK_MS, undefined, { signal: end.signal, ref: false }).catch(() => undefined)
    }
    looking = false
  }
  return {
    watch: (name, addresses) => {
      if (addresses.length === 0) watched.delete(name)
      else watched.set(name, addresses.slice(0, ADDRESSES_MAX))
      if (!looking && watched.size > 0) void look()
    },
    stop: () => end.abort(),
  }
}

const id = z.union([z.string(), z.number()])
const listening = z.object({
  id,
  method: z.literal('subscriptions/listen'),
  params: z.object({ notifications: z.object({ resourceSubscriptions: z.array(z.string()).default([]) }) }),
})
const earlier = z.object({
  method: z.enum(['resources/subscribe', 'resources/unsubscribe']),
  params: z.object({ uri: z.string() }),
})
const cancelling = z.object({
  method: z.literal('notifications/cancelled'),
  params: z.object({ requestId: id }),
})
const message = z.union([listening, earlier, cancelling])

/** What a message asks to be watched from now on, and under which name; null where it is about something else. */
export function watchAsked(given: unknown): { readonly name: string; readonly addresses: readonly string[] } | null {
  const { data } = message.safeParse(given)
  if (data === undefined) return null
  switch (data.method) {
    case 'subscriptions/listen':
      return { name: `listen ${data.id}`, addresses: data.params.notifications.resourceSubscriptions }
    case 'notifications/cancelled':
      return { name: `listen ${data.params.requestId}`, addresses: [] }
    case 'resources/subscribe':
      return { name: data.params.uri, addresses: [data.params.uri] }
    case 'resources/unsubscribe':
      return { name: data.params.uri, addresses: [] }
  }
}

/** In the body of a request; null where it asks for nothing of the kind. */
export const listenAsked = (body: string): readonly string[] | null => {
  const { data } = listening.safeParse(jsonIn(body))
  return data?.params.notifications.resourceSubscriptions ?? null
}
