// Calling somebody by name, which reaches them: whom the policy names, and nobody else.
import { codeSpan } from './untrusted.ts'

/** A login or a team; anything else is only shown. */
export const mention = (name: string): string =>
  /^[a-z\d](?:[a-z\d-]{0,38})(?:\/[\w.-]{1,100})?$/i.test(name) ? `@${name}` : codeSpan(name)
