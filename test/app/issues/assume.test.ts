// What whoever made a change took for granted: said in a comment by them alone, shown beside what the task says, and without
// any say in the decision.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'

const app = await sharedApp()
const said =
  '/assume the rounding is the bank’s\n\n- prices are integers in cents\n- nobody calls it with a negative amount'

test('its maker says it, and the page holds it against the task; it stands until more is said', async () => {
  const shop = await aShop(app)
  const issue = app.github.openIssue(shop.name, {
    title: 'Cents',
    body: '## Acceptance criteria\n- All prices are integers in cents.\n',
    by: 'cleo',
  })
  const sha = await shop.push()
  const number = await shop.open('agent', { body: `Closes #${issue}` })
  await shop.build(sha, 'success')
  await shop.say(number, 'agent', said)
  const page = await shop.summary(sha)
  expect(page).toContain('### What its makers took for granted')
  expect(page).toContain('- agent: the rounding is the bank’s (the task says nothing of it)')
  expect(page).toContain('- agent: prices are integers in cents (the task says: All prices are integers in cents.)')
  expect(page).toContain('- agent: nobody calls it with a negative amount (the task says nothing of it)')
  expect(await shop.check(sha)).toMatch(/^success/)

  const second = await shop.push()
  await shop.build(second, 'success')
  expect(await shop.summary(second)).toContain('nobody calls it with a negative amount')
  await shop.say(number, 'agent', '/assume @cleo reads <b>this</b>')
  const after = await shop.summary(second)
  expect(after).not.toContain('negative amount')
  expect(after).toContain('- agent: `@cleo` reads `<b>this</b>` (the task says nothing of it)')
})

test('nobody else says it for them', async () => {
  const shop = await aShop(app)
  const sha = await shop.push()
  const number = await shop.open()
  await shop.say(number, 'cleo', '/assume everything')
  expect(await shop.summary(sha)).not.toContain('took for granted')
  expect((await shop.comments(number)).join('\n')).toMatch(
    /Refused: what was taken for granted is said by who made the change\. Who may: agent\./,
  )
  await shop.say(number, 'agent', '/assume')
  expect((await shop.comments(number)).join('\n')).toContain('say what you took for granted')
})
