// Pull requests of people without write permission once more: what they close, and who takes them up how.
import { describe, expect, test } from 'vitest'
import { aGuest, anAgentsFailure, aTask, first, last } from '../lab/a-guest.ts'
import { appOfFile } from '../lab/app-of-file.ts'

const app = await appOfFile()
const { github } = app

describe('once somebody entitled has taken it up', () => {
  test('a later push of it counts too', async () => {
    const { shop, closes } = await aTask(app)
    const guest = await aGuest(shop, closes)
    await shop.say(guest.number, 'ada', '/ack a good beginning')
    const second = await guest.push()
    await shop.build(second, 'failure')
    expect(await anAgentsFailure(shop, closes)).toMatch(last)
  })

  test('requested changes stand on later commits too', async () => {
    const { shop, closes } = await aTask(app)
    const guest = await aGuest(shop, closes)
    await shop.review(guest.number, 'bob', 'REQUEST_CHANGES', 'not like this')
    const second = await guest.push()
    await shop.say(guest.number, 'ada', '/ack a good beginning')
    await shop.build(second, 'success')
    expect(await shop.check(second)).toMatch(/^action_required: .*bob requested changes/)
    await shop.review(guest.number, 'bob', 'APPROVE')
    expect(await shop.check(second)).toMatch(/^success/)
  })

  test('one word is enough for what it touches as well', async () => {
    const { shop, closes } = await aTask(app)
    const guest = await aGuest(shop, closes, { files: { '.github/workflows/x.yml': 'on: push\n' } })
    await shop.build(guest.sha, 'success')
    expect(await shop.check(guest.sha)).toMatch(/^action_required: .* is protected/)
    await shop.say(guest.number, 'ada', '/ack I have read it')
    expect(await shop.check(guest.sha)).toMatch(/^success/)
  })

  test('who built another attempt at the task takes it up, and allows nothing by that', async () => {
    const { shop, closes } = await aTask(app)
    await shop.push('own', 'ada')
    await shop.open('ada', { head: 'own', body: closes })
    const guest = await aGuest(shop, closes, { files: { '.github/workflows/x.yml': 'on: push\n' } })
    await shop.build(guest.sha, 'success')
    await shop.say(guest.number, 'ada', '/ack I have read it')
    expect(await shop.check(guest.sha)).toMatch(/^action_required: .* is protected/)
  })

  test('what it closes afterwards moves nothing', async () => {
    const { shop, closes } = await aTask(app)
    const guest = await aGuest(shop, 'A gift.')
    await shop.say(guest.number, 'ada', '/ack a good beginning')
    github.editPull(shop.name, guest.number, { body: closes, by: guest.login })
    await shop.idle()
    const second = await guest.push()
    await shop.build(second, 'failure')
    expect(await anAgentsFailure(shop, closes)).toMatch(first)
  })

  test('it is an attempt at what it closed when it was opened, whatever its text says by then', async () => {
    const { shop, closes } = await aTask(app)
    const guest = await aGuest(shop, closes)
    await shop.build(guest.sha, 'failure')
    github.editPull(shop.name, guest.number, { body: 'A gift.', by: guest.login })
    await shop.idle()
    await shop.say(guest.number, 'ada', '/ack a good beginning')
    expect(await anAgentsFailure(shop, closes)).toMatch(last)
  })

  test('what it stopped closing before that binds it still', async () => {
    const { shop, issue } = await aTask(app)
    const body = 'Fix them.\n\n```countersign\nscope: { write: [docs/**] }\n```\n'
    const strict = github.openIssue(shop.name, { title: 'Only words', body, by: 'cleo' })
    const guest = await aGuest(shop, `Closes #${issue}, closes #${strict}`)
    github.editPull(shop.name, guest.number, { body: `Closes #${issue}`, by: guest.login })
    await shop.idle()
    await shop.say(guest.number, 'ada', '/ack a good beginning')
    const second = await guest.push()
    expect(await shop.check(second)).toMatch(/^failure: .*outside the scope of this task/)
  })

  test('two guests share the task, and its issue may be closed by then', async () => {
    const { shop, issue, closes } = await aTask(app)
    const [one, other] = [await aGuest(shop, closes), await aGuest(shop, closes)]
    for (const { sha } of [one, other]) await shop.build(sha, 'failure')
    await shop.say(one.number, 'ada', '/ack a good beginning')
    github.closeIssue(shop.name, issue, 'cleo')
    await shop.idle()
    await shop.say(other.number, 'ada', '/ack this one too')
    expect(await shop.check(one.sha)).toMatch(first)
    expect(await shop.check(other.sha)).toMatch(last)
  })
})

describe('it is taken up', () => {
  test('not by the label of somebody who may only write, or of a bot', async () => {
    const { shop, closes } = await aTask(app)
    const guest = await aGuest(shop, closes)
    await shop.build(guest.sha, 'failure')
    github.createApp({ slug: `robot-${shop.org}` })
    for (const by of ['bob', `robot-${shop.org}[bot]`]) {
      github.label(shop.name, guest.number, 'countersign:ack', by)
      await shop.idle()
    }
    expect(await shop.labels(guest.number)).not.toContain('countersign:ack')
    expect(await anAgentsFailure(shop, closes)).toMatch(first)
  })

  test('by an approval that was for another pull request of the same commit: not', async () => {
    const { shop, closes } = await aTask(app)
    const guest = await aGuest(shop, 'A gift.')
    const login = `copy-${shop.org}`
    const home = github.fork(shop.name, login)
    github.moveBranch(home, 'copy', guest.sha, login)
    github.openPull(shop.name, { title: 'Mine', head: `${login}:copy`, body: closes, by: login })
    await shop.idle()
    const wish = { head: guest.sha, branch: 'feature', headRepo: guest.home, actor: guest.login }
    const run = github.startRun(shop.name, { ...wish, event: 'pull_request' })
    github.finishRun(shop.name, run, 'action_required')
    github.approveRun(shop.name, run, 'ada')
    await shop.idle()
    await shop.build(guest.sha, 'failure')
    expect(await anAgentsFailure(shop, closes)).toMatch(first)
  })
})
