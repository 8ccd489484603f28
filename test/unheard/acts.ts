// What agents, people and robots do to a change, each with how often it happens beside the others.
import { inTheQueue, joins, leaves, queued } from './queue.ts'
import { at, happened, headOf, short, type Act, type Change, type No, type Yes } from './change.ts'
import { allRun, oneRuns } from './results.ts'

const people = ['ada', 'bob', 'eve'] as const

/** Whatever is in the way is taken out of it more often than it comes, or nothing would ever be green. */
export const acts: readonly (readonly [number, Act])[] = [
  [3, push],
  [3, moveBack],
  [7, (change, told) => () => allRun(change, { sha: headOf(change, change.pull), passed: true, told })],
  [3, (change, told) => () => oneRuns(change, { sha: headOf(change, change.pull), passed: true, told })],
  [2, (change, told) => () => oneRuns(change, { sha: headOf(change, change.pull), passed: false, told })],
  [2, (change, told) => ofCommits(change, (sha) => allRun(change, { sha, passed: true, told }))],
  [2, (change, told) => says(change, change.pull, told)],
  [1, (change, told) => (change.twin === null ? null : says(change, change.twin, told))],
  [1, (change, told) => says(change, change.mate.pull, told)],
  [5, reviews],
  [1, saysInReview],
  [2, dismisses],
  [1, labels],
  [3, (change, told) => (change.isLabelled ? labels(change, told) : null)],
  [4, (change, told) => takesBack(change, change.pull, told)],
  [1, (change, told) => takesBack(change, change.mate.pull, told)],
  [3, allows],
  [1, draft],
  [3, (change, told) => (change.isDraft ? draft(change, told) : null)],
  [1, close],
  [3, (change, told) => (change.isClosed ? close(change, told) : null)],
  [2, retarget],
  [2, links],
  [1, openTwin],
  [9, joins],
  [1, leaves],
  [9, (change, told) => inTheQueue(change, (sha) => allRun(change, { sha, passed: true, told }))],
  [1, (change, told) => inTheQueue(change, (sha) => oneRuns(change, { sha, passed: false, told }))],
  [1, demotes],
  [3, promotes],
  [3, bring],
]

const ofCommits = ({ commits, roll }: Change, then: (sha: string) => void): (() => void) | null => {
  const sha = commits[roll.below(commits.length)]
  return sha === undefined ? null : () => then(sha)
}

function push(change: Change, told: boolean): () => void {
  const { shop, home, author, seed, step, commits, known, came } = change
  return () => {
    const text = `export const more = ${seed * 1_000 + step}\n`
    const sha = shop.github.push(home, 'feature', { files: { 'src/more.ts': text }, author })
    queued(change, told)
    commits.push(sha)
    came.set(sha, step)
    if (told) known.add(sha)
    happened(change, told, `${author} pushes ${short(sha)}`)
  }
}

function moveBack(change: Change, told: boolean): (() => void) | null {
  const { shop, home, author, known, came, pull, step } = change
  return ofCommits(change, (sha) => {
    const isThere = headOf(change, pull) === sha
    shop.github.moveBranch(home, 'feature', sha, author)
    if (!isThere) {
      came.set(sha, step)
      queued(change, told)
    }
    if (told) known.add(sha)
    happened(change, told, `${author} goes back to ${short(sha)}`)
  })
}

function no(change: Change, told: boolean, { by, how, pull }: Pick<No, 'by' | 'how' | 'pull'>): No {
  const sha = headOf(change, pull)
  const one = { by, how, sha, pull, step: change.step, told, stands: !change.demoted.has(by) }
  change.noes.push(one)
  happened(change, told, `${by} says no to ${short(sha)} at #${pull} by ${how}`)
  return one
}

function yes(change: Change, told: boolean, { by, how }: Pick<Yes, 'by' | 'how'>): Yes {
  const { pull, base, step, yeses } = change
  const one = { by, how, sha: headOf(change, pull), pull, base, step, stands: !change.demoted.has(by) }
  yeses.push(one)
  happened(change, told, `${by} says yes to ${at(one.sha, base)} by ${how}`)
  return one
}

/** What is not told is judged when it is heard, by what whoever said it may do by then: who may not speaks aloud. */
const aSpeaker = ({ roll, demoted }: Change, told: boolean): string | null => {
  const by = roll.oneOf(people)
  return demoted.has(by) && !told ? null : by
}

const lift = <T extends No | Yes>(said: readonly T[], is: (one: T) => boolean): void => {
  for (const one of said) if (is(one)) one.stands = false
}

function says(change: Change, pull: number, told: boolean): (() => void) | null {
  const { shop } = change
  const by = aSpeaker(change, told)
  if (by === null) return null
  return () => {
    shop.github.comment(shop.name, pull, { body: '/reject not like this', by })
    no(change, told, { by, how: 'a comment', pull })
  }
}

/** Of each person the last review counts, with what was said in those before it. */
function reviews(change: Change, told: boolean): (() => void) | null {
  const { shop, roll, pull, noes, yeses } = change
  const by = aSpeaker(change, told)
  const approves = roll.chance() < 0.7
  if (by === null) return null
  return () => {
    const event = approves ? 'APPROVE' : 'REQUEST_CHANGES'
    const id = shop.github.review(shop.name, pull, { by, event, body: 'I looked at it' })
    lift(noes, (one) => one.by === by && one.pull === pull && /review/.test(one.how))
    lift(yeses, (one) => one.by === by && one.pull === pull && one.how === 'an approval')
    const says = approves
      ? yes(change, told, { by, how: 'an approval' })
      : no(change, told, { by, how: 'a review', pull })
    change.reviews.push({ id, says })
  }
}

