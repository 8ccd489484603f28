// By which attempt a pull request behind a commit speaks for it: the one at the head that GitHub shows, for the base that it is
// shown to be for. Whatever was found out about another head says nothing about what came of this one. The top of a stack says
// nothing of what lies below it, and brings that along: each of these speaks for itself.
import type { Attempt } from '../core/decision/model.ts'
import { isAbout } from '../core/decision/subject.ts'
import type { Repository } from '../core/news.ts'
import type { Behind } from '../ports.ts'
import { isHeardAt } from './all-heard.ts'
import { taskOf } from './attempts/own-task.ts'
import { isHeardElsewhere } from './between/same-tree.ts'
import { load, type Engine, type TaskRef } from './engine.ts'

/**
 * What the merge queue made of it is judged beside it. Whoever may push can make a base with a policy of its own, so that nothing
 * but the default branch lends its green.
 */
export const speaksFor = (attempt: Attempt, behind: Behind): boolean =>
  behind.base_is_default && attempt.group === null && isAbout('deployment', attempt, { ...attempt, ...behind })

/** The pull request by which the commit came, as GitHub shows it now; null where the attempt does not speak for it any more. */
export async function behindNow(engine: Engine, ref: TaskRef, attempt: Attempt, sha: string): Promise<Behind | null> {
  const behind = await (await engine.forges.of(ref.stream)).pullsBehind(sha)
  return behind.find((one) => speaksFor(attempt, one)) ?? null
}

type Lower = { readonly ref: TaskRef; readonly attempt: Attempt }

/** What was found out about all that it brings along; null where one of them was not judged as it is brought. */
async function lowerOnes(engine: Engine, repository: Repository, { below }: Behind): Promise<readonly Lower[] | null> {
  const found: Lower[] = []
  for (const one of below ?? []) {
    const ref = await taskOf(engine, repository, one.pull)
    const attempts = ref === null ? [] : (await load(engine, ref)).task.attempts
    const attempt = attempts.findLast(
      (known) => known.group === null && isAbout('deployment', known, { ...known, ...one }),
    )
    if (ref === null || attempt === undefined) return null
    found.push({ ref, attempt })
  }
  return below === null ? null : found
}

/** Whether all that it brings along is a success as well. */
export async function bringsSuccess(engine: Engine, repository: Repository, behind: Behind): Promise<boolean> {
  const lower = await lowerOnes(engine, repository, behind)
  return lower !== null && lower.every(({ attempt }) => attempt.decision?.status === 'success')
}

/** Whether nothing that was said of what it brings along is unheard. */
export async function isHeardBelow(engine: Engine, repository: Repository, behind: Behind): Promise<boolean> {
  for (const { ref, attempt } of (await lowerOnes(engine, repository, behind)) ?? [])
    if (!(await isHeardAt(engine, ref, attempt.pull)) || !(await isHeardElsewhere(engine, ref, attempt))) return false
  return true
}

/** Why it waits for a person. */
export const onTopWords = ({ below }: Pick<Behind, 'below'>): string =>
  below === null
    ? 'stands on commits that are the head of no pull request below it'
    : `stands on ${below.map(({ pull }) => `#${pull}`).join(', ')}, and not all of them are a success`
