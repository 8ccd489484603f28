// Whether the red team attacks a change: because of what it touches, or of what is at stake.
import type { Attempt } from '../model.ts'

const stakesInOrder = ['low', 'medium', 'high', 'critical'] as const

/** Why it is attacked, or why not. Where what it touches is not known, it may touch anything. */
export function attackOn({ contract, paths, files_complete }: Attempt): {
  readonly applies: boolean
  readonly why: string
} {
  const { paths: wanted, min_stakes = 'high' } = contract.policy.security.red_team
  if (paths === null || !paths.known || !files_complete)
    return { applies: true, why: 'what it touches is not known whole' }
  const [guarded] = paths.guarded
  if (guarded !== undefined) return { applies: true, why: `it touches ${guarded}, which is protected` }
  if (wanted !== undefined && (paths.gates ?? ['red_team']).includes('red_team'))
    return { applies: true, why: 'it touches `security.red_team.paths`' }
  const enough = stakesInOrder.indexOf(contract.stakes) >= stakesInOrder.indexOf(min_stakes)
  return enough
    ? { applies: true, why: `its stakes are ${contract.stakes}` }
    : {
        applies: false,
        why: `its stakes are ${contract.stakes}, below ${min_stakes}, and it touches nothing that is attacked anyway`,
      }
}
