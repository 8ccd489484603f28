// Plays the scenes of a story on an App: each act becomes what a person or a machine does on GitHub. Between the scenes
// the caller decides what else happens to the App.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Running } from '../app/running.ts'
import { aShop, type Shop } from '../app/shop.ts'
import { pullsPerShop, type Act, type Scene, type Story } from './story.ts'

export type Pull = {
  readonly shop: Shop
  readonly branch: string
  number: number
  head: string
  review: number | null
}
export type Stage = { readonly pulls: readonly (readonly Pull[])[]; readonly perform: (scene: Scene) => Promise<void> }

export async function aStage(app: Running, { policies }: Story, pauseMs: () => number): Promise<Stage> {
  const pulls: (readonly Pull[])[] = []
  for (const policy of policies) {
    const shop = await aShop(app, policy)
    pulls.push(
      Array.from({ length: pullsPerShop }, (_, index) => ({
        shop,
        branch: `feature-${index}`,
        number: 0,
        head: '',
        review: null,
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

function perform({ github }: Running, pull: Pull, act: Act): void {
  const { number, shop, branch } = pull
  const { name } = shop
  switch (act.kind) {
    case 'push':
      commits += 1
      pull.head = github.push(name, branch, {
        files: { [`src/${branch}.ts`]: `export const v = ${commits}\n` },
        author: 'agent',
      })
      if (number === 0) pull.number = github.openPull(name, { title: `Better ${branch}`, head: branch, by: 'agent' })
      return
    case 'check':
      github.reportCheck(name, { name: 'build', sha: pull.head, conclusion: act.conclusion })
      return
    case 'say':
      github.comment(name, number, { body: act.words, by: act.by })
      return
    case 'review':
      pull.review = github.review(name, number, { by: act.by, event: act.event, body: 'I looked at it.' })
      return
    case 'dismiss':
      if (pull.review !== null) github.dismiss(name, number, pull.review, 'ada')
      return
    case 'label':
      github.label(name, number, act.label, act.by)
      return
    case 'draft':
      github.setDraft(name, number, act.on, 'agent')
      return
    case 'close':
      github.closePull(name, number, 'agent')
      return
    case 'reopen':
      github.reopenPull(name, number, 'agent')
  }
}
