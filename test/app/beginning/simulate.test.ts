// What a policy that somebody proposes would have decided, told on the page of the pull request that brings it.
import { expect, test } from 'vitest'
import { stricter, thePast } from '../lab/a-past.ts'
import { sharedApp } from '../lab/app-of-file.ts'

const app = await sharedApp()

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
