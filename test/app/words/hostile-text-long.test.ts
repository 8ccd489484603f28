// Texts that were made to hurt whoever reads them, brought by whoever may write them: an issue, a comment, a review, a policy,
// a copy of it, paths, files. The process must go on for everybody else, and none of it may turn green.
import { beforeAll, describe, expect, test } from 'vitest'
import { hostilePolicies, repeated } from '../../aside/hostile-texts.ts'
import { appOfFile } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'
import { post } from '../lab/spawned.ts'
import { figureIn } from '../../figure.ts'

const app = await appOfFile()
const TEXT_MAX = 65_000

/** What an ordinary pull request makes us do is learnt before anything is measured. */
beforeAll(async () => {
  const shop = await aShop(app)
  const issue = app.github.openIssue(shop.name, {
    title: 'Prices',
    body: `Fix.\n${'a '.repeat(4000)}countersign`,
    by: 'cleo',
  })
  const sha = await shop.push('feature', 'agent', { 'a.yml': `a:\n${'  - b\n'.repeat(5000)}` })
  const number = await shop.open('agent', { body: `Closes #${issue}` })
  await shop.say(number, 'ada', '/status')
  await shop.build(sha, 'success')
  await shop.idle()
}, 60_000)

/** How often the loop was kept longer than it may be, by whatever was computed meanwhile. */
async function blockedBy(work: () => Promise<unknown>): Promise<number> {
  const read = async (): Promise<number> =>
    figureIn(await (await fetch(`${app.url}/metrics`)).text(), 'countersign_loop_blocked_total')
  const before = await read()
  await work()
  await app.idle()
  return (await read()) - before
}

describe('the loop is never blocked by', () => {
  test.each([
    ['one line of lists', repeated('- ', TEXT_MAX)],
    ['quotes', repeated('> x\n', 12_000)],
    ['headings', repeated('a\n=\n', 11_000)],
    ['HTML', repeated('<a ', TEXT_MAX)],
    ['brackets', repeated('[', TEXT_MAX)],
    ['emphasis', repeated('*a_ ', TEXT_MAX)],
  ])('an issue, a comment and a review of %s', async (_what, hostile) => {
    const shop = await aShop(app)
    const body = `${hostile}\n\n# Acceptance criteria\n\n- countersign\n`
    const blocked = await blockedBy(async () => {
      const issue = app.github.openIssue(shop.name, { title: 'Prices', body, by: 'dan' })
      await shop.push()
      const number = await shop.open('agent', { body: `Closes #${issue}` })
      app.github.comment(shop.name, number, { body: `${hostile}\n/override I said so`, by: 'dan' })
      app.github.review(shop.name, number, { by: 'dan', event: 'COMMENT', body: `${hostile}\n/status` })
    })
    expect(blocked).toBe(0)
  })

  test('a webhook as large as GitHub sends them', async () => {
    const shop = await aShop(app)
    const [told] = app.github.deliveries().slice(-1)
    const one = JSON.stringify({
      id: 1,
      message: 'nothing',
      files: ['a', 'b'],
      by: { name: 'dan', email: 'dan@example.com' },
    })
    const commits = `[${Array.from({ length: 240_000 }, () => one).join()}]`
    const payload = JSON.stringify(app.github.payloadOf(told?.id ?? 0)).replace(/}$/, `,"commits":${commits}}`)
    const blocked = await blockedBy(async () => {
      const { status } = await post(app.url, payload, app.github.app.webhookSecret, {
        'x-github-event': told?.event ?? '',
      })
      expect(status).toBe(202)
    })
    expect(payload.length).toBeGreaterThan(20 * 1024 * 1024)
    expect(blocked).toBe(0)
    await shop.idle()
  })

  // Every sixth, since they are all read as the App reads them where reading is tested.
  test.each(
    hostilePolicies(200_000)
      .filter((_, index) => index % 6 === 0)
      .map((policy) => [policy.slice(0, 30), policy]),
  )('the policy %j, nor by its copy in a change', async (_start, policy) => {
    const [governed, copying] = [await aShop(app, policy), await aShop(app)]
    const sha = { of: '', copy: '' }
    const blocked = await blockedBy(async () => {
      sha.of = await governed.push()
      await governed.open()
      sha.copy = await copying.push('feature', 'agent', { '.github/countersign.yml': policy })
      await copying.open()
    })
    expect(blocked).toBe(0)
    expect(await governed.check(sha.of)).not.toMatch(/^(success|neutral)/)
    expect(await copying.check(sha.copy)).not.toMatch(/^(success|neutral)/)
  })

  test('patterns over many paths', async () => {
    const patterns = Array.from({ length: 80 }, (_, index) => `"${'*a*b'.repeat(55)}${index}"`)
    const shop = await aShop(
      app,
      `verification: { checks: [{ name: build, check_run: build }] }\nprotected_paths: [${patterns.join(', ')}]`,
    )
    const files = Object.fromEntries(
      Array.from({ length: 400 }, (_, index) => [`${'ab'.repeat(100)}/${index}.txt`, 'x']),
    )
    const sha = { of: '' }
    const blocked = await blockedBy(async () => {
      sha.of = await shop.push('feature', 'agent', files)
      await shop.open()
      await shop.build(sha.of, 'success')
    })
    expect(blocked).toBe(0)
    // None of them matches: a fast machine finds that out in time, and a slow one asks somebody to look.
    expect(await shop.check(sha.of)).toMatch(
      /^(success|action_required.*take too long to hold against the changed paths)/,
    )
  })

  test('a list of all files as long as GitHub makes them', async () => {
    const shop = await aShop(app)
    const many = (folder: string, length: number): Record<string, string> =>
      Object.fromEntries(Array.from({ length }, (_, index) => [`${folder}/${index % 100}/${index}.ts`, 'a\n']))
    app.github.push(shop.name, 'main', { files: many('old', 30_000), author: 'cleo' })
    const sha = { of: '' }
    const blocked = await blockedBy(async () => {
      // More than one comparison lists, so that the list is proven by the files of the commit.
      sha.of = await shop.push('feature', 'agent', many('new', 320))
      await shop.open()
      await shop.build(sha.of, 'success')
    })
    expect(blocked).toBe(0)
    expect(await shop.check(sha.of)).toMatch(/^success/)
  })

  test('files of a change', async () => {
    const shop = await aShop(app)
    const size = 900_000
    const blocked = await blockedBy(async () => {
      const sha = await shop.push('feature', 'agent', {
        'a.yml': repeated('- &a "\\x41"\n', size),
        'b.json': repeated('[', size),
        'c.toml': repeated('[a.b]\n', size),
        'd.csv': repeated('"a', size),
        'e.yaml': repeated('? ', size),
        'f.json': `[${repeated('"\\u0041",', size)}1]`,
      })
      await shop.open()
      await shop.build(sha, 'success')
    })
    expect(blocked).toBe(0)
  })
})
