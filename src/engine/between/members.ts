// Who merges with a group of the merge queue, and what stands against it. GitHub merges what is green at once, so all of them are
// looked at right before that, in the turn of the group.
import type { Attempt, Group } from '../../core/decision/model.ts'
import type { Input } from '../../core/decision/rules/inputs.ts'
import type { Owed } from '../../core/decision/shown/owed.ts'
import { isSamePlace } from '../../core/decision/subject.ts'
import { commitKey } from '../../core/decision/record/keys.ts'
import type { Repository } from '../../core/news.ts'
import type { LastLook, PullState } from '../../ports.ts'
import { isAllHeard } from '../all-heard.ts'
import { load, type Engine, type TaskRef } from '../engine.ts'
import { areResultsOfNow } from '../heard/results-now.ts'
import { lastLook } from '../last-look.ts'
import { placeOf } from '../issues/issue-record.ts'
import { attemptOf, refOf, taskOf } from '../attempts/own-task.ts'
import { coveredBy, GROUPS_MAX, noteMembersSeen } from './queued.ts'
import { isHeardElsewhere } from './same-tree.ts'
import { areTakenIn } from './twins.ts'
import { record, type Told } from '../record.ts'
import { isGreen as showsGreen } from '../showing.ts'

/** How it is told from other things that were asked. */
export const membersOf = ({ id }: Attempt): string => `the members of ${id}`

/**
 * Reads the members of groups of which that is not known, or not any more, or that are about to turn green. True when the task has
 * moved since it was loaded.
 */
export async function followMembers(
  engine: Engine,
  ref: TaskRef,
  { task, tail }: Awaited<ReturnType<typeof load>>,
  { debts, answered }: { readonly debts: readonly Owed[]; readonly answered: Set<string> },
  told: Told,
): Promise<boolean> {
  const wanting = task.attempts.filter((attempt) => {
    if (!attempt.live || attempt.group === null) return false
    const turnsGreen = debts.some((debt) => debt.kind === 'show' && debt.attempt.id === attempt.id && showsGreen(debt))
    const isKnown = attempt.group.lacking !== null && engine.membersSeen.has(attempt.id)
    return turnsGreen || (!isKnown && !answered.has(membersOf(attempt)))
  })
  if (wanting.length === 0) return false
  for (const attempt of wanting) {
    answered.add(membersOf(attempt))
    await membersRead(engine, ref, attempt, told)
  }
  return (await load(engine, ref)).tail.version !== tail.version
}

/** Whether each pull request in the group is still a success at its head. */
export async function membersRead(engine: Engine, ref: TaskRef, attempt: Attempt, told: Told): Promise<void> {
  if (attempt.group === null) return
  // Before they are read: whoever moves meanwhile has them read once more.
  noteMembersSeen(engine, attempt)
  try {
    await record(engine, ref, await membersNow(engine, ref, attempt, attempt.group), told)
  } catch (error) {
    engine.membersSeen.delete(attempt.id)
    throw error
  }
}

async function membersNow(engine: Engine, ref: TaskRef, { id, base_ref }: Attempt, group: Group): Promise<Input> {
  const { repository } = placeOf(ref)
  const pulls = await pullsIn(engine, repository, group)
  const members = await Promise.all(pulls.map((pull) => memberNow(engine, repository, ref, { pull, base_ref })))
  // What was said about one of them decides; until it is heard nobody knows, and then the group is asked about again.
  const isUnheard = members.some(({ state }) => state === 'unheard')
  if (isUnheard) engine.again(ref)
  // Whoever stood before it and is merged is in the base by now; what the group was asked for must still be open.
  const lacking = members.filter(({ pull, state }) => state === 'lacking' || (state === 'gone' && pull === group.pull))
  return {
    type: 'report_members',
    attempt_id: id,
    lacking: isUnheard ? null : lacking.map(({ pull }) => pull),
    covers: members.flatMap(({ covers }) => covers),
  }
}

/**
 * Everybody who merges with a group: GitHub may take the last one for all that it stands on. Its commits name them, but for those
 * of which GitHub took over the commits as they were: what is on record of the groups below names these.
 */
async function pullsIn(engine: Engine, repository: Repository, top: Group): Promise<readonly number[]> {
  const members = new Set<number>()
  let group: Group | null = top
  for (let depth = 0; group !== null && depth < GROUPS_MAX; depth += 1) {
    for (const pull of [...group.beside, group.pull]) members.add(pull)
    group = await groupAt(engine, repository, group.base_sha)
  }
  return [...members]
}

async function groupAt(engine: Engine, repository: Repository, sha: string): Promise<Group | null> {
  for (const stream of await engine.store.find(commitKey(repository.key, sha))) {
    const { task } = await load(engine, refOf(repository, stream))
    const found = task.attempts.find(({ head_sha, group }) => head_sha === sha && group !== null)
    if (found !== undefined) return found.group
  }
  return null
}

type Member = {
  readonly pull: number
  readonly state: 'green' | 'lacking' | 'gone' | 'unheard'
  readonly covers: readonly string[]
}

/** A success for another base is none for the branch that the group merges into. */
async function memberNow(
  engine: Engine,
  repository: Repository,
  { stream }: TaskRef,
  { pull, base_ref }: { readonly pull: number; readonly base_ref: string },
): Promise<Member> {
  const own = await taskOf(engine, repository, pull)
  const attemptNow = (): Promise<Attempt | null> => attemptOf(engine, own, pull)
  const attempt = await attemptNow()
  const forge = await engine.forges.of(stream)
  const look = attempt && (await lastLook(forge, { ref: own, pull, attempt }))
  const now = look?.now ?? null
  if (attempt === null || look === null || now === null)
    return { pull, state: isGone(await forge.kindOf(pull)) ? 'gone' : 'lacking', covers: [] }
  const isHere = isSamePlace(attempt, now) && attempt.base_ref === base_ref
  const isGreen = (one: Attempt | null): boolean => isHere && one?.decision?.status === 'success'
  if (own !== null && isGreen(attempt)) {
    const told = { number: pull, updated_at: now.updated_at }
    if (!(await isAllTold(engine, own, attempt, told, look))) return { pull, state: 'unheard', covers: [] }
    if (!isGreen(await attemptNow())) engine.again(own)
  }
  // What it waits for may have been read meanwhile.
  return { pull, state: isGreen(await attemptNow()) ? 'green' : 'lacking', covers: coveredBy(attempt) }
}

/** Closed or a draft it is still in the commit of the group; what a commit names may also be no pull request at all. */
const isGone = (kind: PullState['kind'] | null): boolean => kind === null || kind === 'merged'

/** What was found out and what was said of a member is on record, also what was said of its tree elsewhere. */
async function isAllTold(
  engine: Engine,
  own: TaskRef,
  attempt: Attempt,
  pull: { readonly number: number; readonly updated_at: string },
  look: LastLook,
): Promise<boolean> {
  // What is new among them is on record then.
  await areResultsOfNow(engine, own, attempt, (await load(engine, own)).tail.version)
  return (
    (await areTakenIn(engine, own, look.twins)) &&
    (await isAllHeard(engine, own, pull, look)) &&
    isHeardElsewhere(engine, own, attempt)
  )
}
