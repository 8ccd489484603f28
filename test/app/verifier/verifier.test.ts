// The verifier in the App: it reads beside everything else that happens, says what it checked, objects where the line is,
// and is said to be absent when it is.
import { afterAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { aModel } from '../lab/a-model.ts'
import { appOfFile } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop, type Shop } from '../lab/shop.ts'

const policy = `version: 1
identities: { agents: [agent] }
verification:
  checks: [{ name: build, check_run: build, app: github-actions }]
  verifier:
    review: always
    finders: 1
    decomposer: identity
    criteria: |
      - The price of several pieces is the price of one times their number.
`
const model = await aModel('src/price.ts')
afterAll(model.stop)
const app = await appOfFile({ app: { slug: 'acme-gate' } }, model.env)
beforeEach(() => model.is({ kind: 'pass' }))

const priceOf = (shop: Shop, formula: string, branch = 'feature'): string =>
  app.github.push(shop.name, branch, {
    files: { 'src/price.ts': `export const price = (count: number) => ${formula}\n` },
    author: 'agent',
  })
const reviews = async (shop: Shop, number: number) =>
  z.array(z.object({ state: z.string(), body: z.string() })).parse(await shop.read(`/pulls/${number}/reviews`))
const threads = async (shop: Shop, number: number) =>
  z
    .array(
      z.object({
        path: z.string(),
        line: z.number().nullish(),
        body: z.string(),
      }),
    )
    .parse(await shop.read(`/pulls/${number}/comments`))

async function judged(formula: string): Promise<{ shop: Shop; sha: string; number: number }> {
  const shop = await aShop(app, policy)
  const sha = priceOf(shop, formula)
  const number = await shop.open()
  await shop.build(sha, 'success')
  return { shop, sha, number }
}
const decided = (shop: Shop, sha: string, title: RegExp): Promise<void> =>
  until(async () => title.test(await shop.check(sha)))

test('an answer that speaks of something else is told on the page where the policy asks, and stays a pass', async () => {
  const shop = await aShop(
    app,
    `${policy}security: { semantic_drift: { enabled: true, threshold: 1 } }\nmiddleware: { verifier: [semantic_drift] }\n`,
  )
  const sha = priceOf(shop, 'count * 3')
  await shop.open()
  await shop.build(sha, 'success')
  await decided(shop, sha, /^success/)
  expect(await shop.summary(sha)).toMatch(
    /the AI review remarks: its answer speaks little of the criteria \(similarity 0\.?\d*, below 1\); that moves no verdict/,
  )
})

test('a pass says what was checked, and is no approval', async () => {
  const { shop, sha, number } = await judged('count * 3')
  await decided(shop, sha, /^success/)
  expect(await shop.summary(sha)).toContain('| AI review | no objection')
  await shop.idle()
  expect(await reviews(shop, number)).toEqual([
    {
      state: 'COMMENTED',
      body: expect.stringContaining('**AI review: no objection. 7/7 questions met, 1/1 changed lines read'),
    },
  ])
  expect(await threads(shop, number)).toEqual([])
})

test('an objection stands at its line, and its thread says so when it is repaired', async () => {
  model.is({ kind: 'object', to: 'count + 3', claim: 'Two pieces cost five.', fix: 'Multiply instead.' })
  const { shop, sha, number } = await judged('count + 3')
  await decided(shop, sha, /^failure: Changes needed/)
  await shop.idle()
  const [thread] = await threads(shop, number)
  expect(thread).toMatchObject({
    path: 'src/price.ts',
    line: 1,
    body: expect.stringContaining('Two pieces cost five.'),
  })
  expect((await shop.comments(number))[0]).toContain('Multiply instead.')

  const fixed = priceOf(shop, 'count * 3')
  await shop.idle()
  await shop.build(fixed, 'success')
  await decided(shop, fixed, /^success/)
  await shop.idle()
  expect((await threads(shop, number)).map(({ body }) => body)).toEqual([
    expect.stringContaining(`**Fixed as of ${fixed.slice(0, 7)}.**`),
  ])
  expect(await reviews(shop, number)).toHaveLength(2)
})

