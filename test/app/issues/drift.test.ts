// The issue changes while attempts at it are judged: what they are asked stays, the page says what is new, and who may take it up.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'

const app = await sharedApp()
const asking = (...criteria: string[]): string =>
  `Prices are wrong.\n\n## Acceptance criteria\n\n${criteria.map((one) => `- ${one}\n`).join('')}`

test('what is new in the issue is told, counts for nothing, and is taken up by somebody entitled who made no part of it', async () => {
  const shop = await aShop(app)
  const body = asking('Prices are rounded to cents', 'Totals are tested')
  const issue = app.github.openIssue(shop.name, { title: 'Prices', body, by: 'cleo' })
  await shop.push()
  const sha = await shop.push('feature', 'ada')
  const number = await shop.open('agent', { body: `Closes #${issue}` })
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
  const before = await shop.summary(sha)

  app.github.editIssue(shop.name, issue, {
    body: asking('Prices are rounded to cents', 'Currencies are named'),
    by: 'cleo',
  })
  await shop.idle()
  const summary = await shop.summary(sha)
  expect(summary).toMatch(
    /new in the task, and not asked of this commit: Currencies are named; that counts from the next commit on, or once cleo says `\/verify`/,
  )
  expect(summary).toContain('gone from the task, and still asked of this commit: Totals are tested')
  expect(await shop.check(sha)).toMatch(/^success/)

  // Whoever made it does not choose by what it is judged.
  await shop.say(number, 'ada', '/verify')
  expect(await shop.summary(sha)).toContain('new in the task')
  await shop.say(number, 'cleo', '/verify')
  expect(await shop.summary(sha)).not.toContain('new in the task')
  expect(await shop.check(sha)).toMatch(/^success/)
  // Looked at again, it is judged by what was taken up.
  app.github.setDraft(shop.name, number, true, 'agent')
  await shop.idle()
  app.github.setDraft(shop.name, number, false, 'agent')
  await shop.idle()
  expect(await shop.summary(sha)).not.toContain('in the task')

  app.github.editIssue(shop.name, issue, { body, by: 'cleo' })
  await shop.idle()
  expect(await shop.summary(sha)).toContain('new in the task, and not asked of this commit: Totals are tested')
  app.github.editIssue(shop.name, issue, {
    body: asking('Prices are rounded to cents', 'Currencies are named'),
    by: 'cleo',
  })
  await shop.idle()
  expect(await shop.summary(sha)).not.toContain('in the task')
  expect(before).not.toContain('in the task')
})

test('an edit by whoever builds it counts for nothing, and the page says so', async () => {
  const shop = await aShop(app)
  const issue = app.github.openIssue(shop.name, { title: 'Prices', body: asking('Prices are rounded'), by: 'bob' })
  const sha = await shop.push()
  const number = await shop.open('agent', { body: `Closes #${issue}` })
  await shop.build(sha, 'success')
  app.github.editIssue(shop.name, issue, { body: asking('Anything goes'), by: 'agent' })
  await shop.idle()
  expect(await shop.summary(sha)).not.toContain('Anything goes')
  expect(await shop.summary(sha)).toContain(
    'the edit by agent, who may have made a part of this change, does not count',
  )
  expect(await shop.check(sha)).toMatch(/^success/)
  await shop.say(number, 'ada', '/verify')
  expect(await shop.summary(sha)).not.toContain('Anything goes')
})
