// The verifier's review on GitHub: written once, at lines that are there, and folded into its text where they are not.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { githubTraffic, tokenOctokit } from '../../src/adapters/github/traffic/client.ts'
import { showReview } from '../../src/adapters/github/show/verifier-review.ts'
import { threadsIn } from '../../src/core/decision/shown/review-ref.ts'
import { fingerprintMarker, reviewMarker, type InlineComment } from '../../src/core/words/verifier-review.ts'
import { startGitHub, type GitHub } from '../github/github.ts'

let github: GitHub
beforeAll(async () => {
  github = await startGitHub({ app: { slug: 'countersign' } })
  github.createRepo('acme/shop', { files: { 'README.md': '# Shop\n' }, by: 'ada' })
  github.install('acme')
})
afterAll(async () => github.close())

const access = () => {
  const octokit = tokenOctokit(githubTraffic(), github.installationToken('acme/shop', 'countersign'), github.url)
  return { octokit, place: { owner: 'acme', repo: 'shop' }, slug: 'countersign', app: null, now: Date.now }
}
const said = z.array(z.object({ body: z.string(), line: z.number().nullish(), in_reply_to_id: z.number().nullish() }))
const read = async (path: string) => {
  const headers = { authorization: `token ${github.tokenOf('ada')}` }
  return said.parse(await (await fetch(`${github.url}/repos/acme/shop/pulls/${path}`, { headers })).json())
}

function aPull(branch: string) {
  const sha = github.push('acme/shop', branch, { files: { 'src/a.ts': 'one\ntwo\n' }, author: 'ada' })
  return { sha, pull: github.openPull('acme/shop', { title: branch, head: branch, by: 'ada' }) }
}
const comment = (line: number): InlineComment => ({
  path: 'src/a.ts',
  line,
  side: 'RIGHT',
  body: `It is wrong.\n\n${fingerprintMarker('f1')}`,
  fingerprint: 'f1',
})
const review = (
  sha: string,
  comments: readonly InlineComment[],
  closings: readonly { fingerprint: string; words: string }[] = [],
) =>
  ({
    event: 'COMMENT',
    commit_id: sha,
    body: `${reviewMarker(`acme/shop#1@${sha}`)}\n\n**Verifier**`,
    comments,
    closings,
  }) as const

test('is written once, whoever died before it was recorded, and says where its threads are', async () => {
  const { sha, pull } = aPull('once')
  const shown = {
    kind: 'verifier_review',
    pull,
    review: review(sha, [comment(2)]),
    threads: {},
    superseded: null,
  } as const
  const { ref } = await showReview(access(), shown)
  expect(await showReview(access(), shown)).toEqual({ ref })
  const [thread] = await read(`${pull}/comments`)
  expect(thread).toMatchObject({ line: 2, body: expect.stringContaining('It is wrong.') })
  expect(await read(`${pull}/reviews`)).toHaveLength(1)
  expect(Object.keys(threadsIn(ref))).toEqual(['f1'])
})

test('says once in a thread that it is over, above what was said, and tells nobody', async () => {
  const { sha, pull } = aPull('closed')
  const first = {
    kind: 'verifier_review',
    pull,
    review: review(sha, [comment(1)]),
    threads: {},
    superseded: null,
  } as const
  const threads = threadsIn((await showReview(access(), first)).ref)
  const fixed = [{ fingerprint: 'f1', words: 'Fixed as of 1234567.' }]
  const second = { ...first, review: { ...review(sha, [], fixed), body: 'another verdict' }, threads }
  await showReview(access(), second)
  await showReview(access(), second)
  expect(await read(`${pull}/comments`)).toMatchObject([
    { body: expect.stringMatching(/^<!-- countersign:closed -->\*\*Fixed as of 1234567\.\*\*\n\nIt is wrong\./) },
  ])
})

test('a line that is not in the diff goes into the text', async () => {
  const { sha, pull } = aPull('outside')
  const shown = {
    kind: 'verifier_review',
    pull,
    review: review(sha, [comment(99)]),
    threads: {},
    superseded: null,
  } as const
  const { ref } = await showReview(access(), shown)
  expect(threadsIn(ref)).toEqual({})
  expect(await read(`${pull}/comments`)).toEqual([])
  expect((await read(`${pull}/reviews`))[0]?.body).toContain('**`src/a.ts:99`**\n\nIt is wrong.')
})
