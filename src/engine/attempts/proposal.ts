// The policy that a pull request would bring to a base which has none. Only one that it adds itself is a proposal: whoever
// still has the file of a base that let go of it proposes nothing.
import { proposalOf, type PolicySources } from '../../core/contract/policy/governing.ts'
import { bringsPolicy } from '../../core/contract/scope.ts'
import type { Reason } from '../../core/decision/decision.ts'
import type { Forge, PolicyTexts, PullFacts } from '../../ports.ts'

/** Null where it proposes none. */
export async function proposedBy(
  forge: Pick<Forge, 'policyCopy' | 'changedFiles'>,
  { number: pull, head_sha, merges_into }: Pick<PullFacts, 'number' | 'head_sha' | 'merges_into'>,
): Promise<PolicySources | null> {
  const copy = await forge.policyCopy({ head_sha })
  if (copy === null) return null
  const { files } = await forge.changedFiles({ pull, head_sha, merges_into })
  return bringsPolicy(files) ? proposalOf(copy) : null
}

export const isWithout = ({ own, organisation }: PolicyTexts): boolean => own === null && organisation === null

/** What keeps it from counting until somebody entitled has said so. */
export const proposed = (base_ref: string): Reason => ({ code: 'policy_proposed', subject: base_ref, detail: null })
