// A change that agents and people work at, as GitHub has it: what happened to it, which noes stand, and what somebody allowed. It knows
// nothing of the product but the name of its check.
import type { Shop } from '../app/lab/shop.ts'
import type { Dice } from '../torture/story.ts'

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

/** For a commit on a base, until it goes away. */
type Yes = { readonly sha: string; readonly base: string; readonly step: number }

export type Change = {
  readonly seed: number
  readonly shop: Shop
  readonly roll: Dice
  readonly pull: number
  /** Another pull request, on a commit that this one has. */
  twin: number | null
  readonly commits: string[]
  /** The commits that the App was told of. */
  readonly known: Set<string>
  readonly noes: No[]
  readonly yeses: Yes[]
  /** By commit: what its build said last. */
  readonly builds: Map<string, { readonly step: number; readonly passed: boolean }>
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
  base: 'main' | 'release'
  isLabelled: boolean
}

export const headOf = ({ shop: { github, name } }: Change, number: number): string =>
  github.look(name, number).pull?.head ?? ''

export const short = (sha: string): string => sha.slice(0, 7)

/** What turned green since it was looked last, and over which noes that stand. */
export function lookAt(change: Change, when: string): void {
  for (const sha of change.commits) {
    const is = isGreen(change, sha)
    const was = change.greens.has(sha)
    if (is) change.greens.add(sha)
    else change.greens.delete(sha)
    if (!is || was) continue
    change.story.push(`    ${short(sha)} turned green ${when}`)
    const against = standing(change, sha).map(tell)
    if (against.length > 0) change.wrong.push(`${short(sha)} turned green ${when} over ${against.join(', ')}`)
    if (!mayPass(change, sha)) change.wrong.push(`${short(sha)} turned green ${when}, and nothing allows it`)
  }
}

/** The noes over which it is green in the end, whenever they were said. */
export function greenOver(change: Change): readonly string[] {
  const sha = headOf(change, change.pull)
  return isGreen(change, sha) && !change.isClosed ? standing(change, sha).map(tell) : []
}

/**
 * Its build passed, or somebody allowed it since that failed and since it is there. Of a commit that two pull requests have nobody can tell
 * which of them a build was for.
 */
function mayPass({ builds, yeses, came, base, twin }: Change, sha: string): boolean {
  const build = builds.get(sha)
  if (twin !== null || build?.passed === true) return true
  const since = Math.max(build?.step ?? 0, came.get(sha) ?? 0)
  return yeses.some((yes) => yes.sha === sha && yes.step >= since && yes.base === base)
}

/** Changes that somebody requested stand in the way of every commit of their pull request. */
function standing(change: Change, sha: string): No[] {
  const isOfPull = (no: No): boolean =>
    no.how === 'a review' && no.pull === change.pull && !change.isClosed && headOf(change, change.pull) === sha
  return change.noes.filter((no) => no.stands && (no.sha === sha || isOfPull(no)))
}

const tell = ({ by, how, step, told }: No): string =>
  `${how} of ${by} in step ${step}${told ? '' : ', which was not told'}`

function isGreen({ shop: { github, name } }: Change, sha: string): boolean {
  const ours = github.allChecksOn(name, sha).filter((run) => run.name === 'countersign' && run.app === github.app.slug)
  return ours.at(-1)?.conclusion === 'success'
}

type Act = (change: Change, told: boolean) => (() => void) | null

const people = ['ada', 'bob', 'eve'] as const

/** With how often each happens beside the others. */
export const acts: readonly (readonly [number, Act])[] = [
  [4, push],
  [4, moveBack],
  [7, (change) => () => build(change, headOf(change, change.pull), 'success')],
  [3, (change) => () => build(change, headOf(change, change.pull), 'failure')],
  [2, (change) => ofCommits(change, (sha) => build(change, sha, 'success'))],
  [3, (change, told) => says(change, change.pull, told)],
  [1, (change, told) => (change.twin === null ? null : says(change, change.twin, told))],
  [2, reviews],
  [1, saysInReview],
  [2, labels],
  [2, takesBack],
  [3, allows],
  [3, draft],
  [2, close],
  [2, retarget],
  [1, openTwin],
  [3, bring],
]

function happened({ story, step }: Change, told: boolean | null, what: string): void {
  story.push(`${String(step).padStart(3)} ${told === false ? '(not told) ' : ''}${what}`)
}

const ofCommits = ({ commits, roll }: Change, then: (sha: string) => void): (() => void) | null => {
  const sha = commits[roll.below(commits.length)]
  return sha === undefined ? null : () => then(sha)
}

function push(change: Change, told: boolean): () => void {
  const { shop, seed, step, commits, known, came } = change
  return () => {
    const text = `export const more = ${seed * 1_000 + step}\n`
    const sha = shop.github.push(shop.name, 'feature', { files: { 'src/more.ts': text }, author: 'agent' })
    commits.push(sha)
    came.set(sha, step)
    if (told) known.add(sha)
    happened(change, told, `agent pushes ${short(sha)}`)
  }
}

function moveBack(change: Change, told: boolean): (() => void) | null {
  const { shop, known, came, pull, step } = change
  return ofCommits(change, (sha) => {
    if (headOf(change, pull) !== sha) came.set(sha, step)
    shop.github.moveBranch(shop.name, 'feature', sha, 'agent')
    if (told) known.add(sha)
    happened(change, told, `agent goes back to ${short(sha)}`)
  })
}

