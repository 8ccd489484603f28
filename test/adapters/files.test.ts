// The list of changed files: whose commit it is of, and whether it is whole.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changedFiles } from '../../src/adapters/github/files/files.ts'
import { githubTraffic, tokenOctokit } from '../../src/adapters/github/traffic/client.ts'
import { startGitHub, type GitHub } from '../github/github.ts'

let github: GitHub
beforeAll(async () => {
  github = await startGitHub()
  github.createRepo('acme/shop', { files: { 'README.md': '# Shop\n' }, by: 'ada' })
})
afterAll(async () => github.close())

const access = () => {
  const octokit = tokenOctokit(githubTraffic(), github.tokenOf('ada'), github.url)
  return { octokit, place: { owner: 'acme', repo: 'shop' }, slug: 'countersign', app: null, now: Date.now }
}
const push = (branch: string, files: Record<string, string>): string =>
  github.push('acme/shop', branch, { files, author: 'ada' })

test('a list of another commit is not taken for the list of this one', async () => {
  const first = push('moved', { 'a.ts': 'one\n' })
  const pull = github.openPull('acme/shop', { title: 'Moved', head: 'moved', by: 'ada' })
  const second = push('moved', { 'b.ts': 'two\n' })
  const before = await changedFiles(access(), { pull, head_sha: first, merges_into: 'main' })
  expect([before.files.map(({ path }) => path), before.complete]).toEqual([['a.ts'], true])
  expect([...before.patches]).toEqual([['a.ts', '@@ -0,0 +1 @@\n+one']])
  const { files, complete } = await changedFiles(access(), { pull, head_sha: second, merges_into: 'main' })
  expect([files.map(({ path }) => path), complete]).toEqual([['a.ts', 'b.ts'], true])
})

test('a list that GitHub may have cut says so', async () => {
  const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`src/${index}.ts`, 'x\n']))
  const head_sha = push('large', many)
  const pull = github.openPull('acme/shop', { title: 'Large', head: 'large', by: 'ada' })
  const { files, complete, patches } = await changedFiles(access(), { pull, head_sha, merges_into: 'main' })
  expect([files.length, complete]).toEqual([3_000, false])
  // Whose the lines of such a list are, nobody can say.
  expect(patches.size).toBe(0)
}, 30_000)

test('a list that one event could not hold is cut, and says so', async () => {
  const long = `${'d'.repeat(250)}/`.repeat(15)
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`${long}${index}.ts`, 'x\n']))
  const head_sha = push('long', many)
  const pull = github.openPull('acme/shop', { title: 'Long', head: 'long', by: 'ada' })
  const { files, complete } = await changedFiles(access(), { pull, head_sha, merges_into: 'main' })
  expect(complete).toBe(false)
  expect(files.length).toBeLessThan(500)
}, 30_000)
