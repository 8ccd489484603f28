// How often people are notified: by each comment, each review and each answer in a thread, and by nothing that is edited or
// folded away.
import { afterAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { aModel } from '../lab/a-model.ts'
import { appOfFile } from '../lab/app-of-file.ts'
import { aShop, type Shop } from '../lab/shop.ts'
import { until } from '../lab/running.ts'

const policy = (more = ''): string => `version: 1
identities: { agents: [agent] }
${more}
verification:
  checks: [{ name: build, check_run: build, app: github-actions }]
  verifier: { finders: 1, decomposer: identity, criteria: '- The price of several pieces is the price of one times their number.' }
`
const unread = (more = ''): string => `${policy(more).split('  verifier:')[0]}  verifier: { enabled: false }\n`

const model = await aModel('src/price.ts')
afterAll(model.stop)
const app = await appOfFile({}, model.env)
beforeEach(() => model.is({ kind: 'pass' }))

const priced = (shop: Shop, formula: string): string =>
  app.github.push(shop.name, 'feature', {
    files: { 'src/price.ts': `export const price = (count: number) => ${formula}\n` },
    author: 'agent',
  })
const judged = (shop: Shop, sha: string, title: RegExp): Promise<void> =>
  until(async () => title.test(await shop.check(sha)))

const said = z.array(z.object({ user: z.object({ login: z.string() }), body: z.string(), html_url: z.string() }))
/** What of ours somebody who follows the pull request is told of. */
async function notices(shop: Shop, number: number): Promise<string[]> {
  await shop.idle()
  const kinds = ['issues/comments', 'pulls/reviews'] as const
  const all = await Promise.all(
    kinds.map(async (kind) => {
      const [of, what] = kind.split('/')
      return said
        .parse(await shop.read(`/${of}/${number}/${what}`))
        .filter(({ user }) => user.login === 'countersign[bot]')
        .map(() => kind)
    }),
  )
  return all.flat()
}

test('what is green at once has a check run and a label, and nobody is told', async () => {
  const shop = await aShop(app, policy())
  const sha = priced(shop, 'count * 3')
  const number = await shop.open()
  await shop.build(sha, 'success')
  await judged(shop, sha, /^success/)
  expect(await notices(shop, number)).toEqual([])
  expect(await shop.labels(number)).toEqual(['countersign:success'])
  expect(await shop.summary(sha)).toContain('of 7 questions met, 1 of 1 changed lines read')
})

test('three attempts that fail are one comment', async () => {
  const shop = await aShop(app, unread())
  const shas = [await shop.push()]
  const number = await shop.open()
  await shop.build(shas[0] ?? '', 'failure')
  while (shas.length < 3) {
    shas.push(await shop.push())
    await shop.build(shas.at(-1) ?? '', 'failure')
  }
  expect(await shop.check(shas.at(-1) ?? '')).toMatch(/^failure/)
  expect(await notices(shop, number)).toEqual(['issues/comments'])
})

test('what is objected to twice and passes then is a comment and two reviews, both folded away, and its threads say that they are over', async () => {
  const shop = await aShop(app, policy())
  model.is({ kind: 'object', to: 'count +', claim: 'Two pieces cost five.', fix: 'Multiply instead.' })
  const first = priced(shop, 'count + 3')
  const number = await shop.open()
  await shop.build(first, 'success')
  await judged(shop, first, /^failure/)
  await shop.idle()
  const comment = async (): Promise<string> => (await shop.comments(number))[0]?.split('<details>')[0] ?? ''
  expect(await comment()).toMatch(
    /Its objections stand in \[its review\]\(#pullrequestreview-\d+\), .*: \[1\]\(#discussion_r\d+\)\./,
  )
  expect(await comment()).not.toContain('Multiply instead.')

  const second = priced(shop, 'count + 3 + 0')
  await shop.idle()
  await shop.build(second, 'success')
  await judged(shop, second, /^failure/)
  const third = priced(shop, 'count * 3')
  await shop.idle()
  await shop.build(third, 'success')
  await judged(shop, third, /^success/)
  expect(await notices(shop, number)).toEqual(['issues/comments', 'pulls/reviews', 'pulls/reviews'])
  const reviews = app.github.look(shop.name, number).pull?.reviews ?? []
  expect(reviews.map(({ minimized }) => minimized)).toEqual(['OUTDATED', 'OUTDATED'])
  const threads = z.array(z.object({ body: z.string() })).parse(await shop.read(`/pulls/${number}/comments`))
  for (const { body } of threads) expect(body).toContain(`**Fixed as of ${third.slice(0, 7)}.**`)
})

test.each([
  ['always', ['issues/comments'], ['issues/comments']],
  ['never', [], []],
])('`comment: %s`', async (comment, green, red) => {
  const shop = await aShop(app, unread(`comment: ${comment}`))
  const good = await shop.push()
  const number = await shop.open()
  await shop.build(good, 'success')
  expect(await notices(shop, number)).toEqual(green)
  await shop.build(await shop.push(), 'failure')
  expect(await notices(shop, number)).toEqual(red)
})
