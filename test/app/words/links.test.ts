// An issue's words loosen only while somebody entitled stands behind its link to the pull request: whoever wrote the words that
// name it, or whoever linked it by hand.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { aShop, type Shop } from '../lab/shop.ts'
import { shareOf } from '../../depth.ts'

const app = await sharedApp()
const { github } = app

const once = `version: 1
verification:
  checks: [{ name: build, check_run: build, app: github-actions }]
  retry: { max_attempts: 1, applies_to: everyone }
`
const granting = 'Make it better.\n\n```countersign\nverification: { retry: { max_attempts: 50 } }\n```\n'

type Story = {
  /** Who opens the pull request, which names the issue or does not. */
  readonly by: 'ada' | 'agent'
  readonly words: boolean
  readonly link?: Link
}
type Link = (shop: Shop, number: number, issue: number) => void

/** What the build of a second commit comes to, where the policy alone grants a single one. */
async function secondAttempt({ by, words, link }: Story): Promise<string> {
  const shop = await aShop(app, once)
  const issue = github.openIssue(shop.name, { title: 'A task', body: granting, by: 'cleo' })
  await shop.push('feature', by)
  const number = await shop.open(by, { draft: true, body: words ? `Closes #${issue}` : 'A change.' })
  link?.(shop, number, issue)
  github.setDraft(shop.name, number, false, by)
  await shop.idle()
  await shop.build(github.tip(shop.name, 'feature'), 'failure')
  const second = await shop.push('feature', by)
  await shop.build(second, 'success')
  return shop.check(second)
}
const linkedBy =
  (...by: readonly (string | null)[]): Link =>
  ({ name }, number, issue) => {
    for (const one of by) github.linkIssue(name, number, issue, one)
  }

test.each(
  shareOf<[string, Story]>(3, [
    ['words of a maintainer', { by: 'ada', words: true }],
    ['a maintainer links what an agent made', { by: 'agent', words: false, link: linkedBy('ada') }],
    ['a maintainer links what an agent’s words name too', { by: 'agent', words: true, link: linkedBy('ada') }],
    [
      'a maintainer links it after somebody who may only write',
      { by: 'agent', words: false, link: linkedBy('bob', 'ada') },
    ],
  ]),
)('it loosens: %s', async (_words, story) => {
  expect(await secondAttempt(story)).toMatch(/^success/)
})

test.each(
  shareOf<[string, Story]>(2, [
    ['words of an agent', { by: 'agent', words: true }],
    ['an agent links what a maintainer made', { by: 'ada', words: false, link: linkedBy('agent') }],
    [
      'somebody who may only write links it after a maintainer',
      { by: 'ada', words: false, link: linkedBy('ada', 'bob') },
    ],
    ['whoever linked it is gone', { by: 'ada', words: false, link: linkedBy(null) }],
    [
      'a maintainer unlinked it, and an agent links it again',
      {
        by: 'ada',
        words: false,
        link: ({ name }, number, issue) => {
          github.linkIssue(name, number, issue, 'ada')
          github.unlinkIssue(name, number, issue, 'ada')
          github.linkIssue(name, number, issue, 'agent')
        },
      },
    ],
  ]),
)('it only tightens: %s', async (_words, story) => {
  expect(await secondAttempt(story)).toMatch(/^failure: Stopped/)
})
