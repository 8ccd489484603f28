// What tools look for in lists is found behind however many others, or it is said that there are too many; and what other
// Apps write is not the answer of this one.
import { expect, test } from 'vitest'
import { attemptReader } from '../../../src/entry/attempts/read-attempt.ts'
import { judgesSeen, type Judges } from '../../../src/entry/attempts/our-app.ts'
import { boardOn } from '../../../src/entry/attempts/read-board.ts'
import { speakingWith } from '../../../src/entry/mcp/speaking.ts'
import { stickyMarker } from '../../../src/core/words/report.ts'
import { scripted } from '../../adapters/scripted.ts'
import { aGithub, errorOf, times } from '../../adapters/small-github.ts'

type Rows = readonly unknown[]
type Made = (body: Readonly<Record<string, unknown>>) => unknown

/** A page of what lies at a path, as GitHub cuts lists. */
function pageOf(rows: Rows, line: string): Rows {
  const { searchParams } = new URL(line.replace(/^\w+ /, ''), 'http://x')
  const [per, page] = [Number(searchParams.get('per_page') ?? 30), Number(searchParams.get('page') ?? 1)]
  return rows.slice((page - 1) * per, page * per)
}
const pathIn = (line: string): string => line.replace(/\?.*/, '')
const here = 'repos/acme/shop'
const pull = { repository: 'acme/shop', number: 7 }
const ours: Judges = async () => ['countersign']

/** What GitHub lists at each path, and what is made there. */
function github(lists: Readonly<Record<string, () => Rows>>, made: Readonly<Record<string, Made>> = {}, judges = ours) {
  const { octokit, asked } = scripted(({ line, body }) => {
    const path = pathIn(line)
    if (path === 'GET /user') return { json: { login: 'ada' } }
    const rows = lists[path.replace(/^GET /, '')]
    if (rows !== undefined && line.startsWith('GET')) return { json: pageOf(rows(), line) }
    const make = made[path]
    return make === undefined ? null : { status: 201, json: make(body) }
  })
  const writes = () => asked.flatMap(({ line }) => (line.startsWith('GET') ? [] : [pathIn(line)]))
  return { speaking: speakingWith(octokit, judges, 0), writes, octokit }
}

const at = '2026-11-20T10:00:00Z'
const by = (login: string) => ({ user: { login } })
const comment = (id: number, login: string, body: unknown) => ({
  id,
  html_url: `c${id}`,
  created_at: at,
  body,
  ...by(login),
})
const review = (id: number, login: string, state: string) => ({
  id,
  state,
  commit_id: 'head',
  html_url: `r${id}`,
  ...by(login),
})
const issue = (number: number, body: unknown) => ({
  number,
  title: 't',
  body,
  html_url: `i${number}`,
  state: 'open',
  labels: [],
  assignees: [],
})

function withReviews(before: Rows) {
  const reviews = [...before]
  const path = `/${here}/pulls/7/reviews`
  const make = () => (reviews.push(review(9_000, 'ada', 'APPROVED')), reviews.at(-1))
  return github({ [path]: () => reviews }, { [`POST ${path}`]: make })
}
const looks = (count: number) => times(count, (index) => review(index, `u${index}`, 'COMMENTED'))

test.each([3, 100])('approving twice is one review, behind %i of others', async (count) => {
  const { speaking, writes } = withReviews(looks(count))
  const said = [await speaking.approve(pull, 'fine', 'head'), await speaking.approve(pull, 'fine', 'head')]
  expect([said.map((one) => one.said_before), writes().length]).toEqual([[false, true], 1])
})

test.each([3, 100])(
  'who asked for changes after approving approves anew, with %i reviews of others between',
  async (count) => {
    const { speaking, writes } = withReviews([
      review(1, 'ada', 'APPROVED'),
      ...looks(count),
      review(8_000, 'ada', 'CHANGES_REQUESTED'),
    ])
    expect((await speaking.approve(pull, 'fine now', 'head')).said_before).toBe(false)
    expect(writes()).toHaveLength(1)
  },
)

test.each([3, 100])('the same call opens one issue, with %i others of the same person since', async (count) => {
  const issues: unknown[] = []
  const path = `/${here}/issues`
  const { speaking, writes } = github(
    { [path]: () => issues.toReversed() },
    { [`POST ${path}`]: ({ body }) => (issues.push(issue(issues.length + 1, body)), issues.at(-1)) },
  )
  const make = () => speaking.issues.make('acme/shop', { title: 't', body: 'what is asked', labels: [] }, 'once')
  await make()
  issues.push(...times(count, (index) => issue(index + 2, 'another')))
  expect([(await make()).issue.number, (await make()).made_before, writes().length]).toEqual([1, true, 1])
})

/** A word that ada says at #7, where each of these gives it a thumb and says each of those. */
function withWord(thumbs: readonly string[], replies: Rows = [], judges = ours) {
  const comments: unknown[] = []
  const path = `/${here}/issues/7/comments`
  const make: Made = ({ body }) => {
    comments.push(comment(1, 'ada', body), ...replies)
    return comments[0]
  }
  const reactions = () => thumbs.map((login) => ({ content: '+1', ...by(login) }))
  const lists = { [path]: () => comments, [`/${here}/issues/comments/1/reactions`]: reactions }
  return github(lists, { [`POST ${path}`]: make }, judges).speaking.say(pull, '/task verify tried', 'head')
}
const people = (count: number) => times(count, (index) => `u${index}`)

