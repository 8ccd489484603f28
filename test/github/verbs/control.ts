// The machinery itself: webhooks, trouble, limits, and the log of what was asked.
import { found } from '../world.ts'
import type { Fault, Faults } from '../wire/faults.ts'
import type { Limiter, Limits } from '../wire/limits.ts'
import type { Delivery, Knobs, Outbox } from '../wire/outbox.ts'
import type { LoggedRequest } from '../wire/server.ts'

export type Controls = {
  readonly outbox: Outbox
  readonly faults: Faults
  readonly limiter: Limiter
  readonly requests: LoggedRequest[]
  readonly delay: { ms: number }
}
export type ShownDelivery = Pick<
  Delivery,
  | 'id'
  | 'guid'
  | 'event'
  | 'action'
  | 'repository'
  | 'status'
  | 'statusCode'
  | 'durationMs'
  | 'redelivery'
  | 'deliveredAt'
  | 'response'
> & { readonly app: string }

export function controlVerbs({ outbox, faults, limiter, requests, delay }: Controls) {
  return {
    setDeliveries: (knobs: Partial<Knobs>) => outbox.set(knobs),
    deliveries: (): readonly ShownDelivery[] => outbox.deliveries().map(shown),
    payloadOf: (id: number): unknown => JSON.parse(found(outbox.deliveries().find((one) => one.id === id)).payload),
    redeliver: (id: number) => outbox.redeliver(found(outbox.deliveries().find((one) => one.id === id))).id,
    /** Resolves when every webhook has been answered, or given up. */
    idle: () => outbox.idle(),
    /** Gives a number by which the fault can be removed. */
    addFault: (fault: Fault) => faults.add(fault),
    /**
     * Something that happens just before a request is answered, once unless told otherwise: between the webhook and the
     * first reading, or, with `skip`, between two readings. Only for one in the same process.
     */
    before: ({ times = 1, ...when }: Omit<Fault, 'trouble'>, act: () => void) =>
      faults.add({ ...when, times, trouble: { kind: 'meanwhile', act } }),
    removeFault: (id: number) => faults.remove(id),
    clearFaults: () => faults.clear(),
    /** How often a fault has struck. */
    faultHits: (id: number) => faults.hits(id),
    seedFaults: (seed: number) => faults.reseed(seed),
    setLimits: (limits: Partial<Limits>) => limiter.set(limits),
    /** How long every answer takes. */
    setDelay: (ms: number): void => {
      delay.ms = ms
    },
    requestLog: (): readonly LoggedRequest[] => requests.slice(),
    clearLog: (): void => {
      requests.length = 0
    },
  }
}

function shown(one: Delivery): ShownDelivery {
  const {
    id,
    guid,
    event,
    action,
    repository,
    status,
    statusCode,
    durationMs,
    redelivery,
    deliveredAt,
    response,
    app,
  } = one
  const told = { status, statusCode, durationMs, redelivery, deliveredAt, response }
  return { id, guid, event, action, repository, ...told, app: app.slug }
}