function saysInReview(change: Change, told: boolean): (() => void) | null {
  const { shop, pull } = change
  const by = aSpeaker(change, told)
  if (by === null) return null
  return () => {
    shop.github.review(shop.name, pull, { by, event: 'COMMENT', body: '/reject not like this' })
    no(change, told, { by, how: 'words of a review', pull })
  }
}

function dismisses(change: Change, told: boolean): (() => void) | null {
  const { shop, roll, pull, demoted } = change
  const standing = change.reviews.filter(({ says }) => says.stands)
  const one = standing[roll.below(standing.length)]
  if (one === undefined || demoted.has('ada')) return null
  return () => {
    shop.github.dismiss(shop.name, pull, one.id, 'ada')
    one.says.stands = false
    happened(change, told, `ada dismisses ${one.says.how} of ${one.says.by} in step ${one.says.step}`)
  }
}

function labels(change: Change, told: boolean): (() => void) | null {
  const { shop, pull, noes, demoted } = change
  if (demoted.has('bob')) return null
  const label = 'countersign:reject'
  return () => {
    if (change.isLabelled) {
      shop.github.unlabel(shop.name, pull, label, 'bob')
      lift(noes, ({ how }) => how === 'a label')
      happened(change, told, 'bob takes the label away')
    } else {
      shop.github.label(shop.name, pull, label, 'bob')
      no(change, told, { by: 'bob', how: 'a label', pull })
    }
    change.isLabelled = !change.isLabelled
  }
}

/** Which of their noes there it takes back is for the product to say: none of them is asked for any more. */
function takesBack(change: Change, pull: number, told: boolean): (() => void) | null {
  const { shop, mate, noes, yeses } = change
  const by = aSpeaker(change, told)
  if (by === null) return null
  return () => {
    shop.github.comment(shop.name, pull, { body: '/revoke', by })
    const sha = headOf(change, pull)
    lift(noes, (one) => one.by === by && (one.pull === mate.pull) === (pull === mate.pull))
    lift(yeses, (one) => one.by === by && one.how === 'an override' && one.sha === sha)
    happened(change, told, `${by} takes back at #${pull}`)
  }
}

/** Whoever maintains overrules whoever writes. */
function allows(change: Change, told: boolean): (() => void) | null {
  const { shop, pull, mate, noes, demoted } = change
  const may = !demoted.has('ada')
  if (!may && !told) return null
  return () => {
    shop.github.comment(shop.name, pull, { body: '/override the runner was broken', by: 'ada' })
    if (may) lift(noes, (one) => one.by !== 'ada' && one.pull !== mate.pull)
    yes(change, told, { by: 'ada', how: 'an override' })
  }
}

/** What they said and nobody told is heard when they may not say it any more. */
function demotes(change: Change, told: boolean): (() => void) | null {
  const { shop, roll, demoted, noes } = change
  const who = roll.oneOf(people)
  if (demoted.has(who)) return null
  return () => {
    shop.github.setPermission(shop.name, who, 'read')
    demoted.add(who)
    lift(noes, (one) => one.by === who && !one.told)
    happened(change, told, `${who} may only read now`)
  }
}

function promotes(change: Change, told: boolean): (() => void) | null {
  const { shop, demoted } = change
  const [who] = demoted
  if (who === undefined) return null
  return () => {
    shop.github.setPermission(shop.name, who, who === 'ada' ? 'maintain' : 'write')
    demoted.delete(who)
    happened(change, told, `${who} may do again what they did`)
  }
}

export function draft(change: Change, told: boolean): () => void {
  const { shop, pull, author } = change
  return () => {
    change.isDraft = !change.isDraft
    shop.github.setDraft(shop.name, pull, change.isDraft, author)
    if (change.isDraft) queued(change, told)
    happened(change, told, change.isDraft ? 'it is a draft' : 'it is ready')
  }
}

/** What was rebuilt while it was closed cannot be opened again. */
export function close(change: Change, told: boolean): () => void {
  const { shop, pull, author } = change
  return () => {
    try {
      if (change.isClosed) shop.github.reopenPull(shop.name, pull, author)
      else shop.github.closePull(shop.name, pull, author)
    } catch {
      return
    }
    change.isClosed = !change.isClosed
    if (change.isClosed) queued(change, told)
    happened(change, told, change.isClosed ? 'it is closed' : 'it is open again')
  }
}

function retarget(change: Change, told: boolean): (() => void) | null {
  const { shop, pull, author } = change
  if (change.isClosed) return null
  return () => {
    change.base = change.base === 'main' ? 'release' : 'main'
    shop.github.editPull(shop.name, pull, { base: change.base, by: author })
    queued(change, told)
    happened(change, told, `its base is ${change.base}`)
  }
}

/** A task of its own, or one that the issue asks for, and back. */
function links(change: Change, told: boolean): () => void {
  const { shop, pull, author, issue } = change
  return () => {
    change.isLinked = !change.isLinked
    const body = change.isLinked ? `Closes #${issue}` : 'Nothing else.'
    shop.github.editPull(shop.name, pull, { body, by: author })
    happened(change, told, change.isLinked ? `it closes #${issue}` : 'it closes nothing')
  }
}

/** On a commit that the App knows here: of another pull request that had it, and of which nobody told, it knows nothing. */
function openTwin(change: Change, told: boolean): (() => void) | null {
  const { shop, pull, issue, known } = change
  const sha = headOf(change, pull)
  if (change.twin !== null || !known.has(sha)) return null
  return () => {
    shop.github.moveBranch(shop.name, 'twin', sha, 'agent')
    const body = `Closes #${issue}`
    change.twin = shop.github.openPull(shop.name, { title: 'The same', head: 'twin', body, by: 'agent' })
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
