// `npm run demo`: the real App and the real Action, as processes, around a GitHub on this machine, with real signed
// webhooks between them, and a model that says what its story wants. No credentials and no network. What is printed is
// read back from that GitHub, as a person would see it there.
import { z } from 'zod'
import { workflowFiles, workflowOf, type Workflow } from '../action/workflow.ts'
import { aModel } from '../app/lab/a-model.ts'
import { runningApp, until, type Running } from '../app/lab/running.ts'
import { aShop, type Shop } from '../app/lab/shop.ts'
import { blue, picture, red } from '../vision/pictures.ts'

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

const blueCheckout = `version: 1
identities: { agents: [agent] }
verification:
  checks:
    - { name: pages, command: mkdir -p shots && base64 -d checkout.txt > shots/checkout.png }
  verifier: { enabled: false }
security:
  vision:
    enabled: true
    kind: heuristic
    expectations:
      - { kind: dominant_colour, page: checkout, description: the checkout stays blue, expected_rgb: [0, 0, 255] }
`
/** Stands for a page that a browser would draw. */
const checkout = (colour: typeof blue) => ({ 'checkout.txt': picture(colour).toString('base64') })

type Stage = { readonly shop: Shop; readonly workflow: Workflow }
type ReadStage = Stage & { readonly model: Awaited<ReturnType<typeof aModel>> }
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

const priced = (formula: string) => ({ 'src/price.mjs': priceOf(formula) })

async function pushed({ shop }: Stage, branch: string, files: Readonly<Record<string, string>>): Promise<string> {
  const sha = shop.github.push(shop.name, branch, { files, author: 'agent' })
  await shop.idle()
  return sha
}

async function opened(stage: Stage, branch: string, files: Readonly<Record<string, string>>): Promise<Pull> {
  const sha = await pushed(stage, branch, files)
  return { number: await stage.shop.open('agent', { head: branch }), sha, branch }
}

/** The workflow runs on a checkout of the pull request, as it does on a runner. */
async function actionRuns({ shop, workflow }: Stage, pull: Pull, inputs: Inputs = {}): Promise<void> {
  const { log } = await workflow.run(pull, inputs)
  await shop.idle()
  // Whoever reads or looks does so beside everything else; what they say comes when it comes.
  await until(async () => !notRead.test(await shop.check(pull.sha)))
  await shop.idle()
  const told = log.split('\n').filter((line) => /^(✅|❌|✓|✗)|passed|failed/.test(line) && !line.startsWith('::'))
  for (const line of told.slice(0, LOG_LINES_MAX)) say(`      action    | ${line}`)
}

type Inputs = Readonly<Record<string, string>>
const notRead = /^in_progress: Waiting: the (?:AI review has not|screenshots have not)/
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
  const pull = await opened(stage, 'green', priced('3 * count'))
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
  const first = await opened(stage, 'retry', priced('count * 3 + 1'))
  act('agent opens a pull request that gets the price wrong')
  await actionRuns(stage, first)
  await look(stage, first)
  await advice(stage, first)
  const second = { ...first, sha: await pushed(stage, 'retry', priced('(count + 0) * 3')) }
  act('agent pushes a fix')
  await actionRuns(stage, second)
  await look(stage, second)
}

async function overrideStory(stage: Stage): Promise<void> {
  story('3. A human takes responsibility, by name')
  const { shop } = stage
  const pull = await opened(stage, 'dearer', priced('count * 4'))
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

async function objectionStory(stage: ReadStage): Promise<void> {
  story('4. The verifier objects, with proof, and the agent repairs it')
  const claim = 'One piece costs three and so do none: the price of nothing is not zero.'
  stage.model.is({ kind: 'object', to: 'Math.max', claim, fix: 'Leave the count as it is.' })
  const first = await opened(stage, 'least', priced('Math.max(count, 1) * 3'))
  await actionRuns(stage, first)
  act('agent opens a pull request; every test passes, and the verifier has read it')
  await look(stage, first)
  await advice(stage, first)
  await remark(stage, first)
  const second = { ...first, sha: await pushed(stage, 'least', priced('(count - 0) * 3')) }
  await actionRuns(stage, second)
  act('agent pushes a repair')
  await look(stage, second)
  await remark(stage, second)
}

async function outageStory(stage: ReadStage): Promise<void> {
  story('5. The verifier is down, and nobody says that it looked')
  stage.model.is({ kind: 'down' })
  const pull = await opened(stage, 'outage', priced('3 * (count - 0)'))
  act('agent opens a pull request; its tests pass, and the model does not answer')
  await actionRuns(stage, pull)
  await look(stage, pull)
  await stage.shop.say(pull.number, 'ada', '/override --verifier I read it myself')
  act('ada writes: /override --verifier I read it myself')
  await look(stage, pull)
}

async function pictureStory(app: Running): Promise<void> {
  story('6. A screenshot is not as expected, and no model is asked')
  const shop = await aShop(app, blueCheckout, { ...workflowFiles, ...checkout(blue) })
  const workflow = await workflowOf(app.github, shop.name)
  const stage = { shop, workflow }
  const first = await opened(stage, 'button', { ...checkout(red), 'notes.md': 'A warmer checkout.\n' })
  act('agent opens a pull request that makes the checkout red; a check takes a screenshot, and the App measures it')
  await actionRuns(stage, first, { screenshots: 'shots' })
  await look(stage, first)
  await measured(stage, first)
  const second = { ...first, sha: await pushed(stage, 'button', checkout(blue)) }
  act('agent pushes a repair')
  await actionRuns(stage, second, { screenshots: 'shots' })
  await look(stage, second)
  await measured(stage, second)
}

/** The table of the screenshots, as it stands on the page of the check. */
async function measured({ shop }: Stage, { sha }: Pull): Promise<void> {
  const [, text = ''] = (await shop.summary(sha)).split('**What the screenshots show**')
  const [table = ''] = /(?:^\|.*\n)+/m.exec(text) ?? []
  for (const line of table
    .trim()
    .split('\n')
    .filter((one) => !one.startsWith('|-')))
    say(`      the page    ${line}`)
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
  await pictureStory(app)
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
