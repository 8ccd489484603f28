// A task that nobody could tell done from not done: where the policy wants that, nothing is judged by it until it says more.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'

const app = await sharedApp()
const policy = (clarification: string): string => `version: 1
identities: { agents: [agent] }
verification: { checks: [{ name: build, check_run: build, app: github-actions }], verifier: { enabled: false, criteria: "- Nothing is slower" } }
intake: { clarification: ${clarification} }
`
const asking = (...criteria: string[]): string =>
  `## Acceptance criteria\n\n${criteria.map((one) => `- ${one}\n`).join('')}`

async function built(clarification: string, body: string) {
  const shop = await aShop(app, policy(clarification))
  const issue = app.github.openIssue(shop.name, { title: 'Prices', body, by: 'cleo' })
  const sha = await shop.push()
  const number = await shop.open('agent', { body: `Closes #${issue}` })
  await shop.build(sha, 'success')
  return { shop, issue, sha, number }
}

test('where it blocks, a task that says too little waits until it says more, and somebody takes that up', async () => {
  const { shop, issue, sha, number } = await built('block', asking('It works', 'Prices are rounded to cents'))
  expect(await shop.check(sha)).toBe(
    'action_required: Needs a person: the task is too unclear to be judged by: this criterion says too little to be judged by: It works',
  )
  const [sticky] = await shop.comments(number)
  expect(sticky).toContain(
    '- Whoever may edit the task: write each criterion as a bullet below the heading “Acceptance criteria”, then push',
  )
  app.github.editIssue(shop.name, issue, { body: asking('Prices are rounded to cents'), by: 'cleo' })
  await shop.idle()
  await shop.say(number, 'cleo', '/verify')
  expect(await shop.check(sha)).toMatch(/^success/)
})

test('a task without any criterion is unclear, whatever the policy asks of every task; an admin may judge it all the same', async () => {
  const { shop, sha, number } = await built('block', 'Make it better.')
  expect(await shop.check(sha)).toContain('the task is too unclear to be judged by: it names no acceptance criterion')
  await shop.say(number, 'ada', '/ack I know what is meant')
  expect(await shop.check(sha)).toMatch(/^action_required/)
  await shop.say(number, 'cleo', '/ack I know what is meant')
  expect(await shop.check(sha)).toMatch(/^success/)
})

test.each([
  ['warn', true],
  ['off', false],
])('with %s it is judged, and told: %s', async (clarification, told) => {
  const { shop, sha } = await built(clarification, asking('It works'))
  expect(await shop.check(sha)).toMatch(/^success/)
  const words = 'the task: this criterion says too little to be judged by: It works'
  expect((await shop.summary(sha)).includes(words)).toBe(told)
})
