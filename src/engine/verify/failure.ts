// Why nobody judged: what the change itself can bring about goes to a person, and an outage is no opinion.
import type { ReferReason, UnavailableReason } from '../../core/decision/verdict.ts'

export type Failure =
  | { readonly kind: 'refer'; readonly reason: ReferReason; readonly detail: string | null }
  | { readonly kind: 'unavailable'; readonly reason: UnavailableReason }
