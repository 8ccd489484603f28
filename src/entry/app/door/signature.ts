// GitHub signs what it delivers with a secret that only it and this App know.
// https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'

/** Shown the body as it comes, it knows at the end whether the signature is that body's. */
export type Seal = { readonly seen: (part: Buffer) => void; readonly holds: () => boolean }
export type Seals = (signature: string) => Seal | null

const shape = /^sha256=([0-9a-f]{64})$/

/** Null for what cannot be a signature of anything. */
export function sealsOf(secret: string): Seals {
  const key = createSecretKey(secret, 'utf8')
  return (signature) => {
    const hex = shape.exec(signature)?.[1]
    if (hex === undefined) return null
    const hmac = createHmac('sha256', key)
    return {
      seen: (part) => void hmac.update(part),
      holds: () => timingSafeEqual(hmac.digest(), Buffer.from(hex, 'hex')),
    }
  }
}
