// An issue was changed while attempts at it are judged. Their contracts stay as they were frozen; what another attempt would be
// asked is read as if one opened now, and the page tells the difference.
import type { Forge } from '../../ports.ts'
import type { Repository } from '../../core/news.ts'
import { forgeOf, load, type Engine } from '../engine.ts'
import { opening } from './opening.ts'
import { refOf } from './own-task.ts'
import { app, record } from '../record.ts'
import { settle } from '../settle.ts'

/** So many pull requests of one task are looked at. */
const PULLS_MAX = 10

export async function taskChanged(
  engine: Engine<Forge>,
  repository: Repository,
  issue: number,
  correlation_id: string,
): Promise<void> {
  const ref = refOf(repository, `${repository.key}#${issue}`)
  const { task } = await load(engine, ref)
  const open = task.attempts.filter(({ live, group }) => live && group === null).slice(-PULLS_MAX)
  if (open.length === 0) return
  const forge = await forgeOf(engine, repository)
  for (const { id: attempt_id, pull, head_sha, base_ref, policy_hash } of open) {
    const brief = await forge.brief({ pull, head_sha, base_ref })
    // What moved meanwhile opens another attempt, which reads the task itself.
    if (brief.facts.head_sha !== head_sha || brief.facts.base_ref !== base_ref) continue
    const { base_is_default } = brief.facts
    const seen = { pull, head_sha, base_ref, base_is_default, ready: true, by: null, push: null, at: '' } as const
    const now = await opening(engine, forge, repository, ref, brief, { kind: 'pull_changed', ...seen })
    if (now.kind !== 'open' || now.input.contract.policy_hash !== policy_hash) continue
    const { contract, remarks } = now.input
    await record(engine, ref, { type: 'note_drift', attempt_id, contract, remarks }, { actor: app, correlation_id })
  }
  await settle(engine, ref)
}
