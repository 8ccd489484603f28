// How long things may be, counted as GitHub counts: texts of check runs in bytes, words of people in characters.
import { expect, test } from 'vitest'
import { aGitHub, refusal, shop, type Setting } from './setting.ts'

type Case = readonly [string, (setting: Setting, number: number, head: string) => Promise<unknown>, string | null]
const output = { title: 'Title', summary: 'Summary' }
const check = (more: object) => (setting: Setting, _number: number, head_sha: string) =>
  setting.asApp().rest.checks.create({ ...shop, name: 'gate', head_sha, ...more })
const comment = (body: string) => (setting: Setting, issue_number: number) =>
  setting.asApp().rest.issues.createComment({ ...shop, issue_number, body })
const label = (name: string, description: string) => (setting: Setting) =>
  setting.asApp().rest.issues.createLabel({ ...shop, name, description })
const mark = { path: 'a.ts', start_line: 1, end_line: 1, annotation_level: 'warning', message: 'Hm' } as const

const cases: readonly Case[] = [
  ['a summary of 65,535 bytes', check({ output: { ...output, summary: 'ä'.repeat(32_767) + 'x' } }), null],
  ['a summary of 65,536 bytes', check({ output: { ...output, summary: 'ä'.repeat(32_768) } }), '422'],
  ['a text of 65,536 bytes', check({ output: { ...output, text: 'ä'.repeat(32_768) } }), '422'],
  ['a mark of 64 KB', check({ output: { ...output, annotations: [{ ...mark, message: 'x'.repeat(65_537) }] } }), '422'],
  [
    'a long title of a mark',
    check({ output: { ...output, annotations: [{ ...mark, title: 'x'.repeat(256) }] } }),
    '422',
  ],
  ['a comment of 65,536 characters', comment('ä'.repeat(65_536)), null],
  ['a comment of characters that take two places in JavaScript', comment('😀'.repeat(40_000)), null],
  ['a comment of 65,537 characters', comment('x'.repeat(65_537)), '422'],
  ['a label of fifty characters', label('x'.repeat(50), 'x'.repeat(100)), null],
  ['a label of fifty-one characters', label('x'.repeat(51), ''), '422'],
  ['a description of a hundred and one characters', label('a', 'x'.repeat(101)), '422'],
]

test.each(cases)('%s', async (_title, call, status) => {
  const setting = await aGitHub()
  const { number, head } = setting.aPull()
  const asked = call(setting, number, head)
  if (status === null) await asked
  else expect(await refusal(asked)).toMatch(new RegExp(`^${status}`))
})

test('of one name a suite keeps the newest thousand runs', async () => {
  const setting = await aGitHub()
  const { head } = setting.aPull()
  for (let run = 0; run < 1_003; run += 1) setting.github.reportCheck('acme/shop', { name: 'ci', sha: head, app: 'ci' })
  expect(setting.github.allChecksOn('acme/shop', head)).toHaveLength(1_000)
})

test('a list of commits ends at 250, whatever the page', async () => {
  const setting = await aGitHub()
  const { number } = setting.aPull()
  for (let one = 0; one < 252; one += 1) {
    setting.github.push('acme/shop', 'feature', { files: { 'src/a.ts': `${one}\n` }, author: 'ada' })
  }
  const octokit = setting.asApp()
  const listed = await octokit.paginate(octokit.rest.pulls.listCommits, { ...shop, pull_number: number, per_page: 100 })
  expect(listed).toHaveLength(250)
  expect((await octokit.rest.pulls.get({ ...shop, pull_number: number })).data.commits).toBe(253)
})

test('the rules of a branch come thirty to a page', async () => {
  const setting = await aGitHub()
  for (let one = 1; one <= 32; one += 1) {
    setting.github.setRuleset('acme/shop', `rule ${one}`, { checks: [{ context: `check ${one}`, appId: null }] })
  }
  const octokit = setting.asApp()
  const rules = await octokit.rest.repos.getBranchRules({ ...shop, branch: 'main' })
  expect(rules.data).toHaveLength(30)
  const all = await octokit.paginate(octokit.rest.repos.getBranchRules, { ...shop, branch: 'main', per_page: 100 })
  expect(all).toHaveLength(32)
})

test('a file over one megabyte is described, and not told', async () => {
  const setting = await aGitHub()
  setting.github.push('acme/shop', 'main', { files: { large: 'x'.repeat(1_100_000), small: 'x' }, author: 'olga' })
  const contents = (path: string) => setting.asApp().rest.repos.getContent({ ...shop, path })
  expect((await contents('large')).data).toMatchObject({ encoding: 'none', content: '', size: 1_100_000 })
  expect((await contents('small')).data).toMatchObject({ encoding: 'base64' })
})
