// Whom the stages of a review ask, from the policy and from CODEOWNERS: names in groups, each of which must be heard. What
// cannot be told is said, since a stage whose people are not known is filled by nobody.
import { isEmail, isTeam, ownersOf, readOwners, type OwnersReading } from '../contract/code-owners.ts'
import { matchesAny } from '../contract/glob.ts'
import type { Policy, StageRule } from '../contract/policy/policy.ts'

/** What stands in `by` for whoever owns the paths that changed. */
export const codeOwners = 'code_owners'

/** Why nobody can tell who is asked. */
export type StageTrouble = {
  readonly code: 'stage_team_unknown' | 'owners_broken' | 'owners_nobody' | 'owners_unknown'
  readonly detail: string | null
}
export type StagePeople = {
  readonly stage: string
  /** Of each group as many as the stage wants must approve. An empty group is whoever may review. */
  readonly groups: readonly (readonly string[])[]
  readonly trouble: StageTrouble | null
}

/** CODEOWNERS of the base: where it is and what it says, or what keeps it from being read; null where there is none. */
export type OwnersFile =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly unreadable: string }

/** `stages`: those that apply, with roles spelt out. */
export type StageQuestion = {
  readonly stages: readonly Pick<StageRule, 'name' | 'by' | 'paths'>[]
  readonly owners: OwnersFile | null
  /** Null where not all are known. */
  readonly touched: readonly string[] | null
}

/** So many different sets of owners are asked in one stage. */
const GROUPS_MAX = 50

const role = (name: string): name is keyof Policy['roles'] =>
  name === 'lead' || name === 'reviewer' || name === 'verifier'

/** A role is whoever the policy names for it; where it names nobody it stays a role, which no account can be called. */
export const spelt = ({ roles }: Pick<Policy, 'roles'>, by: readonly string[]): string[] =>
  (by.length === 0 && roles.reviewer.length > 0 ? ['reviewer', ...roles.lead] : by).flatMap((name) =>
    !role(name) ? [name] : roles[name].length > 0 ? roles[name] : [`${ROLE}${name}`],
  )

const ROLE = 'role:'
export const isRole = (name: string): boolean => name.startsWith(ROLE)
export const isLeads = (name: string): boolean => name === `${ROLE}lead`
export const spoken = (name: string): string => (isRole(name) ? name.slice(ROLE.length) : name)

/** Whether GitHub has to be asked who is meant. */
export const mustBeRead = (by: readonly string[]): boolean => by.some((name) => isTeam(name) || name === codeOwners)

export function stagePeople({ stages, owners, touched }: StageQuestion): StagePeople[] {
  const wanted = stages.some(({ by }) => by.includes(codeOwners))
  const reading = wanted && owners !== null && 'text' in owners ? readOwners(owners.text) : null
  return stages.map(({ name: stage, by, paths }) => {
    if (!by.includes(codeOwners)) return { stage, groups: [by], trouble: null }
    const others = by.filter((name) => name !== codeOwners)
    const found = owning(
      reading,
      owners,
      touched?.filter((path) => paths === undefined || matchesAny(paths, path)),
    )
    // Whoever is named beside the owners may speak for them.
    if ('code' in found)
      return { stage, groups: others.length > 0 ? [others] : [], trouble: others.length > 0 ? null : found }
    return { stage, groups: found.map((group) => [...group, ...others]), trouble: null }
  })
}

function owning(
  reading: OwnersReading | null,
  owners: OwnersFile | null,
  touched: readonly string[] | undefined,
): readonly (readonly string[])[] | StageTrouble {
  const broken = (detail: string): StageTrouble => ({ code: 'owners_broken', detail })
  if (owners === null) return { code: 'owners_nobody', detail: null }
  if ('unreadable' in owners) return broken(`${owners.path} ${owners.unreadable}`)
  if (touched === undefined) return broken('not every changed path is known')
  if (reading === null || 'broken' in reading)
    return broken(`${owners.path}, ${reading?.broken ?? 'which was not read'}`)
  const groups = new Map<string, readonly string[]>()
  for (const path of touched) {
    const names = ownersOf(reading.rules, path)
    if (names.length > 0)
      groups.set(
        names
          .map((name) => name.toLowerCase())
          .toSorted()
          .join(' '),
        names,
      )
  }
  if (groups.size > GROUPS_MAX)
    return broken(`${owners.path} names more than ${GROUPS_MAX} sets of owners for these paths`)
  return groups.size === 0 ? { code: 'owners_nobody', detail: owners.path } : [...groups.values()]
}

/** What only GitHub can tell: whether a team is there for us, and whose an address is. */
export const toLookUp = (people: readonly StagePeople[]): string[] => [
  ...new Set(people.flatMap(({ groups }) => groups.flat()).filter((name) => isTeam(name) || isEmail(name))),
]

/** `known`: for each name that was looked up what it is called at GitHub, or null. Nobody is asked under any other. */
export function withKnown(people: readonly StagePeople[], known: ReadonlyMap<string, string | null>): StagePeople[] {
  return people.map((one) => {
    const groups = one.groups.map((group) =>
      group.flatMap((name) => (known.has(name) ? (known.get(name) ?? []) : [name])),
    )
    // A group that nobody is left of must not be taken for one of anybody.
    const lost = one.groups.findIndex((group, index) => group.length > 0 && groups[index]?.length === 0)
    if (lost === -1) return { ...one, groups }
    const names = one.groups[lost] ?? []
    const code = names.some(isTeam) ? 'stage_team_unknown' : 'owners_unknown'
    return { ...one, groups: [], trouble: one.trouble ?? { code, detail: names.join(', ') } }
  })
}
