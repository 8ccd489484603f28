// The stages of a review: which apply, whom each asks, who has filled it, and whose turn it is. Somebody fills one stage
// unless policy says otherwise, and nobody one of their own work. A stage that sent the work back comes first afterwards.
import type { StageRule } from '../../contract/policy/policy.ts'
import { isTeam } from '../../contract/code-owners.ts'
import { touchedPaths } from '../../contract/scope.ts'
import { isMadeByAgent } from '../../people/builders.ts'
import { accountOf, type Person, type Review } from '../../people/people.ts'
import { builderCalled, isIn } from '../../people/separation.ts'
import {
  codeOwners,
  isLeads,
  isRole,
  mustBeRead,
  spelt,
  type StagePeople,
  type StageQuestion,
  type StageTrouble,
} from '../../people/stage-people.ts'
import type { Attempt, TaskState } from '../model.ts'

/** Without groups where whom it asks is still to be read. */
type Asked = Pick<StageRule, 'name' | 'count'> & Partial<Pick<StagePeople, 'groups' | 'trouble'>>
export type StageNow = {
  readonly name: string
  readonly count: number
  /** `left_out`: it does not apply. `unread`: whom it asks is being read. */
  readonly state: 'filled' | 'waiting' | 'later' | 'unread' | 'trouble' | 'left_out'
  readonly trouble: StageTrouble | null
  /** Who has approved for it. */
  readonly by: readonly Review[]
  /** The groups that have not been heard yet. */
  readonly missing: readonly (readonly string[])[]
}

/** Those that apply: by what the change touches, and by who made it. Where either is not known, it applies. */
export function stagesApplying(attempt: Attempt): StageRule[] {
  const { paths, files_complete, contract, builders, builder_known } = attempt
  const { policy } = contract
  const known = files_complete && paths?.known === true ? paths.stages : undefined
  const byAgent = !builder_known || isMadeByAgent(policy, builders)
  return policy.review.stages.filter(
    ({ name, when }) => (known === undefined || known.includes(name)) && (when !== 'agents' || byAgent),
  )
}

/** What has to be found out about whom they ask; null where that is nothing. */
export function stageQuestion(attempt: Attempt): Omit<StageQuestion, 'owners'> | null {
  const { files, files_complete, paths, contract } = attempt
  if (files === null) return null
  const stages = stagesApplying(attempt)
    .map(({ name, by, paths: of }) => ({ name, by: spelt(contract.policy, by), paths: of }))
    .filter(({ by }) => mustBeRead(by))
  const touched = files_complete && paths?.known !== false ? touchedPaths(files) : null
  return stages.length === 0 ? null : { stages, touched }
}

/** Read once; again while nobody can tell whom a stage asks, since that may be mended without a push. */
export const mustReadStages = (attempt: Attempt): boolean =>
  stageQuestion(attempt) !== null && (attempt.stages?.some(({ trouble }) => trouble !== null) ?? true)

/** Teams that somebody who speaks here may be in, so that it is asked whether they are. */
export function teamsAround({ contract: { policy }, stages }: Attempt): string[] {
  const named = [...Object.values(policy.roles), ...policy.review.stages.map(({ by }) => by)].flat()
  const owning = (stages ?? []).flatMap(({ groups }) => groups.flat())
  return [...new Set([...named, ...owning].filter(isTeam))]
}

/** A team is asked for by its name whether it is there or not. */
function askedBy(attempt: Attempt, { name, by, count }: StageRule): Asked {
  const read = attempt.stages?.find(({ stage }) => stage === name)
  if (read !== undefined) return { name, count, groups: read.groups, trouble: read.trouble }
  const names = spelt(attempt.contract.policy, by)
  return names.includes(codeOwners) ? { name, count } : { name, count, groups: [names], trouble: null }
}

export function stagesNow(task: TaskState, attempt: Attempt, approvals: readonly Review[]): StageNow[] {
  const { stages, same_person } = attempt.contract.policy.review
  const asked = inTurn(task, attempt, stagesApplying(attempt)).map((rule) => askedBy(attempt, rule))
  const outside = approvals.filter((one) => builderCalled(task.builders, accountOf(one)) === null)
  const filled = filledBy(asked, outside, same_person)
  const first = asked.findIndex((one, index) => !isFilled(one, filled[index] ?? []))
  const standing = asked.map((one, index): StageNow => {
    const by = filled[index] ?? []
    const { name, count, groups, trouble = null } = one
    const waits = groups === undefined ? 'unread' : trouble !== null ? 'trouble' : index === first ? 'waiting' : 'later'
    return { name, count, state: isFilled(one, by) ? 'filled' : waits, trouble, by, missing: missingIn(one, by) }
  })
  const leftOut = { state: 'left_out', trouble: null, by: [], missing: [] } as const
  const ofPolicy = stages.map(({ name, count }) => ({ name, count, ...leftOut }))
  return [...standing, ...ofPolicy.filter(({ name }) => !asked.some((one) => one.name === name))]
}

