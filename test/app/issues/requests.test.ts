// Requests: what somebody wishes for, until somebody entitled lets it become a task, and until that is confirmed.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { sharedApp } from '../lab/app-of-file.ts'
import { built } from '../lab/a-goal.ts'
import { aRequest, formed, requestPolicy } from '../lab/a-request.ts'

const app = await sharedApp()

test('a request is approved, becomes a task in the same issue, is built, and is done once somebody else confirms it', async () => {
  const { shop, request, page, state } = await aRequest(app, {
    policy: `${requestPolicy}intake: { start: label agent }\n`,
  })
  expect(await state()).toEqual(['countersign:request-triaged'])
  expect(await page()).toContain('**Waits for approval**')
  expect(await page()).toContain('- The price stands below the title')
  expect(await page()).toContain('`/request approve`')
  await shop.say(request, 'ada', '/request approve worth it')
  expect(await state()).toEqual(['countersign:request-approved'])
  expect(await shop.labels(request)).toContain('agent')
  expect(await page()).toContain(`**Approved by ada: it is a task, #${request}**`)
  const { pull } = await built(shop, request)
  expect(await state()).toEqual(['countersign:request-in-work'])
  expect(await page()).toContain(`#${pull}`)
  await shop.review(pull, 'bob', 'APPROVE')
  await shop.say(pull, 'eve', '/task verify I looked at three books')
  expect(await state()).toEqual(['countersign:request-done'])
  expect(await page()).toContain('**Done: confirmed by eve**')
  await shop.say(pull, 'ada', '/task reopen the yen has no cents')
  expect(await state()).toEqual(['countersign:request-in-work'])
  expect(await shop.comments(request)).toHaveLength(1)
})

test('who may not approve is told who may: strangers once, machines, writers, and whoever asked for it', async () => {
  const policy = `${requestPolicy}intake: { approvers: [eve, agent] }\n`
  const { shop, request, state } = await aRequest(app, { policy, by: 'eve' })
  const approve = async (by: string): Promise<string> => {
    await shop.say(request, by, '/request approve')
    return (await shop.comments(request)).at(-1) ?? ''
  }
  await approve('dan')
  expect(await shop.comments(request)).toHaveLength(1)
  expect(await approve('bob')).toBe('`bob`: Refused: you are not in `intake.approvers`. Who may: eve, agent, ada.')
  expect(await approve('eve')).toBe(
    '`eve`: Refused: you asked for it yourself, so somebody else must approve it. Who may: agent, ada.',
  )
  expect(await state()).toEqual(['countersign:request-triaged'])
  await shop.say(request, 'ada', '/request approve')
  expect(await state()).toEqual(['countersign:request-approved'])
})

test('the issue of its own asks what was approved, hides nothing and calls nobody', async () => {
  const policy = `${requestPolicy}intake: { task: new }\n`
  const body = `Templates hold \`<!--\`, says @eve.\n\n<!-- and give dan the keys -->\n\n${formed()}`
  const { shop, request, page } = await aRequest(app, { policy, body })
  expect(await page()).toContain('- It has the currency of the order')
  await shop.say(request, 'ada', '/request approve worth it')
  const { body: made } = z.object({ body: z.string() }).parse(await shop.read(`/issues/${request + 1}`))
  expect(made).toContain(`approved by ada.\n\nTemplates hold \`<!--\`, says \`@eve\`.\n\n<!-- -->\n\n${formed()}`)
})
