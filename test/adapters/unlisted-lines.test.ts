// Files that GitHub lists without their lines: what is text is fetched and compared, what is not stays unread.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeOf } from '../../src/adapters/github/files/evidence.ts'
import { githubTraffic, tokenOctokit } from '../../src/adapters/github/traffic/client.ts'
import { startGitHub, type GitHub } from '../github/github.ts'
import { anAttempt } from '../words/attempts.ts'

let github: GitHub
const lines = Array.from({ length: 8 }, (_, at) => `line ${at}`)
const text = `${lines.join('\n')}\n`
const picture = { base64: Buffer.from([137, 80, 0, 1]).toString('base64') }
beforeAll(async () => {
  github = await startGitHub()
  const files = { '.gitattributes': 'a.txt -diff\nnew.txt -diff\ngone.txt -diff\nbig.txt -diff\n' }
  github.createRepo('acme/shop', {
    files: { ...files, 'a.txt': text, 'gone.txt': 'last\n', 'logo.png': picture, 'run.sh': 'ls\n' },
    by: 'ada',
  })
})
afterAll(async () => github.close())

async function read(branch: string, files: NonNullable<Parameters<GitHub['push']>[2]['files']>) {
  const head_sha = github.push('acme/shop', branch, { files, author: 'ada' })
  const pull = github.openPull('acme/shop', { title: branch, head: branch, by: 'ada' })
  const octokit = tokenOctokit(githubTraffic(), github.tokenOf('ada'), github.url)
  const access = { octokit, place: { owner: 'acme', repo: 'shop' }, slug: 'countersign', app: null, now: Date.now }
  const change = await changeOf(access, anAttempt({ pull, head_sha, merges_into: 'main' }))
  return change.files.map(({ path, patch, content, mode }) => ({ path, patch, content, mode }))
}

const plain = '100644'
test('text that an attribute keeps out of the diff is read', async () => {
  const changed = text.replace('line 6', 'line six')
  expect(await read('kept-out', { 'a.txt': changed, 'new.txt': 'first\nsecond\n', 'gone.txt': null })).toEqual([
    {
      path: 'a.txt',
      patch: '@@ -4,5 +4,5 @@\n line 3\n line 4\n line 5\n-line 6\n+line six\n line 7',
      content: 'text',
      mode: plain,
    },
    { path: 'gone.txt', patch: '@@ -1,1 +0,0 @@\n-last', content: 'text', mode: plain },
    { path: 'new.txt', patch: '@@ -0,0 +1,2 @@\n+first\n+second', content: 'text', mode: plain },
  ])
})

test('what is no text stays unread, and a mere mode or name is read as one', async () => {
  const other = { base64: Buffer.from([137, 80, 0, 2]).toString('base64') }
  expect(await read('binary', { 'logo.png': other, 'run.sh': { text: 'ls\n', mode: '100755' } })).toEqual([
    { path: 'logo.png', patch: null, content: 'binary', mode: plain },
    { path: 'run.sh', patch: '', content: 'text', mode: '100644 to 100755' },
  ])
  expect(await read('moved', { 'logo.png': null, 'img/logo.png': picture })).toEqual([
    { path: 'img/logo.png', patch: '', content: 'text', mode: plain },
  ])
})

test('what is too large to compare stays unread', async () => {
  expect(await read('large', { 'big.txt': 'x'.repeat(1_000_001) })).toEqual([
    { path: 'big.txt', patch: null, content: 'text', mode: plain },
  ])
})

test('of a submodule GitHub shows which commit it points to, and it is known as one', async () => {
  const at = (sign: string) => ({ text: sign.repeat(40), mode: '160000' as const })
  expect(await read('submodule', { 'vendor/lib': at('b') })).toEqual([
    {
      path: 'vendor/lib',
      patch: `@@ -0,0 +1 @@\n+Subproject commit ${'b'.repeat(40)}`,
      content: 'submodule',
      mode: '160000',
    },
  ])
})
