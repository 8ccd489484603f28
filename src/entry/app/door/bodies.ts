// Bodies of requests while nobody knows yet who sends them. All that are being received share one room: where it is full,
// the largest of them has to leave, so that many small ones are never kept out by a few large ones.
import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'

/** The parts in their order; or why there are none. */
export type Body = readonly Buffer[] | 'too large' | 'no room' | 'broken off'

export type Room = {
  /** `seen` is shown each part as it comes. What is in the room leaves it when this resolves. */
  readonly receive: (request: IncomingMessage, bytesMax: number, seen?: (part: Buffer) => void) => Promise<Body>
}

type Guest = { readonly held: () => number; readonly leave: (why: Body) => void }

/** What keeping a part costs besides its bytes: a body may come in parts of one byte each. */
const PART_BYTES = 512

export function roomFor(bytesMax: number): Room {
  const guests = new Set<Guest>()
  let held = 0
  const receive: Room['receive'] = (request, bodyBytesMax, seen) =>
    new Promise((resolve) => {
      let parts: Buffer[] = []
      let size = 0
      let cost = 0
      const leave = (body: Body): void => {
        if (!guests.delete(guest)) return
        request.off('data', onPart).off('end', onEnd).off('close', onClose)
        held -= cost
        parts = []
        resolve(body)
      }
      const onPart = (part: Buffer): void => {
        size += part.length
        if (size > bodyBytesMax) return leave('too large')
        seen?.(part)
        parts.push(part)
        cost += part.length + PART_BYTES
        held += part.length + PART_BYTES
        // The largest holds at least what has just come, so that there is room again.
        if (held > bytesMax) largestOf(guests)?.leave('no room')
      }
      const onEnd = (): void => leave(parts)
      const onClose = (): void => leave('broken off')
      const guest: Guest = { held: () => cost, leave }
      guests.add(guest)
      if (declared(request) > bodyBytesMax) return leave('too large')
      if (request.destroyed) return leave('broken off')
      request.on('data', onPart).on('end', onEnd).on('close', onClose)
    })
  return { receive }
}

/** How much is to come, as far as it was said. */
export const declared = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? 0)

/** How much is joined before others have their turn. */
const STRETCH_BYTES = 4 * 1024 * 1024

/** One part is a whole already, and is not copied. */
export async function whole(parts: readonly Buffer[]): Promise<Buffer> {
  if (parts.length === 1 && parts[0] !== undefined) return parts[0]
  const all = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  let pause = STRETCH_BYTES
  for (const part of parts) {
    end += part.copy(all, end)
    if (end < pause) continue
    pause = end + STRETCH_BYTES
    await setImmediate()
  }
  return all
}

function largestOf(guests: ReadonlySet<Guest>): Guest | null {
  let largest: Guest | null = null
  for (const guest of guests) if (largest === null || guest.held() > largest.held()) largest = guest
  return largest
}
