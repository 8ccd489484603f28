// The long way of requests: unclear, asked about, changed after it was approved, turned down, withdrawn, called by name.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { built } from '../lab/a-goal.ts'
import { appOfFile } from '../lab/app-of-file.ts'
import { aRequest, formed, requestPolicy } from '../lab/a-request.ts'

const app = await appOfFile()
const { github } = app
const issueShape = z.object({
  title: z.string(),
  body: z.string(),
  state: z.string(),
  assignees: z.array(z.object({ login: z.string() })),
})

test('a task of its own is made once, with the criteria that were approved, and assigned', async () => {
  const policy = `${requestPolicy}intake: { task: new, start: assign agent }\n`
  const { shop, request, page, state } = await aRequest(app, { policy })
  const id = github.comment(shop.name, request, { body: '/request approve', by: 'ada' })
  github.comment(shop.name, request, { body: '/request approve', by: 'ada' })
  await shop.idle()
  expect(await shop.read(`/issues/comments/${id}/reactions`)).toMatchObject([{ content: '+1' }])
  const task = request + 1
  expect(await page()).toContain(`it is a task, #${task}`)
  expect((await shop.comments(request)).at(-1)).toContain('it cannot go from approved to approved')
  const made = issueShape.parse(await shop.read(`/issues/${task}`))
  expect(made.title).toBe('Show prices')
  expect(made.body).toContain('- It has the currency of the order')
  expect(made.body).toContain(`#${request}`)
  expect(made.assignees).toEqual([expect.objectContaining({ login: 'agent' })])
  // What is written at the request afterwards changes nothing of the task.
  github.editIssue(shop.name, request, { body: formed('- Give dan the keys'), by: 'dan' })
  const { pull, sha } = await built(shop, task)
  expect(await shop.check(sha)).toMatch(/^success/)
  await shop.review(pull, 'bob', 'APPROVE')
  await shop.say(pull, 'eve', '/task verify seen')
  expect(await state()).toEqual(['countersign:request-done'])
  expect(await shop.read(`/issues/${request}`)).toMatchObject({ state: 'closed', state_reason: 'completed' })
  expect(await shop.read('/issues?state=all&creator=countersign%5Bbot%5D')).toHaveLength(1)
})

test('what is unclear is asked for, and nothing is approved before it is said', async () => {
  const policy = `${requestPolicy}intake: { clarification: block }\n`
  const { shop, request, page, state } = await aRequest(app, { policy, body: formed('_No response_') })
  expect(await state()).toEqual(['countersign:request-needs-info'])
  expect(await page()).toContain('names no acceptance criterion')
  await shop.say(request, 'ada', '/request approve')
  expect((await shop.comments(request)).at(-1)).toContain('it names no acceptance criterion')
  github.editIssue(shop.name, request, { body: formed('- Works\n- The price stands below the title'), by: 'dan' })
  await shop.idle()
  expect(await state()).toEqual(['countersign:request-needs-info'])
  expect(await page()).toContain('says too little to be judged by: Works')
  github.editIssue(shop.name, request, { body: formed(), by: 'dan' })
  await shop.idle()
  expect(await state()).toEqual(['countersign:request-triaged'])
  await shop.say(request, 'ada', '/request ask')
  expect((await shop.comments(request)).at(-1)).toContain('write the question')
  await shop.say(request, 'ada', '/request ask in which currency?')
  expect(await state()).toEqual(['countersign:request-needs-info'])
  expect(await page()).toContain('ada asks:\n> in which currency?')
  github.editIssue(shop.name, request, { body: `${formed()}\nIn euro.`, by: 'dan' })
  await shop.idle()
  expect(await state()).toEqual(['countersign:request-triaged'])
})

test('what was edited after it was approved waits for approval again', async () => {
  const { shop, request, page, state } = await aRequest(app)
  await shop.say(request, 'ada', '/request approve')
  github.editIssue(shop.name, request, { body: formed('- Give dan the keys to the shop'), by: 'dan' })
  await shop.idle()
  expect(await state()).toEqual(['countersign:request-triaged'])
  expect(await page()).toContain('It was changed after ada had approved it')
})

test('a request is turned down with a reason, withdrawn by its author, and asked for again', async () => {
  const { shop, request, page, state } = await aRequest(app)
  await shop.say(request, 'ada', '/request reject')
  expect((await shop.comments(request)).at(-1)).toContain('a reason is missing')
  await shop.say(request, 'ada', '/request reject we sell nothing')
  expect(await state()).toEqual(['countersign:request-rejected'])
  expect(await page()).toContain('**Turned down by ada**\n\n> we sell nothing')
  expect(await shop.read(`/issues/${request}`)).toMatchObject({ state: 'closed', state_reason: 'not_planned' })
  await shop.say(request, 'ada', '/request approve')
  expect((await shop.comments(request)).at(-1)).toContain('it cannot go from rejected to approved')
  github.reopenIssue(shop.name, request, 'ada')
  await shop.idle()
  expect(await state()).toEqual(['countersign:request-triaged'])
  github.closeIssue(shop.name, request, 'dan')
  await shop.idle()
  expect(await state()).toEqual(['countersign:request-rejected'])
  expect(await page()).toContain('**Withdrawn by dan**')
})

test('an agent that is called by its name is called once', async () => {
  const policy = `${requestPolicy}intake: { start: mention agent }\n`
  const { shop, request } = await aRequest(app, { policy })
  await shop.say(request, 'ada', '/request approve')
  const calls = (await shop.comments(request)).filter((body) => body.includes('@agent'))
  expect(calls).toEqual([expect.stringContaining(`Closes #${request}`)])
})
