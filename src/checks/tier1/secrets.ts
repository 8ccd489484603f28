// Secrets in what a change adds: whoever reads the repository has them from then on, so the line is named and never quoted.
import { matchesAny } from '../../core/contract/glob.ts'
import type { Verification } from '../../core/contract/policy/policy.ts'
import type { ChangedFile, Tier1Check } from '../../core/decision/model.ts'
import { holdsSecret } from '../../core/secret-formats.ts'
import type { Finding } from './finding.ts'
import { someOf } from './one-line.ts'
import { added, changedLines } from './patch.ts'

const NAMED_MAX = 5
/** Of all diffs together, as for the other signs. */
const CHARACTERS_MAX = 32 * 1024 * 1024

export function secretsIn(
  files: readonly ChangedFile[],
  patches: ReadonlyMap<string, string>,
  { secrets, secrets_allowed }: Verification['tier1'],
): Finding[] {
  if (secrets === 'off') return []
  let left = CHARACTERS_MAX
  return files.flatMap(({ path }) => {
    const patch = patches.get(path) ?? ''
    left -= patch.length
    if (left < 0 || patch === '' || matchesAny(secrets_allowed, path)) return []
    if (!holdsSecret(patch)) return []
    return added(changedLines(patch)).flatMap(({ line, text }): Finding[] =>
      holdsSecret(text) ? [{ path, line, severity: 'HIGH', category: 'secret', message: words }] : [],
    )
  })
}

const words = 'This line looks as if it held a secret. Take it out, and make it invalid where it was valid.'

/** There only where something was found: that nothing looks like a secret proves nothing. */
export function secretsCheck(found: readonly Finding[], { secrets }: Verification['tier1']): Tier1Check[] {
  if (secrets !== 'fail' || found.length === 0) return []
  const places = found.map(({ path, line }) => `${path} line ${line} looks as if it held a secret`)
  return [{ name: 'secrets', passed: false, detail: someOf(places, NAMED_MAX) }]
}
