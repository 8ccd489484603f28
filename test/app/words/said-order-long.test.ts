// What counts is the order in which people said things, not the one in which the App hears of it: a webhook that failed comes again
// after others that were said later.
import { expect, test, vi } from 'vitest'
import { sharedInTime } from '../lab/app-of-file.ts'
import { aShop, adopted, type Shop } from '../lab/shop.ts'
import { changesIn } from '../lab/unheard.ts'

vi.setConfig({ testTimeout: 90_000 })
const { app, aMinuteLater } = await sharedInTime()
const { github } = app
const { heardLate } = changesIn(app)

const direct = `override_policy: { direct_approval_allowed: true, reviews_are_direct_approval: true }\n${adopted}`

async function aBuilt(build: 'success' | 'failure', policy = adopted) {
  const shop = await aShop(app, policy)
  const sha = await shop.push()
  const pull = await shop.open()
  await shop.build(sha, build)
  return { shop, sha, pull }
}

const says = (shop: Shop, pull: number, by: string, body: string) => () => github.comment(shop.name, pull, { body, by })
const reviews = (shop: Shop, pull: number, by: string, event: 'APPROVE' | 'REQUEST_CHANGES') => () =>
  github.review(shop.name, pull, { by, event, body: 'I looked at it.' })

test('an approval that comes late does not take back what its author found since', async () => {
  const { shop, sha, pull } = await aBuilt('success')
  const comes = await heardLate('pull_request_review', reviews(shop, pull, 'bob', 'APPROVE'))
  reviews(shop, pull, 'bob', 'REQUEST_CHANGES')()
  await app.idle()
  await comes()
  expect(await shop.check(sha)).toMatch(/^failure: Stopped: rejected by bob/)
})

test('changes that were asked for before an approval do not stand against it', async () => {
  const { shop, sha, pull } = await aBuilt('success')
  const comes = await heardLate('pull_request_review', reviews(shop, pull, 'bob', 'REQUEST_CHANGES'))
  reviews(shop, pull, 'bob', 'APPROVE')()
  await app.idle()
  await comes()
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('changes that were asked for and dismissed before anybody heard of them do not stand', async () => {
  const { shop, sha, pull } = await aBuilt('success')
  let review = 0
  const comes = await heardLate('pull_request_review', () => (review = reviews(shop, pull, 'bob', 'REQUEST_CHANGES')()))
  github.dismiss(shop.name, pull, review, 'ada')
  await app.idle()
  await comes()
  expect(await shop.check(sha)).toMatch(/^success/)
})

test.each([
  ['a minute later', aMinuteLater],
  ['at once', () => undefined],
])('a /reject that was taken back before it was heard, %s', async (_, passes) => {
  const { shop, sha, pull } = await aBuilt('success')
  const comes = await heardLate('issue_comment', says(shop, pull, 'ada', '/reject it is wrong'))
  await shop.say(pull, 'ada', '/revoke')
  passes()
  await comes()
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('a /reject is not taken back by what took back another word, nor twice by one', async () => {
  const { shop, sha, pull } = await aBuilt('success')
  const comes = await heardLate('issue_comment', says(shop, pull, 'ada', '/reject it is wrong'))
  const again = await heardLate('issue_comment', says(shop, pull, 'ada', '/reject and it is slow'))
  await shop.say(pull, 'ada', '/revoke')
  await again()
  await comes()
  expect(await shop.check(sha)).toMatch(/^failure: Stopped: rejected by ada: it is wrong/)
})

test('a /revoke does not reach what was said after it', async () => {
  const { shop, sha, pull } = await aBuilt('failure')
  await shop.say(pull, 'ada', '/override the runner lost its network')
  const comes = await heardLate('issue_comment', says(shop, pull, 'ada', '/revoke'))
  await shop.say(pull, 'ada', '/reject it is wrong')
  await comes()
  expect(await shop.check(sha)).toMatch(/^failure: Stopped: rejected by ada/)
})

test('a /revoke that took a no back, since what it was about was still to be heard', async () => {
  const { shop, sha, pull } = await aBuilt('success', direct)
  await shop.say(pull, 'ada', '/reject it is wrong')
  const comes = await heardLate('issue_comment', says(shop, pull, 'ada', '/approve I read every line'))
  await shop.say(pull, 'ada', '/revoke')
  await comes()
  expect(await shop.check(sha)).toMatch(/^failure: Stopped: rejected by ada/)
})

test('an approval that was given before a no', async () => {
  const { shop, sha, pull } = await aBuilt('success', `merge_requires: completed\n${adopted}`)
  const comes = await heardLate('pull_request_review', reviews(shop, pull, 'bob', 'APPROVE'))
  aMinuteLater()
  await shop.say(pull, 'ada', '/reject it is wrong')
  await shop.say(pull, 'ada', '/revoke')
  await comes()
  expect(await shop.check(sha)).toMatch(
    /^action_required: Needs a person: an approving review of this commit is missing/,
  )
})

test('an approval that was dismissed, told the other way around', async () => {
  const { shop, sha, pull } = await aBuilt('success', `merge_requires: completed\n${adopted}`)
  let review = 0
  const comes = await heardLate('pull_request_review', () => (review = reviews(shop, pull, 'bob', 'APPROVE')()))
  github.dismiss(shop.name, pull, review, 'ada')
  await app.idle()
  await comes()
  expect(await shop.check(sha)).toMatch(
    /^action_required: Needs a person: an approving review of this commit is missing/,
  )
  reviews(shop, pull, 'bob', 'APPROVE')()
  await app.idle()
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('a label to override that was taken away, told the other way around', async () => {
  const { shop, sha, pull } = await aBuilt('failure')
  const label = 'countersign:override'
  await shop.say(pull, 'ada', '/reason the runner lost its network')
  const comes = await heardLate('pull_request', () => github.label(shop.name, pull, label, 'ada'))
  github.unlabel(shop.name, pull, label, 'ada')
  await app.idle()
  await comes()
  await shop.say(pull, 'ada', '/reason the runner lost its network')
  expect(await shop.check(sha)).toMatch(/^failure: Changes needed/)
})

test('a label to reject that was taken away before it was heard, and one that was set again', async () => {
  const { shop, sha, pull } = await aBuilt('success')
  const label = 'countersign:reject'
  const comes = await heardLate('pull_request', () => github.label(shop.name, pull, label, 'bob'))
  github.unlabel(shop.name, pull, label, 'bob')
  await app.idle()
  await comes()
  expect(await shop.check(sha)).toMatch(/^success/)
  const goes = await heardLate('pull_request', () => {
    github.label(shop.name, pull, label, 'bob')
    github.unlabel(shop.name, pull, label, 'bob')
  })
  aMinuteLater()
  github.label(shop.name, pull, label, 'bob')
  await app.idle()
  await goes()
  expect(await shop.check(sha)).toMatch(/^failure: Stopped: rejected by bob/)
})

test('a /reject of a commit that comes back', async () => {
  const { shop, sha, pull } = await aBuilt('success')
  const comes = await heardLate('issue_comment', says(shop, pull, 'ada', '/reject it is wrong'))
  aMinuteLater()
  const other = await shop.push()
  await app.idle()
  await comes()
  await shop.build(other, 'success')
  github.moveBranch(shop.name, 'feature', sha, 'agent')
  await app.idle()
  expect(await shop.check(sha)).toMatch(/^failure: Stopped: rejected by ada: it is wrong/)
})
