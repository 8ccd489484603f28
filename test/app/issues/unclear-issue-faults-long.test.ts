// What is unclear in a task is told once also when things go wrong: killed before anybody knows of the comment, told twice, told
// in any order.
import { afterAll, expect, test } from 'vitest'
import { runningApp, until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

const app = await runningApp({ seed: 13 })
afterAll(() => app.stop())
const { github } = app
const policy = `version: 1
identities: { agents: [agent] }
verification: { checks: [{ name: build, check_run: build, app: github-actions }], verifier: { enabled: false } }
intake: { clarification: block }
`
const block = '```countersign\nstakes: high\n```\n'
const clear = `${block}\n### Acceptance criteria\n\n- Prices are rounded to cents\n`

test('killed between the comment and knowing of it, it has one, and edits that one', async () => {
  const shop = await aShop(app, policy)
  const next = github.openIssue(shop.name, { title: 'A talk', body: 'Hello.', by: 'dan' }) + 1
  await app.idle()
  const path = `/repos/${shop.name}/issues/${next}/comments`
  const lost = github.addFault({ method: 'POST', path, times: 1, trouble: { kind: 'reset', effect: 'after' } })
  const issue = github.openIssue(shop.name, { title: 'Prices', body: block, by: 'dan' })
  await until(async () => github.faultHits(lost) > 0)
  await app.kill()
  await app.start()
  await app.idle()
  await until(async () => (await shop.comments(issue)).length === 1, 60_000)
  github.editIssue(shop.name, issue, { body: clear, by: 'dan' })
  await app.idle()
  await app.kill()
  await app.start()
  await app.idle()
  expect(await shop.comments(issue)).toEqual([expect.stringContaining('What was unclear here is mended.')])
}, 180_000)

test('told twice and in any order, it ends with one comment that says what holds', async () => {
  const shop = await aShop(app, policy)
  github.setDeliveries({ doubledPercent: 60, shuffleWithin: 4, concurrency: 3 })
  const issue = github.openIssue(shop.name, { title: 'Prices', body: block, by: 'dan' })
  for (const body of [clear, block, clear, `${block}\nPlease.\n`])
    github.editIssue(shop.name, issue, { body, by: 'dan' })
  await shop.idle()
  github.setDeliveries({ doubledPercent: 0, shuffleWithin: 1, concurrency: 1 })
  expect([issue, await shop.comments(issue)]).toEqual([
    issue,
    [expect.stringContaining('it names no acceptance criterion')],
  ])
}, 120_000)
