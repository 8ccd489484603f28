// An issue may become a goal's while nobody tells the App: what it belongs to is read before its pull request turns green.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { goalPolicy } from '../lab/a-goal.ts'
import { aShop } from '../lab/shop.ts'
import { changesIn, untold } from '../lab/unheard.ts'

const app = await sharedApp()
const { github } = app
const { wasGreen } = changesIn(app)

async function aTask(below: readonly ('own' | 'beside')[]) {
  const shop = await aShop(app, goalPolicy)
  const { name } = shop
  const goal = github.openIssue(name, { title: 'A shop that sells', by: 'bob' })
  github.label(name, goal, 'goal', 'ada')
  const [own = 0, beside = 0] = ['Show prices', 'Sort prices'].map((title) =>
    github.openIssue(name, { title, by: 'bob' }),
  )
  await shop.idle()
  const sha = await shop.push()
  const number = await shop.open('agent', { body: `Closes #${own}\nCloses #${beside}` })
  const join = () => {
    for (const one of below) github.addSubIssue(name, goal, one === 'own' ? own : beside, 'bob')
  }
  return { shop, sha, number, join }
}

test.each([[['own']], [['beside']]] as const)('joined untold: %j', async (below) => {
  const { shop, sha, number, join } = await aTask(below)
  await untold(github, join)
  await shop.build(sha, 'success')
  expect(wasGreen(sha, shop.name)).toBe(false)
  expect(await shop.check(sha)).toMatch(/^action_required/)
  await shop.review(number, 'bob', 'APPROVE')
  await shop.say(number, 'cleo', '/task verify I looked')
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('joined while the App was not let in', async () => {
  const { shop, sha, join } = await aTask(['own'])
  github.uninstall(shop.installation)
  await app.idle()
  join()
  github.install(shop.org)
  await app.idle()
  await shop.build(sha, 'success')
  expect(wasGreen(sha, shop.name)).toBe(false)
})

test('what belongs to no goal is not held up', async () => {
  const { shop, sha, join } = await aTask([])
  join()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
})
