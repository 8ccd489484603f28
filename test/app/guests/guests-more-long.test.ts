// Pull requests of people without write permission that share a tree or a commit with others.
import { describe, expect, test } from 'vitest'
import { aGuest, aTask, twice } from '../lab/a-guest.ts'
import { appOfFile } from '../lab/app-of-file.ts'
import type { Shop } from '../lab/shop.ts'

const app = await appOfFile()
const { github } = app

describe('once somebody entitled has taken it up', () => {
  test('a rejection of the tree that was taken back there is taken back in every other task', async () => {
    const { shop, closes } = await aTask(app)
    const sha = await shop.push('own')
    await shop.open('agent', { head: 'own' })
    await shop.build(sha, 'success')
    const login = `tree-${shop.org}`
    const home = github.fork(shop.name, login)
    github.push(home, 'copy', { from: sha, files: {}, author: login, message: 'The same' })
    const number = github.openPull(shop.name, { title: 'Mine', head: `${login}:copy`, body: closes, by: login })
    await shop.idle()
    await shop.say(number, 'bob', '/reject not like this')
    await shop.say(number, 'ada', '/ack a good beginning')
    expect(await shop.check(sha)).toMatch(/^failure: Stopped: rejected by bob/)
    await shop.say(number, 'bob', '/revoke')
    expect(await shop.check(sha)).toMatch(/^success/)
  })

  test('it counts for the commit that it shares with a member’s, as that of a member would', async () => {
    const { shop, closes } = await aTask(app)
    const sha = await shop.push('own')
    await shop.open('agent', { head: 'own', body: closes })
    await shop.build(sha, 'success')
    const login = `copy-${shop.org}`
    const home = github.fork(shop.name, login)
    github.moveBranch(home, 'copy', sha, login)
    const number = github.openPull(shop.name, { title: 'Mine', head: `${login}:copy`, body: closes, by: login })
    await shop.idle()
    expect(await shop.check(sha)).toMatch(/^success/)
    await shop.say(number, 'ada', '/ack a good beginning')
    // What Actions found out was for the member's alone, so this one waits.
    expect(await shop.check(sha)).toMatch(/^in_progress/)
    github.closePull(shop.name, number, login)
    await shop.idle()
    expect(await shop.check(sha)).toMatch(/^success/)
  })
})

test.each<[string, (gift: { shop: Shop; number: number; home: string; login: string }) => void]>([
  ['is closed', ({ shop, number, login }) => github.closePull(shop.name, number, login)],
  ['becomes a draft', ({ shop, number, login }) => github.setDraft(shop.name, number, true, login)],
  [
    'goes on to another commit',
    ({ home, login }) => github.push(home, 'feature', { files: { 'src/more.ts': 'more\n' }, author: login }),
  ],
  [
    'goes to another base',
    ({ shop, number, login }) => github.editPull(shop.name, number, { base: 'release', by: login }),
  ],
])(
  'what nobody asked for does not stay green by what was said of another pull request, once that %s',
  async (_, go) => {
    const { shop } = await aTask(app, twice.replace('version: 1', 'version: 1\nmerge_requires: completed'))
    github.push(shop.name, 'release', { files: { 'notes.md': 'soon\n' }, author: 'cleo' })
    const { number, home, sha, login } = await aGuest(shop, 'A gift')
    await shop.say(number, 'ada', '/ack it is welcome')
    await shop.build(sha, 'success')
    github.moveBranch(home, 'again', 'feature', login)
    const again = github.openPull(shop.name, { title: 'The same', head: `${login}:again`, body: '', by: login })
    await shop.idle()
    await shop.review(number, 'bob', 'APPROVE')
    expect(await shop.check(sha)).toMatch(/^success/)
    go({ shop, number, home, login })
    await shop.idle()
    expect(await shop.check(sha)).not.toMatch(/^success/)
    expect(await shop.labels(again)).not.toContain('countersign:success')
  },
)
