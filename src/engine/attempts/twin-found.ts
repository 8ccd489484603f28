// A pull request of which nobody told us, found since it has the commit of another one that is about to turn green.
import { forgetOldest } from '../../core/forget.ts'
import type { Forge, Twin } from '../../ports.ts'
import { isJudged, nameOf } from '../between/twins.ts'
import type { Engine, TaskRef } from '../engine.ts'
import { placeOf } from '../issues/issue-record.ts'
import { pullSeen } from './intake.ts'

const TWINS_MAX = 10_000

/** What nothing judges, since there is no policy or it is a draft by now, keeps nobody waiting once it was looked at. */
export async function twinFound(engine: Engine<Forge>, ref: TaskRef, twin: Twin): Promise<void> {
  const { repository } = placeOf(ref)
  await pullSeen(engine, repository, twin, 'twin')
  if (!(await isJudged(engine, repository, twin))) engine.unjudgedTwins.add(nameOf(repository, twin))
  forgetOldest(engine.unjudgedTwins, TWINS_MAX)
  engine.again(ref)
}
