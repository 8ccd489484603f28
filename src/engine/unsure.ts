// What failed to be shown may stand there all the same, by half or whole. It is owed also where, meanwhile, what stood there
// before is to stand there again: the digest of that is still on record, and would say that nothing is to be done.
import type { Input } from '../core/decision/rules/inputs.ts'
import type { Shown } from '../core/decision/shown/owed.ts'
import type { Board } from '../ports.ts'
import { load, type Engine, type TaskRef } from './engine.ts'
import { app, record } from './record.ts'

/** The digest of nothing that is ever shown. */
const unsure = 'unsure'

type ShowSlot = Extract<Input, { type: 'show_slot' }>

/** Slots of a task that could not be shown; one where nothing stood before is owed anyway. */
export async function noteUnsure(
  engine: Engine,
  ref: TaskRef,
  failed: readonly Pick<ShowSlot, 'attempt_id' | 'slot' | 'ref'>[],
): Promise<void> {
  const { task } = await load(engine, ref)
  const stood = failed.filter(({ slot }) => task.slots[slot] !== undefined)
  const inputs = stood.map((one): ShowSlot => ({ type: 'show_slot', ...one, digest: unsure }))
  if (inputs.length > 0) await record(engine, ref, inputs, { actor: app, correlation_id: 'settle' })
}

type Place = Omit<ShowSlot, 'attempt_id'>
type Debt = Pick<Place, 'slot' | 'digest' | 'ref'> & { readonly shown: Shown }

/** Shows something of an issue at its place, and has `tell` note where it stands. */
export async function showAt(
  forge: Board,
  { slot, digest, ref, shown }: Debt,
  tell: (input: Place) => Promise<unknown>,
): Promise<void> {
  const place = await forge.show(shown, ref).catch(async (error: unknown) => {
    if (ref !== null) await tell({ type: 'show_slot', slot, digest: unsure, ref })
    throw error
  })
  await tell({ type: 'show_slot', slot, digest, ref: place.ref })
}
