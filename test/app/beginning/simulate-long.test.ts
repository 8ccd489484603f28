// What another policy would have decided, told by the command line from the record of the App and from GitHub alone, and on the page
// of the pull request that brings it.
import { afterAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { countersign } from '../../cli/cli.ts'
import { stricter, thePast } from '../lab/a-past.ts'
import { runningApp } from '../lab/running.ts'

// The command line reads the directory of this one.
vi.setConfig({ testTimeout: 60_000 })
const app = await runningApp()
afterAll(app.stop)
const outside = { GITHUB_TOKEN: '', GH_TOKEN: '', DATABASE_URL: '', DATA_DIR: '', COUNTERSIGN_URL: '' }

const answer = z.object({
  from: z.string(),
  same: z.number(),
  differ: z.number(),
  unknown: z.number(),
  pulls: z.array(
    z.object({
      pull: z.number(),
      before: z.object({ status: z.string() }).nullable(),
      after: z.object({ status: z.string(), row: z.string() }),
      unknown: z.array(z.string()),
    }),
  ),
})

test('the record and GitHub agree about what a stricter policy would have decided', async () => {
  const { shop, opened, file } = await thePast(app)
  const [one = 0, two = 0, three = 0, four = 0] = opened
  const words = ['simulate', shop.name, '--policy', file]
  const token = { GITHUB_API_URL: app.github.url, GITHUB_TOKEN: app.github.tokenOf('ada') }
  const [record, github, page] = await Promise.all([
    countersign([...words, '--json'], { env: { ...outside, DATA_DIR: `${app.directory}/data` } }),
    countersign([...words, '--json'], { env: { ...outside, ...token } }),
    countersign(words, { env: { ...outside, DATA_DIR: `${app.directory}/data` } }),
  ])
  const lint = '`lint` was not asked for'
  const told = [
    { pull: four, before: { status: 'success' }, after: { status: 'refer', row: 'review' }, unknown: [lint] },
    { pull: three, before: { status: 'success' }, after: { status: 'failed', row: 'scope' }, unknown: [] },
    { pull: two, before: { status: 'success' }, after: { status: 'refer', row: 'review' }, unknown: [lint] },
    { pull: one, before: { status: 'success' }, after: { status: 'success', row: 'success' }, unknown: [lint] },
  ]
  expect({ code: record.code, err: record.err }).toEqual({ code: 1, err: '' })
  expect(answer.parse(JSON.parse(record.out))).toMatchObject({ from: 'record', same: 1, differ: 3, pulls: told })
  expect({ code: github.code, err: github.err }).toEqual({ code: 1, err: '8 of 8 judged\n' })
  const other = told.map((row) => ({ ...row, unknown: row.unknown.map(() => 'no result of `lint` can be had') }))
  expect(answer.parse(JSON.parse(github.out))).toMatchObject({ from: 'github', same: 1, differ: 3, pulls: other })
  expect(page.out.replaceAll(file, 'stricter.yml').replaceAll(shop.org, 'acme')).toMatchInlineSnapshot(`
    "4 pull requests of acme/shop, judged again by stricter.yml

    * #4  success → refer   Needs a person: an approving review of this commit is missing (not known: \`lint\` was not asked for)
    * #3  success → failed  Stopped: \`vendor/pad.js\` is denied by the scope of this task
    * #2  success → refer   Needs a person: an approving review of this commit is missing (not known: \`lint\` was not asked for)
      #1  success           Passed: every required check passed and nothing objects (not known: \`lint\` was not asked for)

    3 decisions differ, 1 does not. 3 rest on something that is not known.
    "
  `)
})

test('whoever lets a policy in sees on the page what it would have decided', async () => {
  const { shop } = await thePast(app)
  const sha = await shop.push('policy', 'agent', { '.github/countersign.yml': stricter })
  const number = await shop.open('agent', { head: 'policy' })
  await shop.build(sha, 'success')
  const title = '### What this policy would have decided about earlier pull requests\n'
  const [, part = ''] = (await shop.summary(sha)).split(title)
  expect(part.split('\n\n')[0]).toMatchInlineSnapshot(`
    "- 3 decisions differ, 1 does not. 3 rest on something that is not known.
    - #4: success → refer. Needs a person: an approving review of this commit is missing (not known: \`lint\` was not asked for)
    - #3: success → failed. Stopped: \`vendor/pad.js\` is denied by the scope of this task
    - #2: success → refer. Needs a person: an approving review of this commit is missing (not known: \`lint\` was not asked for)
    - #1: success. Passed: every required check passed and nothing objects (not known: \`lint\` was not asked for)"
  `)
  expect(number).toBeGreaterThan(4)
})
