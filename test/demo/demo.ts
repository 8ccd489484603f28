// `npm run demo`: the real App and the real Action, as processes, around a GitHub on this machine, with real signed
// webhooks between them, and a model that says what its story wants. No credentials and no network. What is printed is
// read back from that GitHub, as a person would see it there.
import { z } from 'zod'
import { workflowFiles, workflowOf, type Workflow } from '../action/workflow.ts'
import { aModel } from '../app/a-model.ts'
import { runningApp, until } from '../app/running.ts'
import { aShop, type Shop } from '../app/shop.ts'

const say = (text: string): void => console.log(text)
const act = (text: string): void => say(`\n  ${text}`)
const story = (title: string): void => say(`\n${title}\n${'─'.repeat(title.length)}`)

const policy = `version: 1
identities: { agents: [agent] }
verification:
  checks:
    - { name: test, command: node --test }
  verifier:
    decomposer: identity
    criteria: |
      - The price of several pieces is the price of one times their number.
`
const priceOf = (formula: string): string => `export const price = (count) => ${formula}\n`
const code = {
  'src/price.mjs': priceOf('count * 3'),
  'test/price.test.mjs': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { price } from '../src/price.mjs'

test('two cost six', () => assert.equal(price(2), 6))
`,
}

type Stage = { readonly shop: Shop; readonly workflow: Workflow; readonly model: Awaited<ReturnType<typeof aModel>> }
type Pull = { readonly number: number; readonly sha: string; readonly branch: string }

/** What the pull request page shows now. */
async function look({ shop }: Stage, { number, sha }: Pull): Promise<void> {
  const [conclusion = '', ...title] = (await shop.check(sha)).split(': ')
  say(`      check run   countersign  [${conclusion}]  ${title.join(': ')}`)
  say(`      labels      ${(await shop.labels(number)).join(', ')}`)
}

async function advice({ shop }: Stage, { number }: Pull): Promise<void> {
  const [sticky = ''] = await shop.comments(number)
  const text = sticky.split('<details>')[0] ?? ''
  const [, ...lines] = text.split('\n').filter((line) => line.trim() !== '')
  for (const line of lines) say(`      comment   | ${line}`)
}

async function pushed({ shop }: Stage, branch: string, formula: string): Promise<string> {
  const sha = shop.github.push(shop.name, branch, { files: { 'src/price.mjs': priceOf(formula) }, author: 'agent' })
  await shop.idle()
  return sha
}

async function opened(stage: Stage, branch: string, formula: string): Promise<Pull> {
  const sha = await pushed(stage, branch, formula)
  return { number: await stage.shop.open('agent', { head: branch }), sha, branch }
}

/** The workflow runs on a checkout of the pull request, as it does on a runner. */
async function actionRuns({ shop, workflow }: Stage, pull: Pull): Promise<void> {
  const { log } = await workflow.run(pull)
  await shop.idle()
  // The verifier reads beside everything else; what it says comes when it comes.
  await until(async () => !(await shop.check(pull.sha)).startsWith('in_progress: Waiting: the AI review has not'))
  await shop.idle()
  const told = log.split('\n').filter((line) => /^(✅|❌|✓|✗)|passed|failed/.test(line) && !line.startsWith('::'))
  for (const line of told.slice(0, LOG_LINES_MAX)) say(`      action    | ${line}`)
}

const LOG_LINES_MAX = 4

function merge({ shop }: Stage, { number }: Pull): string {
  try {
    shop.github.merge(shop.name, number, { by: 'ada' })
    return 'merged'
  } catch (error) {
    return `refused: ${error instanceof Error ? error.message : String(error)}`
  }
}

async function greenStory(stage: Stage): Promise<void> {
  story('1. An agent gets it right')
  const pull = await opened(stage, 'green', '3 * count')
  act('agent opens a pull request')
  await look(stage, pull)
  act('somebody tries to merge it already')
  say(`      merge       ${merge(stage, pull)}`)
  act('the Action runs the checks of the base branch on it')
  await actionRuns(stage, pull)
  await look(stage, pull)
  act('ada merges it')
  say(`      merge       ${merge(stage, pull)}`)
}

async function retryStory(stage: Stage): Promise<void> {
  story('2. A check fails, the agent reads why and tries again')
  const first = await opened(stage, 'retry', 'count * 3 + 1')
  act('agent opens a pull request that gets the price wrong')
  await actionRuns(stage, first)
  await look(stage, first)
  await advice(stage, first)
  const second = { ...first, sha: await pushed(stage, 'retry', '(count + 0) * 3') }
  act('agent pushes a fix')
  await actionRuns(stage, second)
  await look(stage, second)
}

async function overrideStory(stage: Stage): Promise<void> {
  story('3. A human takes responsibility, by name')
  const { shop } = stage
  const pull = await opened(stage, 'dearer', 'count * 4')
  await actionRuns(stage, pull)
  act('agent opens a pull request that raises the price, and the test of the old price fails')
  await look(stage, pull)
  await shop.say(pull.number, 'agent', '/override it works on my machine')
  act('agent writes: /override it works on my machine')
  say(`      reply       ${(await shop.comments(pull.number)).at(-1) ?? ''}`)
  await shop.say(pull.number, 'ada', '/override the price is meant to rise')
  act('ada, a maintainer, writes: /override the price is meant to rise')
  await look(stage, pull)
  await shop.say(pull.number, 'bob', '/reject the test still says six')
  act('bob, who may write, answers: /reject the test still says six')
  await look(stage, pull)
  act('which changes nothing: of two humans who disagree, the one with strictly higher permission decides')
}

async function objectionStory(stage: Stage): Promise<void> {
  story('4. The verifier objects, with proof, and the agent repairs it')
  const claim = 'One piece costs three and so do none: the price of nothing is not zero.'
  stage.model.is({ kind: 'object', to: 'Math.max', claim, fix: 'Leave the count as it is.' })
  const first = await opened(stage, 'least', 'Math.max(count, 1) * 3')
  await actionRuns(stage, first)
  act('agent opens a pull request; every test passes, and the verifier has read it')
  await look(stage, first)
  await advice(stage, first)
  await remark(stage, first)
  const second = { ...first, sha: await pushed(stage, 'least', '(count - 0) * 3') }
  await actionRuns(stage, second)
  act('agent pushes a repair')
  await look(stage, second)
  await remark(stage, second)
}

async function outageStory(stage: Stage): Promise<void> {
  story('5. The verifier is down, and nobody says that it looked')
  stage.model.is({ kind: 'down' })
  const pull = await opened(stage, 'outage', '3 * (count - 0)')
  act('agent opens a pull request; its tests pass, and the model does not answer')
  await actionRuns(stage, pull)
  await look(stage, pull)
  await stage.shop.say(pull.number, 'ada', '/override --verifier I read it myself')
  act('ada writes: /override --verifier I read it myself')
  await look(stage, pull)
}

/** The last thing that stands at a line of the change. */
async function remark({ shop }: Stage, { number }: Pull): Promise<void> {
  const said = z
    .array(z.object({ path: z.string(), line: z.number().nullish(), body: z.string() }))
    .parse(await shop.read(`/pulls/${number}/comments`))
    .at(-1)
  const [first = ''] = said?.body.split('\n') ?? []
  say(`      at a line   ${said?.path ?? ''}:${said?.line ?? ''}  ${first}`)
}

say('Starting a GitHub on this machine, and the App with an empty store …')
const model = await aModel('src/price.mjs')
const app = await runningApp({}, model.env)
try {
  const shop = await aShop(app, policy, { ...workflowFiles, ...code })
  const workflow = await workflowOf(app.github, shop.name)
  const stage = { shop, workflow, model }
  app.github.protect(shop.name, 'main', { checks: [{ context: 'countersign', appId: app.github.app.id }] })
  await greenStory(stage)
  await retryStory(stage)
  await overrideStory(stage)
  await objectionStory(stage)
  await outageStory(stage)
  await workflow.close()
  const webhooks = app.github.deliveries().filter(({ statusCode }) => statusCode === 202).length
  say(
    `\nThat was the real App: ${webhooks} signed webhooks, each stored before it was acknowledged; and the real Action,`,
  )
  say('as the bundle that runners execute, on real checkouts.')
  say(
    'Next: stand in a repository of yours and have its policy proposed: `npm --prefix <this folder> run -s countersign -- init`.',
  )
} finally {
  await app.stop()
  await model.stop()
}