export function build(change: Change, sha: string, conclusion: 'success' | 'failure'): void {
  const { shop, builds, step } = change
  builds.set(sha, { step, passed: conclusion === 'success' })
  shop.github.reportCheck(shop.name, { name: 'build', sha, conclusion, app: 'github-actions' })
  happened(change, null, `the build of ${short(sha)}: ${conclusion}`)
}

function no(change: Change, told: boolean, { by, how, pull }: Pick<No, 'by' | 'how' | 'pull'>): void {
  const sha = headOf(change, pull)
  change.noes.push({ by, how, sha, pull, step: change.step, told, stands: true })
  happened(change, told, `${by} says no to ${short(sha)} at #${pull} by ${how}`)
}

const lift = ({ noes }: Change, is: (no: No) => boolean): void => {
  for (const one of noes) if (is(one)) one.stands = false
}

function says(change: Change, pull: number, told: boolean): () => void {
  const { shop, roll } = change
  const by = roll.oneOf(people)
  return () => {
    shop.github.comment(shop.name, pull, { body: '/reject not like this', by })
    no(change, told, { by, how: 'a comment', pull })
  }
}

/** Of each person the last review counts, with what was said in those before it. */
function reviews(change: Change, told: boolean): () => void {
  const { shop, roll, pull } = change
  const by = roll.oneOf(people)
  const approves = roll.chance() < 0.4
  return () => {
    shop.github.review(shop.name, pull, { by, event: approves ? 'APPROVE' : 'REQUEST_CHANGES', body: 'I looked at it' })
    lift(change, (one) => one.by === by && /review/.test(one.how))
    if (approves) happened(change, told, `${by} approves ${short(headOf(change, pull))}`)
    else no(change, told, { by, how: 'a review', pull })
  }
}

function saysInReview(change: Change, told: boolean): () => void {
  const { shop, roll, pull } = change
  const by = roll.oneOf(people)
  return () => {
    shop.github.review(shop.name, pull, { by, event: 'COMMENT', body: '/reject not like this' })
    no(change, told, { by, how: 'words of a review', pull })
  }
}

function labels(change: Change, told: boolean): () => void {
  const { shop, pull } = change
  const label = 'countersign:reject'
  return () => {
    if (change.isLabelled) {
      shop.github.unlabel(shop.name, pull, label, 'bob')
      lift(change, ({ how }) => how === 'a label')
      happened(change, told, 'bob takes the label away')
    } else {
      shop.github.label(shop.name, pull, label, 'bob')
      no(change, told, { by: 'bob', how: 'a label', pull })
    }
    change.isLabelled = !change.isLabelled
  }
}

/** Which of their noes it takes back is for the product to say: none of them is asked for any more. */
function takesBack(change: Change, told: boolean): () => void {
  const { shop, roll, pull } = change
  const by = roll.oneOf(people)
  return () => {
    shop.github.comment(shop.name, pull, { body: '/revoke', by })
    lift(change, (one) => one.by === by)
    happened(change, told, `${by} takes back`)
  }
}

/** Whoever maintains overrules whoever writes. */
function allows(change: Change, told: boolean): () => void {
  const { shop, pull, yeses, step, base } = change
  return () => {
    const sha = headOf(change, pull)
    shop.github.comment(shop.name, pull, { body: '/override the runner was broken', by: 'ada' })
    yeses.push({ sha, base, step })
    lift(change, ({ by }) => by !== 'ada')
    happened(change, told, `ada allows ${short(sha)}`)
  }
}

export function draft(change: Change, told: boolean): () => void {
  const { shop, pull } = change
  return () => {
    change.isDraft = !change.isDraft
    shop.github.setDraft(shop.name, pull, change.isDraft, 'agent')
    happened(change, told, change.isDraft ? 'it is a draft' : 'it is ready')
  }
}

/** What was rebuilt while it was closed cannot be opened again. */
export function close(change: Change, told: boolean): () => void {
  const { shop, pull } = change
  return () => {
    try {
      if (change.isClosed) shop.github.reopenPull(shop.name, pull, 'agent')
      else shop.github.closePull(shop.name, pull, 'agent')
    } catch {
      return
    }
    change.isClosed = !change.isClosed
    happened(change, told, change.isClosed ? 'it is closed' : 'it is open again')
  }
}

function retarget(change: Change, told: boolean): (() => void) | null {
  const { shop, pull } = change
  if (change.isClosed) return null
  return () => {
    change.base = change.base === 'main' ? 'release' : 'main'
    shop.github.editPull(shop.name, pull, { base: change.base, by: 'agent' })
    happened(change, told, `its base is ${change.base}`)
  }
}

/** On a commit that the App knows here: of another pull request that had it, and of which nobody told, it knows nothing. */
function openTwin(change: Change, told: boolean): (() => void) | null {
  const { shop, pull, known } = change
  const sha = headOf(change, pull)
  if (change.twin !== null || !known.has(sha)) return null
  return () => {
    shop.github.moveBranch(shop.name, 'twin', sha, 'agent')
    change.twin = shop.github.openPull(shop.name, { title: 'The same', head: 'twin', by: 'agent' })
    happened(change, told, `#${change.twin} has ${short(sha)} too`)
  }
}

/** A webhook that was lost, when more has happened. */
function bring(change: Change): (() => void) | null {
  const { shop, lost, roll } = change
  const [one] = lost.splice(roll.below(lost.length), 1)
  if (one === undefined) return null
  return () => {
    shop.github.redeliver(one.id)
    happened(change, null, `brought: ${one.event}`)
  }
}
