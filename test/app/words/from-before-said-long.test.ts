// GitHub's answers are from before a push: nobody takes them for the present, and what was said since is about what came with it.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { aSecond } from '../lab/a-second.ts'
import { sharedApp } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { adopted, aShop, pushedOn, type Shop } from '../lab/shop.ts'
import { untold } from '../lab/unheard.ts'

const app = await sharedApp()
const { github } = app

/** Somebody pushes, and whatever is asked then shows the commit before. */
async function aPushUnshown(told: boolean) {
  const shop = await aShop(app)
  const sha = await shop.push()
  const pull = await shop.open()
  await aSecond()
  const stale = github.addFault({ trouble: { kind: 'stale' } })
  const next = told ? pushedOn(github, shop.name) : await untold(github, () => pushedOn(github, shop.name))
  await aSecond()
  const shown = async (): Promise<void> => {
    await sleep(2_000)
    github.removeFault(stale)
    await app.idle()
  }
  return { shop, sha, next, pull, shown }
}

test('a push that GitHub told of is taken in once its answers are not from before it', async () => {
  const { shop, sha, next, shown } = await aPushUnshown(true)
  await shown()
  expect(await shop.check(next)).toMatch(/^in_progress: Waiting: required check `build`/)
  expect(await shop.check(sha)).toMatch(/^cancelled: Superseded/)
})

test('a no to a push that nobody told of is a no to that, not to the commit that GitHub still shows', async () => {
  const { shop, next, pull, shown } = await aPushUnshown(false)
  github.comment(shop.name, pull, { body: '/reject not like this', by: 'bob' })
  await shown()
  await shop.build(next, 'success')
  expect(await shop.check(next)).toMatch(/^failure: .*bob/)
})

test.each([
  ['a comment', 'comment'],
  ['a label', 'label'],
] as const)('a no in %s to a push that nobody told of is a no to that', async (_, by) => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const pull = await shop.open()
  await aSecond()
  const next = await untold(github, () => pushedOn(github, shop.name))
  await aSecond()
  if (by === 'comment') github.comment(shop.name, pull, { body: '/reject not like this', by: 'bob' })
  else github.label(shop.name, pull, 'countersign:reject', 'bob')
  await app.idle()
  await shop.build(next, 'success')
  expect(await shop.check(next)).toMatch(/^failure: .*bob/)
  expect(await shop.check(sha)).toMatch(/^cancelled: Superseded/)
})

describe('what was said at one base, while the pull request goes to another', () => {
  /** It goes there as soon as the words are read, and nobody tells of it. */
  async function saidOnTheWay(policy: string, say: (shop: Shop, pull: number, sha: string) => void) {
    const shop = await aShop(app, policy)
    github.push(shop.name, 'release', { files: { 'notes.md': 'soon\n' }, author: 'cleo' })
    const sha = await shop.push()
    const pull = await shop.open()
    await shop.build(sha, 'failure')
    await aSecond()
    const moved = github.before({ method: 'GET', path: `/repos/*/pulls/${pull}` }, () => {
      github.setDeliveries({ lostPercent: 100 })
      github.editPull(shop.name, pull, { base: 'release', by: 'agent' })
    })
    say(shop, pull, sha)
    await until(async () => github.faultHits(moved) > 0)
    await sleep(500)
    github.setDeliveries({ lostPercent: 0 })
    await app.idle()
    await aSecond()
    const reported = async (conclusion: 'success' | 'failure'): Promise<string> => {
      await shop.build(sha, conclusion)
      return shop.check(sha, 'countersign (release)')
    }
    return { shop, pull, reported }
  }

  test.each(['', '--sha'])('a check that was overruled there %s is not overruled here', async (option) => {
    const { shop, pull, reported } = await saidOnTheWay(adopted, ({ name }, number, sha) => {
      const body = `/override --check build ${option === '' ? '' : `--sha ${sha} `}the runner is broken`
      github.comment(name, number, { body, by: 'ada' })
    })
    expect(await reported('failure')).toMatch(/^failure: Changes needed/)
    expect(JSON.stringify(await shop.read(`/issues/${pull}/comments`))).toContain(
      'or its base has moved since you wrote',
    )
    await shop.say(pull, 'ada', '/override --check build the runner is broken')
    expect(await reported('failure')).toMatch(/^success: .*ada/)
  })

  test('an approval of that is none of this', async () => {
    const { shop, pull, reported } = await saidOnTheWay(`merge_requires: completed\n${adopted}`, ({ name }, number) => {
      github.review(name, number, { by: 'bob', event: 'APPROVE' })
    })
    expect(await reported('success')).toMatch(/^action_required|^in_progress/)
    github.review(shop.name, pull, { by: 'bob', event: 'APPROVE' })
    await app.idle()
    expect(await reported('success')).toMatch(/^success/)
  })

  test('a no holds it', async () => {
    const { reported } = await saidOnTheWay(adopted, ({ name }, number) => {
      github.comment(name, number, { body: '/reject not like this', by: 'bob' })
    })
    expect(await reported('success')).toMatch(/^failure: .*bob/)
  })
})
