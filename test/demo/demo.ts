// `npm run demo`: the real App, as a process, against a GitHub on this machine, with real signed webhooks between them.
// No credentials and no network. What is printed is read back from that GitHub, as a person would see it there.
import { runningApp } from '../app/running.ts'
import { aShop, type Shop } from '../app/shop.ts'

const say = (text: string): void => console.log(text)
const act = (text: string): void => say(`\n  ${text}`)

/** What the pull request page shows now. */
async function look(shop: Shop, number: number, sha: string): Promise<void> {
  const [conclusion = '', ...title] = (await shop.check(sha)).split(': ')
  say(`      check run   countersign  [${conclusion}]  ${title.join(': ')}`)
  say(`      labels      ${(await shop.labels(number)).join(', ')}`)
}

async function lastReply(shop: Shop, number: number): Promise<void> {
  say(`      reply       ${(await shop.comments(number)).at(-1) ?? ''}`)
}

async function advice(shop: Shop, number: number): Promise<void> {
  const [sticky = ''] = await shop.comments(number)
  const [, ...lines] =
    sticky
      .split('<details>')[0]
      ?.split('\n')
      .filter((line) => line !== '') ?? []
  for (const line of lines) say(`      comment   | ${line}`)
}

function merge(shop: Shop, number: number): string {
  try {
    shop.github.merge(shop.name, number, { by: 'ada' })
    return 'merged'
  } catch (error) {
    return `refused: ${error instanceof Error ? error.message : String(error)}`
  }
}

async function greenStory(shop: Shop): Promise<void> {
  say('\n1. An agent gets it right\n─────────────────────────')
  const sha = await shop.push('green')
  const number = await shop.open('agent', { head: 'green' })
  act('agent opens a pull request')
  await look(shop, number, sha)
  act('somebody tries to merge it already')
  say(`      merge       ${merge(shop, number)}`)
  await shop.build(sha, 'success')
  act('the build passes')
  await look(shop, number, sha)
  act('ada merges it')
  say(`      merge       ${merge(shop, number)}`)
}

async function retryStory(shop: Shop): Promise<void> {
  say('\n2. A check fails, the agent reads why and tries again\n─────────────────────────────────────────────────────')
  const first = await shop.push('retry')
  const number = await shop.open('agent', { head: 'retry' })
  await shop.build(first, 'failure')
  act('agent opens a pull request, and the build fails')
  await look(shop, number, first)
  await advice(shop, number)
  const second = await shop.push('retry')
  await shop.build(second, 'success')
  act('agent pushes a fix, and the build passes')
  await look(shop, number, second)
}

async function overrideStory(shop: Shop): Promise<void> {
  say('\n3. A human takes responsibility, by name\n────────────────────────────────────────')
  const sha = await shop.push('flaky')
  const number = await shop.open('agent', { head: 'flaky' })
  await shop.build(sha, 'failure')
  act('agent opens a pull request, and the build fails')
  await look(shop, number, sha)
  await shop.say(number, 'agent', '/override it works on my machine')
  act('agent writes: /override it works on my machine')
  await lastReply(shop, number)
  await shop.say(number, 'ada', '/override the runner lost its network')
  act('ada, a maintainer, writes: /override the runner lost its network')
  await look(shop, number, sha)
  await shop.say(number, 'bob', '/reject the price is still wrong')
  act('bob, who may write, answers: /reject the price is still wrong')
  await look(shop, number, sha)
  act('which changes nothing: of two humans who disagree, the one with strictly higher permission decides')
}

say('Starting a GitHub on this machine, and the App with an empty store …')
const app = await runningApp()
try {
  const shop = await aShop(app)
  app.github.protect(shop.name, 'main', { checks: [{ context: 'countersign', appId: app.github.app.id }] })
  await greenStory(shop)
  await retryStory(shop)
  await overrideStory(shop)
  const webhooks = app.github.deliveries().filter(({ statusCode }) => statusCode === 202).length
  say(`\nThat was the real App: ${webhooks} signed webhooks, each stored before it was acknowledged.`)
  say(
    'Next: write .github/countersign.yml, then `npm run -s countersign -- validate` and `npm run -s countersign -- test`.',
  )
} finally {
  await app.stop()
}