/** The stage whose turn it is, or null where all that apply are filled. */
export const stageInTurn = (stages: readonly StageNow[]): StageNow | null =>
  stages.find(({ state }) => state !== 'filled' && state !== 'left_out') ?? null

/** The stage that somebody speaks for: the first that asks them by name, or else the first that asks whoever may review. */
export const stageOf = (attempt: Attempt, who: Speaker): string | null =>
  stageNaming(attempt, who) ?? firstAsking(attempt, who, asksAnybody)

/** The first stage that asks somebody by name, by a team or by a role. */
export const stageNaming = (attempt: Attempt, who: Speaker): string | null =>
  firstAsking(attempt, who, (group) => !asksAnybody(group))

function firstAsking(attempt: Attempt, who: Speaker, may: (group: readonly string[]) => boolean): string | null {
  const asked = stagesApplying(attempt).map((rule) => askedBy(attempt, rule))
  return asked.find(({ groups = [] }) => groups.some((group) => may(group) && asks(group, who)))?.name ?? null
}

/** Whether somebody of the stage rejected a commit of this pull request, and has not taken that back. */
export const hasSentBack = ({ attempts }: TaskState, { pull }: Attempt, name: string): boolean =>
  attempts.some((one) => one.pull === pull && one.acts.some((act) => act.stage === name && act.standing !== 'revoked'))

/** What sent the work back is asked again before anything else. */
function inTurn(task: TaskState, attempt: Attempt, stages: readonly StageRule[]): StageRule[] {
  const sentBack = stages.filter(({ name }) => hasSentBack(task, attempt, name))
  return [...sentBack, ...stages.filter((rule) => !sentBack.includes(rule))]
}

const isFilled = (one: Asked, by: readonly Review[]): boolean =>
  (one.groups ?? []).length > 0 && (one.trouble ?? null) === null && missingIn(one, by).length === 0

const missingIn = ({ groups = [], count }: Asked, by: readonly Review[]): (readonly string[])[] =>
  groups.filter((group) => by.filter((review) => asks(group, speakerOf(review))).length < count)

type Speaker = Pick<Person, 'login' | 'teams' | 'permission' | 'nameless'>
const speakerOf = ({ by: login, teams, permission }: Review): Speaker => ({ login, teams, permission })

/** Of a role that the policy names nobody for, lead means the administrators and the others whoever may review. */
function asks(group: readonly string[], who: Speaker): boolean {
  return asksAnybody(group) || isIn(group, who) || (group.some(isLeads) && who.permission === 'admin')
}

/** Of whoever may review. */
export const asksAnybody = (group: readonly string[]): boolean =>
  group.length === 0 || group.some((name) => isRole(name) && !isLeads(name))

/** Beyond that, what has been found so far counts: nobody is taken to have filled more. */
const TRIES_MAX = 500

/**
 * Who fills which stage, as many stages as possible in their order. Whoever approved for one may be needed for another, so
 * it is tried one way and then the other, beginning with those whom the fewest stages ask.
 */
function filledBy(asked: readonly Asked[], all: readonly Review[], samePerson: boolean): Review[][] {
  const stagesAsking = (review: Review): number => asked.filter((one) => helps(one, review)).length
  const approvals = all.toSorted((one, other) => stagesAsking(one) - stagesAsking(other))
  if (samePerson) return asked.map((one) => approvals.filter((review) => helps(one, review)))
  let tries = 0
  let best: readonly number[] = []
  let bestAt = -1
  const attempt = (given: readonly number[]): boolean => {
    tries += 1
    const of = (index: number): Review[] => approvals.filter((_, who) => given[who] === index)
    const next = asked.findIndex((one, index) => !isFilled(one, of(index)))
    const at = next === -1 ? asked.length : next
    if (at > bestAt || (at === bestAt && count(given) > count(best))) [best, bestAt] = [given, at]
    // All are filled, or nobody can fill the next one yet.
    const [group] = missingIn(asked[next] ?? { name: '', count: 1 }, of(next))
    if (group === undefined) return true
    return approvals.some(
      (review, who) =>
        given[who] === NOWHERE && tries < TRIES_MAX && asks(group, speakerOf(review)) && attempt(given.with(who, next)),
    )
  }
  attempt(approvals.map(() => NOWHERE))
  return asked.map((_, index) => approvals.filter((_review, who) => best[who] === index))
}

const NOWHERE = -1
const count = (given: readonly number[]): number => given.filter((one) => one !== NOWHERE).length
const helps = ({ groups = [] }: Asked, review: Review): boolean =>
  groups.some((group) => asks(group, speakerOf(review)))
