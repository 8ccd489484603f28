// Secrets out of whatever is posted or kept: what is told to the rules, before they decide on it, and what is shown to
// anybody. What something is known by is left alone, since it is compared with what GitHub says; so is the policy, which
// lies open in the repository and must be what governs.
import type { Forge } from '../ports.ts'

export type Redact = (text: string) => string

// prettier-ignore
const identities: ReadonlySet<string> = new Set([
  'id', 'key', 'attempt_id', 'session_id', 'run', 'slot', 'digest', 'ref', 'base_ref', 'check_name', 'head_sha', 'tree_sha', 'sha', 'path', 'previous_path',
  'name', 'login', 'user', 'by', 'nonce', 'policy', 'policy_hash', 'contract_hash', 'task_id', 'type', 'at', 'event', 'kind', 'mark',
  'repository', 'merges_into', 'stream', 'review_id', 'subject', 'full_name', 'default_branch', 'head_ref', 'commit_id', 'fingerprint',
])

/** The same value with every text in it redacted; the very same where none of them held a secret. */
export function redacted<T>(value: T, redact: Redact): T
export function redacted(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const clean = value.map((one) => redacted(one, redact))
    return clean.some((one, index) => one !== value[index]) ? clean : value
  }
  const entries = Object.entries(value)
  const clean = entries.map(([key, inner]) => (isIdentity(key, inner) ? inner : redacted(inner, redact)))
  if (clean.every((inner, index) => inner === entries[index]?.[1])) return value
  return Object.fromEntries(entries.map(([key], index) => [key, clean[index]]))
}

const isIdentity = (key: string, value: unknown): boolean =>
  key === 'policy' || (identities.has(key) && typeof value === 'string')

/** A repository on GitHub that is shown no secret. */
export const discreet = (forge: Forge, redact: Redact): Forge => ({
  ...forge,
  show: (shown, ref) => forge.show(redacted(shown, redact), ref),
  reply: (pull, body) => forge.reply(pull, redact(body)),
  goals: { ...forge.goals, make: (wish) => forge.goals.make(redacted(wish, redact)) },
  requests: {
    ...forge.requests,
    start: (task, way, words, mark) => forge.requests.start(task, way, redact(words), mark),
  },
})
