// What REST does not tell of an issue: whether somebody closed it or a merge did, and when its title was changed.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closingAndEdits } from '../../src/adapters/github/issues/closing-and-edits.ts'
import { githubTraffic, tokenOctokit } from '../../src/adapters/github/traffic/client.ts'
import { startGitHub, type GitHub } from '../github/github.ts'

const shop = 'acme/shop'
let github: GitHub
beforeAll(async () => {
  github = await startGitHub()
  github.createRepo(shop, { files: { 'README.md': '# Shop\n' }, by: 'ada' })
})
afterAll(async () => github.close())

const read = (number: number, state: 'open' | 'closed') => {
  const octokit = tokenOctokit(githubTraffic(), github.tokenOf('ada'), github.url)
  const place = { owner: 'acme', repo: 'shop' }
  return closingAndEdits({ octokit, place, slug: 'countersign', app: null, now: Date.now }, { number, state })
}
const opened = (): number => github.openIssue(shop, { title: 'Prices are wrong', body: 'All of them', by: 'bob' })

test('an open issue that nobody changed', async () => {
  expect(await read(opened(), 'open')).toEqual({ closing: null, edited_at: null })
})

test('who closed it by hand did so, and who merged what closes it did not', async () => {
  const [byHand, byMerge] = [opened(), opened()]
  github.closeIssue(shop, byHand, 'ada')
  github.push(shop, 'prices', { files: { 'prices.ts': 'export {}\n' }, author: 'bob' })
  const pull = github.openPull(shop, { title: 'Prices', head: 'prices', body: `Closes #${byMerge}`, by: 'bob' })
  github.merge(shop, pull, { by: 'ada' })
  expect(await read(byHand, 'closed')).toMatchObject({ closing: { by: { login: 'ada' }, by_merge: false } })
  expect(await read(byMerge, 'closed')).toMatchObject({ closing: { by: { login: 'ada' }, by_merge: true } })
})

test('a title that was changed is an edit as a text is', async () => {
  const [renamed, rewritten] = [opened(), opened()]
  github.editIssue(shop, renamed, { title: 'All is wrong', by: 'bob' })
  github.editIssue(shop, rewritten, { body: 'Some of them', by: 'bob' })
  expect(await read(renamed, 'open')).toMatchObject({ edited_at: expect.any(String) })
  expect(await read(rewritten, 'open')).toMatchObject({ edited_at: expect.any(String) })
})

test('what only one of GitHub’s copies knows to be closed is asked for again, and what is gone is nothing', async () => {
  await expect(read(opened(), 'closed')).rejects.toThrow('both as open and as closed')
  expect(await read(999, 'open')).toBeNull()
})
