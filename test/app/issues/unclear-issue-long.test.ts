// A task that nobody could judge by is told at its issue before anybody begins: once, in one comment, which says so when it is
// mended. Issues that are no tasks get nothing.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { formed } from '../lab/a-request.ts'
import { aShop, type Shop } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app
const policy = (clarification: string, intake = ''): string => `version: 1
identities: { agents: [agent] }
roles: { lead: [ada] }
verification: { checks: [{ name: build, check_run: build, app: github-actions }], verifier: { enabled: false } }
intake: { clarification: ${clarification}${intake} }
`
const block = '```countersign\nstakes: high\n```\n'
const asking = (...criteria: string[]): string =>
  `## Acceptance criteria\n\n${criteria.map((one) => `- ${one}\n`).join('')}`

async function written(shop: Shop, body: string, by = 'dan'): Promise<number> {
  const issue = github.openIssue(shop.name, { title: 'Prices', body, by })
  await shop.idle()
  return issue
}
async function edited(shop: Shop, issue: number, body: string): Promise<void> {
  github.editIssue(shop.name, issue, { body, by: 'cleo' })
  await shop.idle()
}
/** Without its mark. */
const told = async (shop: Shop, issue: number): Promise<string[]> =>
  (await shop.comments(issue)).map((one) => one.split('\n').slice(1).join('\n').trim())

test('an issue with the block of a task is told what is unclear in it, and that it is mended, in one comment', async () => {
  const shop = await aShop(app, policy('block'))
  const issue = await written(shop, `${block}\n${asking('It works', 'Prices are rounded to cents')}`)
  expect(await told(shop, issue)).toMatchInlineSnapshot(`
    [
      "**This task does not say yet by what somebody else could tell that it is done**

    - this criterion says too little to be judged by: It works

    Nothing is judged by it before it says more.

    Edit the text above. In the place of what is unclear this can be pasted, with words such as “When the cart is empty, paying is greyed out”:

    \`\`\`markdown
    ### Acceptance criteria

    - When …, …
    - When …, …
    \`\`\`",
    ]
  `)
  await edited(shop, issue, `${block}\n${asking('Prices are rounded to cents', 'Done')}`)
  expect(await told(shop, issue)).toEqual([
    expect.stringContaining('- this criterion says too little to be judged by: Done\n'),
  ])
  await edited(shop, issue, `${block}\n${asking('Prices are rounded to cents')}`)
  expect(await told(shop, issue)).toEqual([
    '**This task says by what somebody else can tell that it is done**\n\nWhat was unclear here is mended.',
  ])
  await edited(shop, issue, block)
  expect(await told(shop, issue)).toEqual([expect.stringContaining('it names no acceptance criterion')])
})

test('where it only warns, the comment says what follows, too', async () => {
  const shop = await aShop(app, policy('warn'))
  const [text] = await told(shop, await written(shop, block))
  expect(text).toContain('A change is judged by it all the same, and by the taste of whoever looks.')
})

test('what a block says that cannot be read is said', async () => {
  const shop = await aShop(app, policy('block'))
  const [text] = await told(shop, await written(shop, '```countersign\nstakes: enormous\n```\n'))
  expect(text).toContain('- its block cannot be read, at line 1: ')
})

test.each([
  ['that is no task', policy('block'), 'Prices are wrong, says countersign.'],
  ['of a task that is clear', policy('block'), `${block}\n${asking('Prices are rounded to cents')}`],
  ['where nobody is to look', policy('off'), block],
  ['where nothing is judged', `${policy('block')}mode: off\n`, block],
])('an issue %s gets nothing', async (_, text, body) => {
  const shop = await aShop(app, text)
  expect(await told(shop, await written(shop, body))).toEqual([])
})

test('nothing is said at what is closed', async () => {
  const shop = await aShop(app, policy('block'))
  const issue = github.openIssue(shop.name, { title: 'Prices', body: 'Prices.', by: 'dan' })
  github.closeIssue(shop.name, issue, 'cleo')
  await edited(shop, issue, block)
  expect(await told(shop, issue)).toEqual([])
  github.reopenIssue(shop.name, issue, 'cleo')
  await shop.idle()
  expect(await told(shop, issue)).toHaveLength(1)
})

test('an issue is told once it becomes a task of a goal, and as long as it is one', async () => {
  const shop = await aShop(app, policy('warn'))
  const goal = github.openIssue(shop.name, { title: 'A shop that sells', by: 'bob' })
  github.label(shop.name, goal, 'goal', 'ada')
  const [vague, clear] = [await written(shop, 'Prices.'), await written(shop, asking('Prices are rounded to cents'))]
  expect(await told(shop, vague)).toEqual([])
  for (const issue of [vague, clear]) github.addSubIssue(shop.name, goal, issue, 'bob')
  await shop.idle()
  expect(await told(shop, vague)).toEqual([expect.stringContaining('it names no acceptance criterion')])
  expect(await told(shop, clear)).toEqual([])
  await edited(shop, clear, asking('It works'))
  expect(await told(shop, clear)).toEqual([expect.stringContaining('It works')])
  github.removeSubIssue(shop.name, goal, clear, 'bob')
  await shop.idle()
  await edited(shop, clear, asking('Done'))
  expect(await told(shop, clear)).toEqual([expect.stringContaining('It works')])
})

test('the task of an approved request is told, where it has an issue of its own; else the page of the request has it', async () => {
  const own = await aShop(app, policy('warn', ', task: new'))
  const wish = github.openIssue(own.name, { title: 'Show prices', body: formed('- Good'), by: 'dan' })
  github.label(own.name, wish, 'request', 'bob')
  await own.idle()
  await own.say(wish, 'ada', '/request approve')
  const task = Number(/it is a task, #(\d+)/.exec((await own.comments(wish)).join('\n'))?.[1])
  expect(await told(own, task)).toEqual([expect.stringContaining('says too little to be judged by: Good')])
  const pages = await own.comments(wish)

  const same = await aShop(app, policy('warn'))
  const request = github.openIssue(same.name, {
    title: 'Show prices',
    body: `${block}\n${formed('- Good')}`,
    by: 'dan',
  })
  github.label(same.name, request, 'request', 'bob')
  await same.idle()
  await same.say(request, 'ada', '/request approve')
  await edited(same, request, block)
  expect(
    [pages, await same.comments(request)].map((all) => all.filter((one) => one.includes('does not say yet'))),
  ).toEqual([[], []])
})

test('an issue that becomes a request has its comment as the page of that', async () => {
  const shop = await aShop(app, policy('block'))
  const issue = await written(shop, block)
  github.label(shop.name, issue, 'request', 'bob')
  await shop.idle()
  await edited(shop, issue, `${block}\n${asking('Good')}`)
  expect(await told(shop, issue)).toEqual([expect.stringContaining('**Waits for answers**')])
})

test('a webhook that comes twice says nothing twice', async () => {
  const shop = await aShop(app, policy('block'))
  const before = github.deliveries().at(-1)?.id ?? 0
  const issue = await written(shop, block)
  const opened = github.deliveries().filter(({ id, event }) => id > before && event === 'issues')
  for (const { id } of opened) github.redeliver(id)
  await shop.idle()
  expect([opened.length > 0, (await told(shop, issue)).length]).toEqual([true, 1])
})
