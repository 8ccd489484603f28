// Guests, who may not write here: what they open is a task of its own until somebody entitled takes it up, and from then on
// an attempt at the issue that it closes, like everybody's.
import { describe, expect, test } from 'vitest'
import { aGuest, anAgentsFailure, aTask, first, last } from '../lab/a-guest.ts'
import { sharedApp } from '../lab/app-of-file.ts'
import type { Shop } from '../lab/shop.ts'
import { shareOf } from '../../depth.ts'

const app = await sharedApp()
const { github } = app

describe('before somebody takes it up', () => {
  test('a failure of a guest uses up nothing of what others share, and nobody entitled is a builder for a name in it', async () => {
    const { shop, closes } = await aTask(app)
    const message = 'Better\n\nCo-authored-by: Ada <ada@users.noreply.github.com>'
    const guest = await aGuest(shop, closes, { message })
    await shop.build(guest.sha, 'failure')
    expect(await anAgentsFailure(shop, closes)).toMatch(first)
  })

  test.each(
    shareOf(2, [
      ['the guest', async ({ login }: { login: string }) => login, 'Refused'],
      ['somebody who may only write', async () => 'bob', 'maintain'],
    ]),
  )('the words of %s do not take it up', async (_who, by, refusal) => {
    const { shop, closes } = await aTask(app)
    const guest = await aGuest(shop, closes)
    await shop.build(guest.sha, 'failure')
    await shop.say(guest.number, await by(guest), '/ack it is fine')
    expect((await shop.comments(guest.number)).at(-1)).toContain(refusal)
    expect(await anAgentsFailure(shop, closes)).toMatch(first)
  })

  test('a maintainer who pushed to it made a part of it, and does not take it up', async () => {
    const { shop, closes } = await aTask(app)
    const guest = await aGuest(shop, closes)
    github.push(guest.home, 'feature', { files: { 'src/guest.ts': 'mine\n' }, author: 'ada' })
    await shop.idle()
    await shop.say(guest.number, 'ada', '/ack it is fine')
    expect((await shop.comments(guest.number)).at(-1)).toContain('you made part of this change')
    await shop.build(github.tip(guest.home, 'feature'), 'failure')
    expect(await anAgentsFailure(shop, closes)).toMatch(first)
  })
})

describe('once somebody entitled has taken it up', () => {
  test('its attempts count with those of the others, and those from before do not', async () => {
    const { shop, closes } = await aTask(app)
    const guest = await aGuest(shop, closes)
    await shop.build(guest.sha, 'failure')
    const second = await guest.push()
    await shop.build(second, 'failure')
    await shop.say(guest.number, 'ada', '/ack a good beginning')
    expect(await shop.check(second)).toMatch(first)
    expect(await anAgentsFailure(shop, closes)).toMatch(last)
  })

  test('who made it made a part of the task', async () => {
    const { shop, closes } = await aTask(app)
    const message = 'Better\n\nCo-authored-by: Ada <ada@users.noreply.github.com>'
    const guest = await aGuest(shop, closes, { message })
    const sha = await shop.push('own')
    const number = await shop.open('agent', { head: 'own', body: closes })
    await shop.build(sha, 'failure')
    await shop.say(guest.number, 'cleo', '/ack a good beginning')
    await shop.say(number, 'ada', '/override the runner is broken')
    expect((await shop.comments(number)).at(-1)).toContain('you made part of this change')
    expect(await shop.check(sha)).toMatch(first)
  })

  test('it is shown where it was: one comment, one check run, and the words of the other task', async () => {
    const { shop, issue, closes } = await aTask(app)
    const guest = await aGuest(shop, closes)
    await shop.build(guest.sha, 'failure')
    const [before, runs] = [await shop.comments(guest.number), await shop.runs(guest.sha)]
    expect(before[0]).toContain(`"task": "${shop.name}#${guest.number}"`)
    await shop.say(guest.number, 'ada', '/ack a good beginning')
    const after = await shop.comments(guest.number)
    expect([after.length, await shop.runs(guest.sha)]).toEqual([before.length, runs])
    expect(after[0]).toContain(`"task": "${shop.name}#${issue}"`)
    await shop.build(guest.sha, 'success')
    expect(await shop.check(guest.sha)).toMatch(/^success/)
    expect((await shop.labels(guest.number)).filter((label) => label.startsWith('countersign:'))).toHaveLength(1)
  })

  type Says = (shop: Shop, number: number) => Promise<unknown>
  test.each(
    shareOf<[string, Says, Says]>(
      2,
      [
        ['word', (shop, n) => shop.say(n, 'bob', '/reject not like this'), (shop, n) => shop.say(n, 'bob', '/revoke')],
        [
          'review',
          (shop, n) => shop.review(n, 'bob', 'REQUEST_CHANGES', 'not like this'),
          (shop, n) => shop.review(n, 'bob', 'APPROVE'),
        ],
      ],
      1,
    ),
  )('a rejection by a %s stands, and is taken back where it was made', async (_kind, reject, takeBack) => {
    const { shop, closes } = await aTask(app)
    const guest = await aGuest(shop, closes)
    await shop.build(guest.sha, 'success')
    await reject(shop, guest.number)
    await shop.say(guest.number, 'ada', '/ack a good beginning')
    expect(await shop.check(guest.sha)).toMatch(/^failure: Stopped: rejected by bob/)
    await shop.say(guest.number, 'bob', '/log')
    expect((await shop.comments(guest.number)).at(-1)).not.toContain('in another pull request')
    await takeBack(shop, guest.number)
    expect(await shop.check(guest.sha)).toMatch(/^success/)
  })
})

describe('it is taken up', () => {
  test('by a label', async () => {
    const { shop, closes } = await aTask(app)
    const guest = await aGuest(shop, closes)
    await shop.build(guest.sha, 'failure')
    github.label(shop.name, guest.number, 'countersign:ack', 'ada')
    await shop.idle()
    expect(await anAgentsFailure(shop, closes)).toMatch(last)
  })

  test.each(
    shareOf(2, [
      ['somebody entitled', 'ada', last],
      ['somebody who may only write', 'bob', first],
    ] as const),
  )('by the approval of its workflow run: by %s', async (_who, by, expected) => {
    const { shop, closes } = await aTask(app)
    const guest = await aGuest(shop, closes)
    const wish = { head: guest.sha, branch: 'feature', headRepo: guest.home, actor: guest.login }
    const run = github.startRun(shop.name, { ...wish, event: 'pull_request' })
    github.finishRun(shop.name, run, 'action_required')
    await shop.idle()
    await shop.build(guest.sha, 'failure')
    github.approveRun(shop.name, run, by)
    await shop.idle()
    expect(await anAgentsFailure(shop, closes)).toMatch(expected)
  })
})

test('what nobody can tell for which of two it was is awaited again by the one that is left', async () => {
  const { shop } = await aTask(app)
  github.push(shop.name, 'release', { files: { 'notes.md': 'soon\n' }, author: 'cleo' })
  const sha = await shop.push()
  const number = await shop.open('agent')
  await shop.build(sha, 'failure')
  github.moveBranch(shop.name, 'again', 'feature', 'agent')
  await shop.open('agent', { head: 'again' })
  expect(await shop.check(sha)).toMatch(/^failure/)
  github.editPull(shop.name, number, { base: 'release', by: 'ada' })
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^in_progress: Waiting: required check `build` has not reported yet/)
})
