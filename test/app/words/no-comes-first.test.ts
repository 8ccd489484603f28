// A no is what we come across a commit by: nobody told us of it, and it has passed already. Whoever looks at it for the sake of the
// no shows nothing green before the no is on record.
import { expect, test } from 'vitest'
import { shareOf } from '../../depth.ts'
import { beginningOfASecond } from '../lab/a-second.ts'
import { sharedInTime } from '../lab/app-of-file.ts'
import { aShop, pushedOn, type Shop } from '../lab/shop.ts'
import { changesIn, untold } from '../lab/unheard.ts'

const { app, aMinuteLater } = await sharedInTime()
const { github } = app
const { wasGreen } = changesIn(app)

const comment = ({ name }: Shop, pull: number, body: string) => github.comment(name, pull, { body, by: 'bob' })
const says = {
  'a comment': (shop: Shop, pull: number) => comment(shop, pull, '/reject not like this'),
  'the second words of a comment': (shop: Shop, pull: number) =>
    comment(shop, pull, '/countersign verify\n\n/reject not like this'),
  'a label': ({ name }: Shop, pull: number) => github.label(name, pull, 'countersign:reject', 'bob'),
  'a review': ({ name }: Shop, pull: number) =>
    github.review(name, pull, { by: 'bob', event: 'REQUEST_CHANGES', body: 'not like this' }),
  'the words of a review': ({ name }: Shop, pull: number) =>
    github.review(name, pull, { by: 'bob', event: 'COMMENT', body: '/reject not like this' }),
} as const
type How = keyof typeof says
const hows = [
  'a comment',
  'the second words of a comment',
  'a label',
  'a review',
  'the words of a review',
] as const satisfies readonly How[]

const passes = (name: string, sha: string) =>
  github.reportCheck(name, { name: 'build', sha, conclusion: 'success', app: 'github-actions' })

/** Something has passed, and no webhook told of it. */
const untoldPlaces = {
  'a pull request': async () => {
    const shop = await aShop(app)
    await shop.say(await openedElsewhere(shop), 'bob', 'Looks as if somebody works here')
    const { name } = shop
    const [sha, pull] = await untold(github, () => {
      const head = pushedOn(github, name)
      const opened = github.openPull(name, { head: 'feature', base: 'main', title: 'A change', by: 'agent' })
      passes(name, head)
      return [head, opened] as const
    })
    return { shop, sha, pull }
  },
  'a push': async () => {
    const shop = await aShop(app)
    await shop.push()
    const pull = await shop.open()
    const sha = await untold(github, () => {
      const head = pushedOn(github, shop.name)
      passes(shop.name, head)
      return head
    })
    return { shop, sha, pull }
  },
} as const
const wheres = ['a pull request', 'a push'] as const

/** The repository is one that is judged. */
async function openedElsewhere(shop: Shop): Promise<number> {
  await shop.push('elsewhere')
  return shop.open('agent', { head: 'elsewhere' })
}

const cases = wheres.flatMap((where) => hows.map((how) => [where, how] as const))

test.each(shareOf(3, cases))('%s that nobody told of, and %s', async (where, how) => {
  const { shop, sha, pull } = await untoldPlaces[where]()
  aMinuteLater()
  says[how](shop, pull)
  await app.idle()
  expect(await shop.check(sha)).toMatch(/^failure: Stopped: rejected by bob/)
  expect(wasGreen(sha, shop.name)).toBe(false)
})

test.each(shareOf(5, [...hows]))(
  'a push in the second in which it was opened, that nobody told of, and %s at once',
  async (how) => {
    const shop = await aShop(app)
    await shop.push()
    await beginningOfASecond()
    const pull = await shop.open()
    const sha = await untold(github, () => {
      const head = pushedOn(github, shop.name)
      passes(shop.name, head)
      return head
    })
    says[how](shop, pull)
    await app.idle()
    expect(await shop.check(sha)).toMatch(/^failure: Stopped: rejected by bob/)
    expect(wasGreen(sha, shop.name)).toBe(false)
  },
)
