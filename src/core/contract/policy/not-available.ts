// Keys that the format has and nothing honours yet. Whoever sets one would rely on what does not happen, so a policy
// file that does is refused, and a task's block is told. Left out, or at a default that means "not used", each is fine.
// A key leaves this table with the change that makes it work; a test holds every other key to a reader.
import { canonical } from '../../canonical.ts'
import { dig, type RuleBroken } from './rule-broken.ts'
import { builtInPolicy } from './policy.ts'
import type { JsonObject } from '../tree.ts'

const steps = 'there are no optional steps around tasks'
const suite = 'nothing runs a command for the verdict. Name a check under `check` instead'

/** Why each key of the policy is not available. */
export const notAvailable: Readonly<Record<string, string>> = {
  'verification.verifier.test_suite.command': suite,
  'verification.verifier.test_suite.working_dir': suite,
  'verification.verifier.test_suite.timeout': suite,
  'middleware.coordination': steps,
}

/** What a policy file sets and nothing honours. */
export function unavailableIn(policy: unknown): RuleBroken[] {
  return keysSet(policy, notAvailable).map(({ path, why }) => {
    const unused = dig(builtInPolicy, ...path)
    const instead = unused === undefined ? 'Leave it out' : `Leave it out, or at \`${JSON.stringify(unused)}\``
    return { path, message: `is not available yet: ${why}. ${instead}`, nearest: null }
  })
}

/** The same of a task's block, which counts without them. */
export function unavailableAsked(asked: JsonObject): { readonly key: string; readonly message: string }[] {
  return keysSet(asked, notAvailable).map(({ path, why }) => {
    const key = path.join('.')
    return { key, message: `\`${key}\` is not available yet: ${why}. Nothing follows from it.` }
  })
}

/** A default in this table means that the key is not used, and so does an empty list. */
function keysSet(written: unknown, table: Readonly<Record<string, string>>) {
  return Object.entries(table).flatMap(([key, why]) => {
    const path = key.split('.')
    const value = dig(written, ...path)
    const unused = value === undefined || canonical(value) === canonical(dig(builtInPolicy, ...path))
    return unused || (Array.isArray(value) && value.length === 0) ? [] : [{ path, why }]
  })
}