test('an outage is said to be one, and a human may take responsibility', async () => {
  model.is({ kind: 'down' })
  const { shop, sha, number } = await judged('count * 3')
  await decided(shop, sha, /the AI review could not be made \(the model does not answer\)/)
  expect(await shop.check(sha)).not.toMatch(/^success/)
  expect(await shop.summary(sha)).toContain('not reviewed')
  expect(await reviews(shop, number)).toEqual([])
  await shop.say(number, 'ada', '/override --verifier I read it myself')
  expect(await shop.check(sha)).toMatch(/^success: Passed: ada takes responsibility/)
}, 60_000)

test('nothing waits while it reads: a word is heard, and a push ends what it supersedes', async () => {
  let wake = (): void => undefined
  model.is({ kind: 'slow', until: new Promise<void>((done) => (wake = done)) })
  const before = model.calls()
  const { shop, sha, number } = await judged('count * 3')
  await until(async () => model.calls() > before)
  await shop.say(number, 'bob', '/reject not yet')
  expect(await shop.check(sha)).toMatch(/rejected by bob/)
  model.is({ kind: 'pass' })
  const next = priceOf(shop, '3 * count')
  await shop.idle()
  await shop.build(next, 'success')
  await decided(shop, next, /^success/)
  wake()
  await shop.idle()
  expect(await shop.check(next)).toMatch(/^success/)
  expect((await reviews(shop, number)).map(({ body }) => body.includes(next))).toEqual([true])
})

test('it sees the code around the change: what encloses it, and who uses what it changes', async () => {
  const lines = Array.from({ length: 150 }, (_, at) => `export const rate${at} = ${at}`)
  const price = (formula: string): string =>
    [...lines, 'export function price(count: number) {', '  const each = 3', `  return ${formula}`, '}', ''].join('\n')
  const till = "import { price } from './price.ts'\n\nexport const bill = () => {\n  return price(undefined)\n}\n"
  const shop = await aShop(app, policy, { 'src/price.ts': price('3 * count'), 'src/till.ts': till })
  const sha = app.github.push(shop.name, 'feature', {
    files: { 'src/price.ts': price('count * each') },
    author: 'agent',
  })
  await shop.open()
  await shop.build(sha, 'success')
  await decided(shop, sha, /^success/)
  const prompt = model.prompts().at(-1) ?? ''
  const fence = (label: string): string =>
    new RegExp(`⟦code-context \\w+ "${label}"⟧\n([\\s\\S]*?)\n⟦/code-context`).exec(prompt)?.[1] ?? ''
  expect(fence(`src/price.ts lines 151-154 at ${sha.slice(0, 12)}: around changed lines price`)).toContain(
    '152  │   const each = 3',
  )
  expect(fence(`src/till.ts lines 3-5 at ${sha.slice(0, 12)}: uses price`)).toContain('4  │   return price(undefined)')
})

test('where GitHub refuses the archive, the change is judged with its own files, and that is said', async () => {
  const fault = app.github.addFault({
    path: '/repos/*/tarball/*',
    trouble: { kind: 'answer', status: 403, message: 'Resource not accessible by integration' },
  })
  const shop = await aShop(app, policy, { 'src/price.ts': 'export const price = (count: number) => 3\n' })
  const sha = priceOf(shop, 'count * 3')
  const number = await shop.open()
  await shop.build(sha, 'success')
  await decided(shop, sha, /^success/)
  await shop.idle()
  app.github.removeFault(fault)
  expect((await reviews(shop, number))[0]?.body).toMatch(
    /Around the change: the repository was not read whole: Resource not accessible by integration/,
  )
  expect(model.prompts().at(-1)).toMatch(
    /⟦code-context \w+ "src\/price\.ts lines 1-2 at \w+: the changed file as it is now"⟧/,
  )
})
