// Places where we show something and somebody else changed it, or asked for it to be made again: they are owed again.
import { liveAttempt } from '../../core/decision/rules/attempt.ts'
import { checkSlots, labelSlot, stickySlot } from '../../core/decision/shown/slots.ts'
import { notReadyText } from '../../core/words/not-judged.ts'
import { type Forge } from '../../ports.ts'
import { commitKey, pullKey } from '../../core/decision/record/keys.ts'
import type { News, Repository } from '../../core/news.ts'
import { forgeOf, type Engine } from '../engine.ts'
import { pullSeen } from '../attempts/intake.ts'
import { owedAgain } from '../attempts/owed-again.ts'

type Of<K extends News['kind']> = Extract<News, { kind: K }>

export async function placeTouched(
  engine: Engine<Forge>,
  repository: Repository,
  news: Of<'place_touched'>,
  correlation_id: string,
): Promise<void> {
  const forge = await forgeOf(engine, repository)
  if (news.by.login === forge.self) return
  const slot = news.place === 'sticky' ? stickySlot(news.pull) : labelSlot(news.pull)
  await owedAgain(engine, repository, pullKey(repository.key, news.pull), correlation_id, (task) => {
    const shown = task.slots[slot]
    if (shown === undefined || (news.place === 'sticky' && shown.ref !== news.ref)) return []
    const attempt = liveAttempt(task, news.pull)
    // What is still there of a comment is edited; which labels are still there has to be read.
    return attempt === undefined ? [] : [{ attempt, slot, ref: news.place === 'sticky' ? shown.ref : null }]
  })
}

/** GitHub waits for a new run once somebody asked for one, also on a commit that nobody judges any more. */
export async function runAskedAgain(
  engine: Engine<Forge>,
  repository: Repository,
  { sha, name, at }: Of<'run_asked_again'>,
  correlation_id: string,
): Promise<void> {
  const known = await owedAgain(engine, repository, commitKey(repository.key, sha), correlation_id, (task) => {
    const attempt = task.attempts.findLast(({ head_sha }) => head_sha === sha)
    if (attempt === undefined) return []
    return checkSlots(task, sha).map((slot) => ({ attempt, slot, ref: null }))
  })
  if (known !== null) return
  const forge = await forgeOf(engine, repository)
  const pulls = (await forge.openPulls()).filter(({ head_sha, draft }) => head_sha === sha && !draft)
  for (const { number, ...pull } of pulls)
    await pullSeen(engine, repository, { pull: number, ...pull, ...(at !== '' && { at }) }, correlation_id)
  if (pulls.length === 0) await forge.show({ kind: 'check_run', sha, name, ...notReadyText }, null)
}
