// What was taken back is gone, also where the App hears of the taking back first: a webhook that failed comes again later, and finds
// nobody who still stands by it.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { aShop, adopted, type Shop } from '../lab/shop.ts'
import { changesIn } from '../lab/unheard.ts'

vi.setConfig({ testTimeout: 90_000 })
const app = await appOfFile()
const { github } = app
const { heardLate } = changesIn(app)

type Kind = {
  readonly policy: string
  readonly build: 'success' | 'failure'
  /** Gives what takes it back. */
  readonly say: (shop: Shop, pull: number) => () => unknown
  readonly event: string
}
const kinds = Object.entries<Kind>({
  review: {
    policy: `merge_requires: completed\n${adopted}`,
    build: 'success',
    say: ({ name }, pull) => {
      const review = github.review(name, pull, { by: 'bob', event: 'APPROVE' })
      return () => github.dismiss(name, pull, review, 'ada')
    },
    event: 'pull_request_review',
  },
  comment: {
    policy: adopted,
    build: 'failure',
    say: ({ name }, pull) => {
      github.comment(name, pull, { body: '/override the runner lost its network', by: 'ada' })
      return () => github.comment(name, pull, { body: '/revoke', by: 'ada' })
    },
    event: 'issue_comment',
  },
  label: {
    policy: `override_policy: { check_override_requires_reason: false }\n${adopted}`,
    build: 'failure',
    say: ({ name }, pull) => {
      github.label(name, pull, 'countersign:override', 'ada')
      return () => github.unlabel(name, pull, 'countersign:override', 'ada')
    },
    event: 'pull_request',
  },
})

async function aBuilt({ policy, build }: Pick<Kind, 'policy' | 'build'>) {
  const shop = await aShop(app, policy)
  const sha = await shop.push()
  const pull = await shop.open()
  await shop.build(sha, build)
  return { shop, sha, pull }
}

test.each(kinds)('a %s', async (_, kind) => {
  const { shop, sha, pull } = await aBuilt(kind)
  const red = await shop.check(sha)
  let takeBack: () => unknown = () => undefined
  const comes = await heardLate(kind.event, () => (takeBack = kind.say(shop, pull)))
  takeBack()
  await app.idle()
  await sleep(4_000)
  await comes()
  expect(await shop.check(sha)).toBe(red)
})

test.each(kinds)('a %s that nobody took back counts, however late it comes', async (_, kind) => {
  const { shop, sha, pull } = await aBuilt(kind)
  const comes = await heardLate(kind.event, () => kind.say(shop, pull))
  await sleep(4_000)
  await comes()
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('what took back another word leaves the one before it', async () => {
  const policy = `override_policy: { direct_approval_allowed: true }\n${adopted}`
  const { shop, sha, pull } = await aBuilt({ policy, build: 'failure' })
  const comes = await heardLate('issue_comment', () =>
    github.comment(shop.name, pull, { body: '/approve I read every line', by: 'ada' }),
  )
  await shop.say(pull, 'ada', '/override the runner lost its network')
  await shop.say(pull, 'ada', '/revoke')
  await sleep(4_000)
  await comes()
  expect(await shop.check(sha)).toMatch(/^success/)
})
