// How the command line asks a verifier: with what it cannot make itself, and in which words it tells that nobody answered.
import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { UnavailableReason } from '../../../core/decision/verdict.ts'
import { recordedNonce } from '../../../engine/verify/eval-set.ts'
import type { EvalPorts } from '../../../engine/verify/evaluate.ts'

/** Nobody outside reads these prompts, so that nothing has to be kept from being guessed. */
export const offline: EvalPorts = {
  clock: { now: () => new Date().toISOString() },
  keyed: (text) => createHmac('sha256', 'eval').update(text).digest('hex'),
  nonce: () => recordedNonce,
  pause: async () => undefined,
  chance: () => 0,
}

export function livePorts(): EvalPorts {
  const secret = randomBytes(32)
  return {
    ...offline,
    keyed: (text) => createHmac('sha256', secret).update(text).digest('hex'),
    nonce: () => randomBytes(8).toString('hex'),
    // A pause that is cut short is over; whoever cut it looks at the signal.
    pause: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => undefined),
    chance: Math.random,
  }
}

export const whyUnavailable = {
  transient: 'the API could not be reached or did not work',
  ramp: 'the API holds back, since its use grows too fast',
  money: 'a spend limit is reached',
  config: 'the API refused the request; check ANTHROPIC_API_KEY, MODEL_BASE_URL and the model',
  no_key: 'there is no key',
  deadline: 'no answer came in time',
  quorum: 'too few votes came in',
  capability: 'the API does not serve that model, or the model cannot answer in a given form',
  no_result: 'there is no result',
} as const satisfies Record<UnavailableReason, string>
