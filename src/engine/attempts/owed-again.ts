// What stands at GitHub is not what we last showed there, so it is owed again.
import type { Attempt, TaskState } from '../../core/decision/model.ts'
import { checkSlot } from '../../core/decision/shown/slots.ts'
import { commitKey } from '../../core/decision/record/keys.ts'
import type { Repository } from '../../core/news.ts'
import type { Forge } from '../../ports.ts'
import { load, type Engine } from '../engine.ts'
import { refOf } from './own-task.ts'
import { app, record } from '../record.ts'
import { settle } from '../settle.ts'
import { newer } from '../showing.ts'

/** `ref`: where it is shown from now on; null makes it anew. */
export type Again = { readonly attempt: Attempt; readonly slot: string; readonly ref: string | null }

/** How many places of the tasks under this key are owed again; null where nothing is known under it. */
export async function owedAgain(
  engine: Engine<Forge>,
  repository: Repository,
  key: string,
  correlation_id: string,
  which: (task: TaskState) => readonly Again[],
): Promise<number | null> {
  const streams = await engine.store.find(key)
  let owed = 0
  for (const stream of streams) {
    const ref = refOf(repository, stream)
    const { task } = await load(engine, ref)
    for (const { attempt, slot, ref: place } of which(task)) {
      const digest = `touched ${correlation_id}`
      const input = { type: 'show_slot', attempt_id: attempt.id, slot, digest, ref: place } as const
      await record(engine, ref, input, { actor: app, correlation_id })
      owed += 1
    }
    await settle(engine, ref)
  }
  return streams.length > 0 ? owed : null
}

export type Run = { readonly sha: string; readonly name: string; readonly ref: string }

/**
 * A run that one pull request needs no more is perhaps the newest of its commit, which is the one that counts: where other pull
 * requests are judged with that commit, it says what they say. False where it speaks for nobody.
 */
export async function handedOver(
  engine: Engine<Forge>,
  repository: Repository,
  { sha, name, ref }: Run,
  pull: number,
  correlation_id: string,
): Promise<boolean> {
  const slot = checkSlot(sha, name)
  const owed = await owedAgain(engine, repository, commitKey(repository.key, sha), correlation_id, (task) => {
    const place = task.slots[slot]?.ref ?? null
    if (newer(place, ref) === place) return []
    return task.attempts
      .filter((one) => one.live && one.group === null && one.head_sha === sha && one.pull !== pull)
      .map((attempt) => ({ attempt, slot, ref }))
  })
  return (owed ?? 0) > 0
}
