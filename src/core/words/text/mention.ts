// Calling somebody by name, which reaches them: whom the policy names, and nobody else.
import { isAccountOrTeam } from '../../names.ts'
import { codeSpan } from './untrusted.ts'

/** A login or a team; anything else is only shown. */
export const mention = (name: string): string => (isAccountOrTeam(`@${name}`) ? `@${name}` : codeSpan(name))
