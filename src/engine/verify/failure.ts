// Why nobody judged: what the change itself can bring about goes to a person, and an outage is no opinion.
import type { ReferReason, UnavailableReason } from '../../core/decision/verdict.ts'

/** `of_request`: what was to be asked brought it about, refused for what it is or too much for the time; most of it is others' words. */
export type Failure =
  | { readonly kind: 'refer'; readonly reason: ReferReason; readonly detail: string | null }
  | { readonly kind: 'unavailable'; readonly reason: UnavailableReason; readonly of_request?: true }