test.each([3, 130])('a word that the App took is known as taken, behind %i thumbs of others', async (count) => {
  expect(await withWord([...people(count), 'countersign[bot]'])).toMatchObject({ outcome: 'taken' })
})

test.each([3, 130])('a word that the App refused is known as refused, behind %i comments of others', async (count) => {
  const between = times(count, (index) => comment(index + 2, 'bob', 'hm'))
  const words = '`ada`: Refused: you built it'
  const others = [comment(900, 'bob', words), comment(901, 'helpful[bot]', words.replace('built', 'wrote'))]
  const said = await withWord([], [...between, ...others, comment(999, 'countersign[bot]', words)])
  expect(said).toMatchObject({ outcome: 'refused', words })
})

test('the thumb of somebody else, and of another App, says nothing', async () => {
  const said = await withWord(['bob', 'friendly[bot]', 'github-actions[bot]'])
  expect(said.outcome).toBe('not_heard_yet')
})

test('where nobody says who the App is, it is who reports the check on pull requests', async () => {
  const runs = [
    ...times(120, () => ({ name: 'build', app: { slug: 'friendly' } })),
    { name: 'countersign', app: { slug: 'our-gate' } },
  ]
  const { octokit } = scripted(({ line }) => {
    if (line.includes('/check-runs')) return { json: { total_count: runs.length, check_runs: pageOf(runs, line) } }
    return pathIn(line) === `GET /${here}/pulls` ? { json: [{ head: { sha: 'a1' } }] } : null
  })
  const judges = judgesSeen(octokit)
  expect(await withWord(['our-gate[bot]'], [], judges)).toMatchObject({ outcome: 'taken' })
  expect(await judges({ owner: 'acme', repo: 'shop', issue_number: 7 })).toEqual(['our-gate'])
})

test.each([100, 600])('all of %i open issues are looked through', async (count) => {
  const { speaking } = github({ [`/${here}/issues`]: () => times(count, (index) => issue(index + 1, '')) })
  expect(await speaking.issues.open('acme/shop')).toHaveLength(count)
})

test('where there are more than anybody looks through, that is said', async () => {
  const { speaking } = github({ [`/${here}/issues`]: () => times(3_100, (index) => issue(index + 1, '')) })
  expect(await errorOf(speaking.issues.open('acme/shop'))).toMatchObject({
    name: 'CannotRun',
    message: 'GitHub has 3000 open issues there or more, and so many are not looked through',
  })
})

test.each([3, 100])('the tasks of a goal, and what blocks one, are all listed: %i', async (count) => {
  const all = times(count + 1, (index) => ({
    ...issue(index + 1, ''),
    repository_url: 'https://api.github.com/repos/acme/shop',
  }))
  const { speaking } = github({
    [`/${here}/issues/7/sub_issues`]: () => all,
    [`/${here}/issues/7/dependencies/blocked_by`]: () => all,
  })
  expect(await speaking.issues.below(pull)).toHaveLength(count + 1)
  expect(await speaking.issues.blockedBy(pull)).toHaveLength(count + 1)
})

test.each([3, 100])('what the App says at a goal is found behind %i comments of others', async (count) => {
  const said = comment(999, 'countersign[bot]', 'Refused: only a lead')
  const others = [...times(count, (index) => comment(index, 'bob', 'hm')), comment(998, 'welcome[bot]', 'Thanks!')]
  const path = `/${here}/issues/7/comments`
  expect(await github({ [path]: () => [...others, said] }).speaking.issues.answer(pull)).toBe('Refused: only a lead')
  expect(await github({ [path]: () => others }).speaking.issues.answer(pull)).toBeNull()
})

const document = '{"pull":7,"status":"success"}'
const folded = `<details><summary>For agents</summary>\n\n\`\`\`json\n${document}\n\`\`\`\n`

test.each([3, 120])('the document on GitHub is found behind %i check runs of others', async (count) => {
  const runs = [
    ...times(count, (index) => ({ name: `shard ${index}`, app: { slug: 'ci' }, output: { text: null } })),
    { name: 'countersign', app: { slug: 'countersign' }, output: { text: folded } },
  ]
  const { url } = await aGithub(({ line }) => {
    if (line.includes('/check-runs')) return { json: { total_count: runs.length, check_runs: pageOf(runs, line) } }
    return line === `GET /${here}/pulls/7` ? { json: { number: 7, head: { sha: 'a1' } } } : { json: [] }
  })
  const read = attemptReader({ GITHUB_TOKEN: 'gho_ada', GITHUB_API_URL: url })
  expect((await read(pull)).text).toBe(document)
})

test.each([3, 120])('the board of a goal is found behind %i comments of others', async (count) => {
  const comments = [
    ...times(count, (index) => comment(index, 'bob', 'hm')),
    comment(999, 'countersign[bot]', `${stickyMarker}\n\n${folded}`),
  ]
  const run = { name: 'countersign', app: { slug: 'countersign' } }
  const { octokit } = scripted(({ line }) => {
    if (line.includes('/check-runs')) return { json: { total_count: 1, check_runs: [run] } }
    return { json: line.includes('/comments') ? pageOf(comments, line) : [{ head: { sha: 'a1' } }] }
  })
  expect(await boardOn(octokit, { owner: 'acme', repo: 'shop' }, 7)).toBe(document)
})
