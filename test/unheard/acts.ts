// What agents, people and robots do to a change, each with how often it happens beside the others.
import { inTheQueue, joins, leaves, queued } from './queue.ts'
import { happened, headOf, short, type Act, type Change } from './change.ts'
import { allRun, oneRuns } from './results.ts'
import * as said from './words.ts'

/** Whatever is in the way is taken out of it more often than it comes, or nothing would ever be green. */
export const acts: readonly (readonly [number, Act])[] = [
  [3, push],
  [3, moveBack],
  [7, (change, told) => () => allRun(change, { sha: headOf(change, change.pull), passed: true, told })],
  [3, (change, told) => () => oneRuns(change, { sha: headOf(change, change.pull), passed: true, told })],
  [2, (change, told) => () => oneRuns(change, { sha: headOf(change, change.pull), passed: false, told })],
  [2, (change, told) => ofCommits(change, (sha) => allRun(change, { sha, passed: true, told }))],
  [2, (change, told) => said.says(change, change.pull, told)],
  [1, (change, told) => (change.twin === null ? null : said.says(change, change.twin, told))],
  [1, (change, told) => said.says(change, change.mate.pull, told)],
  [5, said.reviews],
  [1, said.saysInReview],
  [2, said.dismisses],
  [1, said.labels],
  [3, (change, told) => (change.isLabelled ? said.labels(change, told) : null)],
  [4, (change, told) => said.takesBack(change, change.pull, told)],
  [1, (change, told) => said.takesBack(change, change.mate.pull, told)],
  [3, said.allows],
  [2, said.opens],
  [3, said.completes],
  [2, said.unopens],
  [1, said.talks],
  [2, said.rewords],
  [1, said.deletes],
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
  [1, said.demotes],
  [3, said.promotes],
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
