// A pull request of which nobody told us, found since it has the commit of another one that is about to turn green.
import { forgetOldest } from '../../core/forget.ts'
import type { Forge, Twin } from '../../ports.ts'
import { judgedOn, placeOf, repositoryOf } from '../between/twins.ts'
import type { Engine, TaskRef } from '../engine.ts'
import { pullSeen } from './intake.ts'

const TWINS_MAX = 10_000

/** What nothing judges, since there is no policy or it is a draft by now, keeps nobody waiting once it was looked at. */
export async function twinFound(engine: Engine<Forge>, ref: TaskRef, twin: Twin): Promise<void> {
  const [full_name = ''] = ref.task_id.split('#')
  await pullSeen(engine, { key: repositoryOf(ref), full_name }, twin, 'twin')
  const place = placeOf(ref, twin)
  if (!(await judgedOn(engine, ref, twin.head_sha)).has(place)) engine.unjudgedTwins.add(place)
  forgetOldest(engine.unjudgedTwins, TWINS_MAX)
  engine.again(ref)
}
