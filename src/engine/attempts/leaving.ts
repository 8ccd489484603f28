// A pull request that leaves a commit, by an end, a draft, a push or another base: whoever else has that commit shows it alone
// from then on.
import type { Attempt } from '../../core/decision/model.ts'
import { commitKey } from '../../core/decision/record/keys.ts'
import { checkSlot } from '../../core/decision/shown/slots.ts'
import { load, recall, type Engine, type TaskRef } from '../engine.ts'
import { app, record } from '../record.ts'
import { settle } from '../settle.ts'

/**
 * `leave` records that it is gone. What others owe is noted before, so that whatever ends us in between leaves it owed, and
 * after, since they may have shown once more what held until then.
 */
export async function whileLeaving<T>(engine: Engine, attempt: Attempt | null, leave: () => Promise<T>): Promise<T> {
  if (attempt === null) return leave()
  const before = await leftToOthers(engine, attempt)
  const left = await leave()
  if (before.length > 0) for (const other of await leftToOthers(engine, attempt)) await settle(engine, other)
  return left
}

/** What this one had a say in is shown by others alone from now on, also where they have shown the same before. */
async function leftToOthers(engine: Engine, { repository, pull, head_sha, check_name }: Attempt): Promise<TaskRef[]> {
  const slot = checkSlot(head_sha, check_name)
  const others: TaskRef[] = []
  for (const stream of await engine.store.find(commitKey(repository, head_sha))) {
    const ref = await recall(engine, stream)
    if (ref === null) continue
    const { task } = await load(engine, ref)
    const place = task.slots[slot]?.ref ?? null
    const other = task.attempts.find(
      (one) =>
        one.live &&
        one.group === null &&
        one.pull !== pull &&
        one.head_sha === head_sha &&
        one.check_name === check_name,
    )
    if (other === undefined) continue
    const again = { type: 'show_slot', attempt_id: other.id, slot, digest: `left by ${pull}`, ref: place } as const
    await record(engine, ref, again, { actor: app, correlation_id: 'left' })
    others.push(ref)
  }
  return others
}
