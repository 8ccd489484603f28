// What is approved is the text as its approver had it in front of them, and words at a request count in the order in which they
// were written.
import { expect, test } from 'vitest'
import { sharedInTime } from '../lab/app-of-file.ts'
import { aRequest, formed, requestPolicy } from '../lab/a-request.ts'
import { changesIn } from '../lab/unheard.ts'

const { app, aMinuteLater } = await sharedInTime()
const { github } = app
const { heardLate } = changesIn(app)
const isApproved = 'countersign:request-approved'

test.each([
  ['its text', 'same', { body: formed('- Delete all orders at once') }],
  ['its title', 'same', { title: 'Delete all orders' }],
  ['its title', 'new', { title: 'Delete all orders' }],
])('%s was changed after the approval was written and before it was heard (task: %s)', async (_what, task, edit) => {
  const { shop, request, state } = await aRequest(app, { policy: `${requestPolicy}intake: { task: ${task} }\n` })
  aMinuteLater()
  const late = await heardLate('issue_comment', () =>
    github.comment(shop.name, request, { body: '/request approve', by: 'ada' }),
  )
  aMinuteLater()
  github.editIssue(shop.name, request, { ...edit, by: 'dan' })
  await shop.idle()
  await late()
  expect(await state()).not.toContain(isApproved)
  aMinuteLater()
  await shop.say(request, 'ada', '/request approve')
  expect(await state()).toContain(isApproved)
})

test('what was turned down, which nobody told of, is not approved by another who has not seen it', async () => {
  const { shop, request, state } = await aRequest(app)
  const late = await heardLate('issue_comment', () =>
    github.comment(shop.name, request, { body: '/request reject not wanted', by: 'ada' }),
  )
  aMinuteLater()
  await shop.say(request, 'cleo', '/request approve')
  await late()
  expect(await state()).toEqual(['countersign:request-rejected'])
  expect((await shop.comments(request)).slice(1)).toEqual(['`cleo`: Refused: it cannot go from rejected to approved.'])
})

test('an approval from before it was turned down and opened again is of an earlier round', async () => {
  const { shop, request, state } = await aRequest(app)
  const late = await heardLate('issue_comment', () =>
    github.comment(shop.name, request, { body: '/request approve', by: 'ada' }),
  )
  aMinuteLater()
  await shop.say(request, 'ada', '/request reject I changed my mind')
  github.reopenIssue(shop.name, request, 'dan')
  await shop.idle()
  await late()
  expect(await state()).toEqual(['countersign:request-triaged'])
  expect((await shop.comments(request)).at(-1)).toContain('`ada`: Refused: more has come since you wrote')
})

test('what was edited after it was approved, which nobody told of, is seen before it is said that work began', async () => {
  const { shop, request, state } = await aRequest(app)
  aMinuteLater()
  await shop.say(request, 'ada', '/request approve')
  aMinuteLater()
  const late = await heardLate('issues', () =>
    github.editIssue(shop.name, request, { body: formed('- All orders are free for dan'), by: 'dan' }),
  )
  const sha = await shop.push()
  await shop.open('agent', { body: `Closes #${request}` })
  await shop.build(sha, 'success')
  expect(await state()).toEqual(['countersign:request-triaged'])
  await late()
  expect(await state()).toEqual(['countersign:request-triaged'])
})
