// What went wrong with a call, and what is done about it: one table for the class, one for the repeats. A spend limit
// comes as a 429 too, so the code is looked at before the status.
import type { Asked, FaultCause } from './model.ts'

export type Trouble = { readonly status: number | null; readonly type: string | null; readonly code: string | null }
type Row = { readonly cause: FaultCause; readonly when: (trouble: Trouble) => boolean }

const of = (...values: readonly string[]): ((value: string | null) => boolean) => {
  const known = new Set(values)
  return (value) => value !== null && known.has(value)
}
const isRamp = of('ramp_limit_exceeded')
const isMoneyCode = of('contract_spend_limit_reached', 'credit_balance_too_low')
const isTransientType = of('overloaded_error', 'api_error', 'rate_limit_error', 'timeout_error')

/** From top to bottom; the first row that holds decides. Whatever none of them knows is our request that is wrong. */
const rows: readonly Row[] = [
  { cause: 'ramp', when: ({ code }) => isRamp(code) },
  {
    cause: 'money',
    when: ({ status, type, code }) =>
      status === 402 || type === 'billing_error' || isMoneyCode(code) || code?.startsWith('enforced_') === true,
  },
  { cause: 'transient', when: ({ status }) => status !== null && ([408, 409, 429].includes(status) || status >= 500) },
  { cause: 'transient', when: ({ status, type }) => status === null && (type === null || isTransientType(type)) },
  { cause: 'config', when: () => true },
]

export function causeOf(trouble: Trouble): FaultCause {
  return rows.find(({ when }) => when(trouble))?.cause ?? 'config'
}

type Refused = Trouble & { readonly message: string | null }

const isTooLong = /\b(?:prompt|input|request)\b.{0,40}\b(?:too long|exceeds?)\b/i
const isFiltered = /\bblocked by content filter/i

/**
 * What the API refuses for what it was sent, and not for how it is called: too long, or nothing to be said about. A change can
 * bring that about, so it is no outage and no wrong setting; null is any other trouble.
 */
export function broughtAboutBy({ status, type, message }: Refused): 'context_exceeded' | 'refused' | null {
  if (status === 413 || type === 'request_too_large') return 'context_exceeded'
  if (type !== 'invalid_request_error' || message === null) return null
  if (isFiltered.test(message)) return 'refused'
  return isTooLong.test(message) ? 'context_exceeded' : null
}

/** Neither the key nor the model is what was refused. */
export const isOfRequest = (asked: Asked): boolean =>
  asked.kind === 'failed' && asked.cause === 'config' && [400, 422].includes(asked.status ?? 0)

/** How often a call is made at most, all tries counted, by how it ended. */
export const triesMax = {
  transient: 3,
  deadline: 3,
  ramp: 1,
  money: 1,
  config: 1,
  superseded: 1,
  refused: 2,
  truncated: 2,
  context_exceeded: 1,
  unreadable: 2,
  malformed: 2,
  grammar: 2,
} as const

/** Full jitter below these; the third is never reached by three tries and stands for more. */
export const backoffMs = [1_000, 4_000, 16_000] as const
export const RETRY_AFTER_MS_MAX = 60_000

/** An outage is asked about again later, with pauses that grow; the rest needs somebody to act first. */
export const rescheduleMinutes = [2, 5, 15, 60] as const
export const isRescheduled = (reason: string): boolean => ['transient', 'ramp', 'deadline', 'quorum'].includes(reason)

/** Some schemas compile to more than the API takes; the same question without a schema is read just as strictly. */
export const isGrammarTooLarge = (asked: Asked): boolean =>
  asked.kind === 'failed' && asked.status === 400 && asked.code === 'grammar_too_large'
