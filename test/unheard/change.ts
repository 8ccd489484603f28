// A change that agents and people work at, as GitHub has it: what happened to it, which noes stand, and what somebody allowed. It knows
// nothing of the product but the name of its check.
import type { Shop } from '../app/lab/shop.ts'
import type { Dice } from '../torture/story.ts'
import type { Check, Kind } from './kinds.ts'

export type Base = 'main' | 'release'
const bases: readonly Base[] = ['main', 'release']

/** `sha`: what its author had in front of them. */
export type No = {
  readonly by: string
  readonly how: 'a comment' | 'a label' | 'a review' | 'words of a review'
  readonly sha: string
  readonly pull: number
  readonly step: number
  readonly told: boolean
  stands: boolean
}

/** For a commit on a base. What was allowed counts until the commit goes away or fails again, an approval as long as it stands. */
export type Yes = {
  readonly by: string
  readonly how: 'an override' | 'a label' | 'an approval'
  readonly sha: string
  readonly pull: number
  readonly base: Base
  readonly step: number
  stands: boolean
}

/** A review that somebody may dismiss, and what it says. */
export type Review = { readonly id: number; readonly says: No | Yes }

/** In the merge queue: a commit of GitHub's own, of these heads on that base. */
export type Group = { readonly sha: string; readonly members: readonly string[]; readonly base: Base }

export type Change = {
  readonly seed: number
  readonly kind: Kind
  readonly shop: Shop
  /** The repository that its branch is in, and who pushes there. */
  readonly home: string
  readonly author: string
  readonly roll: Dice
  readonly pull: number
  /** What it says that it closes, or not. */
  readonly issue: number
  /** A pull request beside it, which stays as it is, and is queued with it where both are green. */
  readonly mate: { readonly pull: number; readonly sha: string }
  /** Another pull request, on a commit that this one has. */
  twin: number | null
  readonly commits: string[]
  /** The commits that the App was told of. */
  readonly known: Set<string>
  readonly noes: No[]
  readonly yeses: Yes[]
  readonly reviews: Review[]
  /** What stands there in words, and the no that it is. */
  readonly comments: { readonly id: number; readonly by: string; readonly no: No | null }[]
  /** What the label that overrides was set on. */
  opened: string | null
  /** Who may only read for now. */
  readonly demoted: Set<string>
  group: Group | null
  /** By check, commit and base: what it said last. */
  readonly found: Map<string, { readonly step: number; readonly passed: boolean }>
  /** By commit: since when it is the head. */
  readonly came: Map<string, number>
  /** The webhooks that were lost. */
  readonly lost: { readonly id: number; readonly event: string }[]
  readonly greens: Set<string>
  readonly story: string[]
  readonly wrong: string[]
  step: number
  isDraft: boolean
  isClosed: boolean
  base: Base
  isLabelled: boolean
  isLinked: boolean
}

/** Null where it cannot be done just now. */
export type Act = (change: Change, told: boolean) => (() => void) | null

export function happened({ story, step }: Change, told: boolean | null, what: string): void {
  story.push(`${String(step).padStart(3)} ${told === false ? '(not told) ' : ''}${what}`)
}

export const headOf = ({ shop: { github, name } }: Change, number: number): string =>
  github.look(name, number).pull?.head ?? ''

export const short = (sha: string): string => sha.slice(0, 7)
export const at = (sha: string, base: Base): string => `${short(sha)}${base === 'main' ? '' : ` on ${base}`}`

const place = ({ name }: Check, sha: string, base: Base): string => `${name} of ${at(sha, base)}`

export function noted({ found, step, base }: Change, check: Check, sha: string, passed: boolean): void {
  found.set(place(check, sha, base), { step, passed })
}

