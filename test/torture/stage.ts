// Plays the scenes of a story on an App: each act becomes what a person or a machine does on GitHub. Between the scenes
// the caller decides what else happens to the App.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Running } from '../app/lab/running.ts'
import { aShop, type Shop } from '../app/lab/shop.ts'
import type { Act, Scene, Story } from './story.ts'

export type Pull = {
  readonly shop: Shop
  /** Where its commits are pushed to: the shop itself, or a fork of it. */
  readonly home: string
  readonly branch: string
  /** Who makes it. */
  readonly by: string
  /** How what people said about it is known to whoever hears it. */
  readonly said: string[]
  number: number
  head: string
  review: number | null
  base: 'main' | 'release'
  /** The head of the merge group that it was last queued in. */
  group: string | null
  queued: boolean
  /** The other pull request from the same commit. */
  twin: number | null
  /** The last comment that somebody made, the issue that it is an attempt at, and the one that this waits for. */
  comment: { readonly id: number; readonly by: string } | null
  issue: number
  blocker: number
}
export type Stage = { readonly pulls: readonly (readonly Pull[])[]; readonly perform: (scene: Scene) => Promise<void> }

type World = Pick<Running, 'github' | 'idle'>

export async function aStage(
  app: World,
  { policies, pulls: counts }: Pick<Story, 'policies' | 'pulls'>,
  pauseMs: () => number,
): Promise<Stage> {
  const pulls: (readonly Pull[])[] = []
  for (const [index, policy] of policies.entries()) {
    const count = counts[index] ?? 0
    const shop = await aShop(app, policy)
    app.github.push(shop.name, 'release', { files: { 'release.md': 'soon\n' }, author: 'cleo' })
    // Of a name that no other shop of the same world has.
    const guest = `dan-${shop.org}`
    const fork = app.github.fork(shop.name, guest)
    pulls.push(
      Array.from({ length: count }, (_, pull) => ({
        shop,
        ...(pull === count - 1 ? { home: fork, by: guest } : { home: shop.name, by: 'agent' }),
        branch: `feature-${pull}`,
        said: [],
        number: 0,
        head: '',
        review: null,
        base: 'main',
        group: null,
        queued: false,
        twin: null,
        comment: null,
        issue: 0,
        blocker: 0,
      })),
    )
  }
  return {
    pulls,
    perform: async (scene) => {
      for (const { shop, pull, act } of scene) {
        const one = pulls[shop]?.[pull]
        if (one === undefined) throw new Error(`The story has no pull request ${pull} in shop ${shop}`)
        perform(app, one, act)
        const ms = pauseMs()
        if (ms > 0) await sleep(ms)
      }
    },
  }
}

let commits = 0

function perform({ github }: World, pull: Pull, act: Act): void {
  const { number, shop, branch, home, by } = pull
  const { name } = shop
  if (leavesQueue.includes(act.kind)) leaveQueue(github, pull)
  switch (act.kind) {
    case 'push':
      commits += 1
      pull.head = github.push(home, branch, {
        files: { [`src/${branch}.ts`]: `export const v = ${commits}\n` },
        author: by,
      })
      if (number === 0)
        pull.number = github.openPull(name, { title: `Better ${branch}`, head: headOf(pull, branch), by })
      return
    case 'check':
      github.reportCheck(name, { name: 'build', sha: pull.head, conclusion: act.conclusion })
      return
    case 'say':
      pull.comment = { id: github.comment(name, number, { body: act.words, by: act.by }), by: act.by }
      pull.said.push(`comment-${pull.comment.id}/`)
      return
    case 'reword':
      if (pull.comment === null) return
      github.editComment(name, pull.comment.id, { body: act.words, by: pull.comment.by })
      // Whoever comes across it later finds the new words.
      pull.said.pop()
      return
    case 'issue':
      pull.issue = github.openIssue(name, { title: `Wish ${branch}`, body: `Make ${branch} better.`, by: 'ada' })
      github.linkIssue(name, number, pull.issue, 'ada')
      return
    case 'block':
      pull.blocker = github.openIssue(name, { title: `Before ${branch}`, body: 'This comes first.', by: 'ada' })
      github.addBlocker(name, pull.issue, pull.blocker, 'ada')
      return
    case 'unblock':
      github.removeBlocker(name, pull.issue, pull.blocker, 'ada')
      return
    case 'close_blocker':
      github.closeIssue(name, pull.blocker, 'ada')
      return
    case 'merge':
      github.merge(name, number, { by: act.by })
      return
    case 'review':
      pull.review = github.review(name, number, { by: act.by, event: act.event, body: 'I looked at it.' })
      pull.said.push(`review-${pull.review}`)
      return
    case 'dismiss':
      if (pull.review !== null) github.dismiss(name, number, pull.review, 'ada')
      return
    case 'label':
      if (act.on) github.label(name, number, act.label, act.by)
      else github.unlabel(name, number, act.label, act.by)
      if (act.on) pull.said.push(`-labeled-${act.label}-`)
      return
    case 'draft':
      github.setDraft(name, number, act.on, by)
      return
    case 'close':
      github.closePull(name, number, by)
      return
    case 'reopen':
      github.reopenPull(name, number, by)
      return
    case 'retarget':
      pull.base = act.base
      github.editPull(name, number, { base: act.base, by: 'ada' })
      return
    case 'queue':
      // The base has moved on, or queueing the same head again within a second would make the very same commit.
      commits += 1
      github.push(name, pull.base, { files: { 'notes.md': `${commits}\n` }, author: 'cleo' })
      pull.group = github.mergeGroup(name, [number], 'ada').headSha
      pull.queued = true
      return
    case 'dequeue':
      return
    case 'group_check':
      if (pull.group !== null) github.reportCheck(name, { name: 'build', sha: pull.group, conclusion: act.conclusion })
      return
    case 'twin':
      github.moveBranch(home, `${branch}-twin`, branch, by)
      if (pull.twin === null)
        pull.twin = github.openPull(name, { title: `Also ${branch}`, head: headOf(pull, `${branch}-twin`), by })
      else github.reopenPull(name, pull.twin, by)
      return
    case 'say_to_twin':
      if (pull.twin !== null) github.comment(name, pull.twin, { body: act.words, by: act.by })
      return
    case 'close_twin':
      if (pull.twin !== null) github.closePull(name, pull.twin, by)
  }
}

const leavesQueue: readonly Act['kind'][] = ['push', 'draft', 'close', 'retarget', 'queue', 'dequeue']

function leaveQueue(github: Running['github'], pull: Pull): void {
  if (pull.group !== null && pull.queued) github.endGroup(pull.shop.name, pull.group, 'dequeued', 'ada')
  pull.queued = false
}

const headOf = ({ shop, home, by }: Pull, branch: string): string => (home === shop.name ? branch : `${by}:${branch}`)
