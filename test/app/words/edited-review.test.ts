// Whoever may write can change the words of somebody else's review. What it says by then was said by nobody: of a comment that was
// edited before we came across it only a no counts, and so it must be of a review.
import { expect, test } from 'vitest'
import { appInTime } from '../lab/app-of-file.ts'
import { aShop, byStatus } from '../lab/shop.ts'
import { changesIn } from '../lab/unheard.ts'

const { app, aMinuteLater } = await appInTime()
const { github } = app
const { wasGreen, whileAway } = changesIn(app)

test.each(['agent', 'ada'])('a remark in a review of ada, whose words %s changed into an override', async (by) => {
  const shop = await aShop(app, byStatus)
  const sha = await shop.push()
  const number = await shop.open()
  github.reportStatus(shop.name, { sha, context: 'ci', state: 'failure', by: 'bob' })
  await app.idle()
  aMinuteLater()
  // Its webhook is heard, and is of no concern: it gives no command.
  const id = await shop.review(number, 'ada', 'COMMENT', 'I looked at the log.')
  expect(await shop.check(sha)).toMatch(/^failure/)
  aMinuteLater()
  await whileAway(async () => {
    aMinuteLater()
    const { status } = await fetch(`${github.url}/repos/${shop.name}/pulls/${number}/reviews/${id}`, {
      method: 'PUT',
      headers: { authorization: `token ${github.tokenOf(by)}` },
      body: JSON.stringify({ body: '/override the runner was broken' }),
    })
    expect(status).toBe(200)
    github.label(shop.name, number, 'needs-docs', 'agent')
  })
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  await app.idle()
  expect(await shop.check(sha)).toMatch(/^failure/)
  expect(wasGreen(sha, shop.name)).toBe(false)
})
