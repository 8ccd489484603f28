// A task is sent back, at its pull request or at its issue, while its pull request stands at a commit that nothing judged: nobody
// told us of it, or it came to a draft, or to what is closed.
import { expect, test } from 'vitest'
import { sharedInTime } from '../lab/app-of-file.ts'
import { aShop, adopted, pushedOn, type Shop } from '../lab/shop.ts'
import { changesIn, untold } from '../lab/unheard.ts'

const { app, aMinuteLater } = await sharedInTime()
const { github } = app
const { wasGreen } = changesIn(app)

async function aTask() {
  const shop = await aShop(app, adopted)
  const issue = github.openIssue(shop.name, { title: 'Sort', body: 'Sort by price', by: 'cleo' })
  await app.idle()
  await shop.push()
  const pull = await shop.open('agent', { body: `Closes #${issue}` })
  aMinuteLater()
  return { shop, issue, pull }
}

const ways = {
  'what nobody told us of': {
    pushed: ({ name }: Shop): Promise<string> =>
      untold(github, () => {
        const sha = pushedOn(github, name)
        github.reportCheck(name, { name: 'build', sha, conclusion: 'success', app: 'github-actions' })
        return sha
      }),
    back: async (): Promise<void> => {},
  },
  'a draft': {
    pushed: async ({ name }: Shop, pull: number): Promise<string> => {
      github.setDraft(name, pull, true, 'agent')
      await app.idle()
      return pushedOn(github, name)
    },
    back: async ({ name, build }: Shop, pull: number, sha: string): Promise<void> => {
      github.setDraft(name, pull, false, 'agent')
      await build(sha, 'success')
    },
  },
  'what is closed': {
    pushed: async ({ name }: Shop, pull: number): Promise<string> => {
      const sha = pushedOn(github, name)
      github.closePull(name, pull, 'agent')
      await app.idle()
      return sha
    },
    back: async ({ name, build }: Shop, pull: number, sha: string): Promise<void> => {
      github.reopenPull(name, pull, 'agent')
      await build(sha, 'success')
    },
  },
} as const
type What = keyof typeof ways
const whats = ['what nobody told us of', 'a draft', 'what is closed'] as const satisfies readonly What[]
const cases = whats.flatMap((what) =>
  (['its pull request', 'its issue'] as const).map((where) => [what, where] as const),
)

test.each(cases)('%s is sent back at %s', async (what, where) => {
  const { shop, issue, pull } = await aTask()
  const sha = await ways[what].pushed(shop, pull)
  await app.idle()
  aMinuteLater()
  await shop.say(where === 'its issue' ? issue : pull, 'eve', '/task reject it sorts backwards')
  aMinuteLater()
  await ways[what].back(shop, pull, sha)
  expect(await shop.check(sha)).toMatch(/^failure: Stopped: rejected by eve/)
  expect(wasGreen(sha, shop.name)).toBe(false)
})