/** Whether all that has to pass did, and in which step something of it failed last. */
function foundOn({ kind, found }: Change, sha: string, base: Base) {
  const all = kind.checks.map((check) => found.get(place(check, sha, base)))
  const failed = all.map((one) => (one?.passed === false ? one.step : 0))
  return { passed: all.every((one) => one?.passed === true), failedIn: Math.max(...failed) }
}

/** What turned green since it was looked last, and over which noes that stand. */
export function lookAt(change: Change, when: string): void {
  for (const sha of [...change.commits, change.mate.sha])
    for (const base of bases) turned(change, { sha, base, when, over: standing(change, sha, base) })
  const { group } = change
  if (group === null) return
  const over = group.members.flatMap((sha) => standing(change, sha, group.base))
  turned(change, { ...group, when, over })
}

/** Why it must not be green in the end, whenever that came to be, where it is. */
export function wronglyGreen(change: Change): readonly string[] {
  const { base, isClosed } = change
  const sha = headOf(change, change.pull)
  if (isClosed || !isGreen(change, sha, base)) return []
  const over = standing(change, sha, base).map((one) => `over ${tell(one)}`)
  return mayPass(change, sha, base) ? over : [...over, 'and nothing allows it any more']
}

type Turned = { readonly sha: string; readonly base: Base; readonly when: string; readonly over: readonly No[] }

function turned(change: Change, { sha, base, when, over }: Turned): void {
  const { greens, story, wrong, group } = change
  const where = at(sha, base)
  const was = greens.has(where)
  if (!isGreen(change, sha, base)) {
    if (greens.delete(where)) story.push(`    ${where} is not green any more ${when}`)
    return
  }
  greens.add(where)
  if (was) return
  story.push(`    ${where} turned green ${when}`)
  if (over.length > 0) wrong.push(`${where} turned green ${when} over ${over.map(tell).join(', ')}`)
  const may = group?.sha === sha ? mayMerge(change, group) : mayPass(change, sha, base)
  if (!may) wrong.push(`${where} turned green ${when}, and nothing allows it`)
}

/**
 * Its checks passed and whoever has to approve it did, or somebody allowed it since one of them failed and since it is there. Of a commit
 * that two pull requests have nobody can tell which of them a result was for.
 */
function mayPass(change: Change, sha: string, base: Base): boolean {
  const { kind, yeses, came, twin } = change
  const { passed, failedIn } = foundOn(change, sha, base)
  const here = yeses.filter((yes) => yes.stands && yes.sha === sha && yes.base === base)
  const since = Math.max(failedIn, came.get(sha) ?? 0)
  if (here.some(({ how, step }) => how !== 'an approval' && step >= since)) return true
  const isApproved =
    kind.approvers === null || here.some(({ how, by }) => how === 'an approval' && mayApprove(kind, by))
  return isApproved && (twin !== null || passed)
}

const mayApprove = ({ approvers }: Kind, by: string): boolean => approvers?.includes(by) === true

/** Its own checks passed, and what is queued is let pass itself. */
const mayMerge = (change: Change, { sha, members, base }: Group): boolean =>
  foundOn(change, sha, base).passed && members.every((member) => mayPass(change, member, base))

/** Changes that somebody requested stand in the way of every commit of their pull request. */
function standing(change: Change, sha: string, base: Base): No[] {
  const isThere = !change.isClosed && change.base === base && headOf(change, change.pull) === sha
  const isOfPull = (no: No): boolean => no.how === 'a review' && no.pull === change.pull && isThere
  return change.noes.filter((no) => no.stands && (no.sha === sha || isOfPull(no)))
}

const tell = ({ by, how, step, told }: No): string =>
  `${how} of ${by} in step ${step}${told ? '' : ', which was not told'}`

export function isGreen({ shop: { github, name } }: Change, sha: string, base: Base): boolean {
  const check = base === 'main' ? 'countersign' : `countersign (${base})`
  const ours = github.allChecksOn(name, sha).filter((run) => run.name === check && run.app === github.app.slug)
  return ours.at(-1)?.conclusion === 'success'
}
