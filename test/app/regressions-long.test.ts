// What was confirmed and broke later is said at its pull request exactly once, whatever goes wrong on the way.
import { afterAll, expect, test } from 'vitest'
import { mergedAndConfirmed } from './lab/merged-and-confirmed.ts'
import { runningApp, until } from './lab/running.ts'
import { changesIn } from './lab/unheard.ts'

const app = await runningApp({ seed: 5 })
afterAll(() => app.stop())
const { github } = app

async function confirmed() {
  const one = await mergedAndConfirmed(app)
  const { name } = one.shop
  const breaks = () =>
    github.reportCheck(name, { name: 'build', sha: one.merged, conclusion: 'failure', app: 'github-actions' })
  return { ...one, breaks }
}

/** That, and a pull request that takes it back and may be merged. */
async function reverted() {
  const { shop, pull, said } = await confirmed()
  const { name } = shop
  const sha = await shop.push('revert', 'agent', { 'src/prices.ts': null })
  const revert = await shop.open('agent', { head: 'revert', body: `Reverts ${name}#${pull}` })
  await shop.build(sha, 'success')
  return { name, said, sha, revert }
}

test.each([
  ['before it is said', 'before'],
  ['between saying it and knowing so', 'after'],
] as const)(
  'killed %s, it says it once',
  async (_when, effect) => {
    const { shop, pull, said, breaks } = await confirmed()
    const path = `/repos/${shop.name}/issues/${pull}/comments`
    // Until it is killed.
    const lost = github.addFault({ method: 'POST', path, trouble: { kind: 'reset', effect } })
    breaks()
    await until(async () => github.faultHits(lost) > 0)
    await app.kill()
    github.removeFault(lost)
    await app.start()
    await until(async () => {
      await new Promise((done) => setTimeout(done, 300))
      return (await said()).length > 0
    }, 60_000)
    await app.idle()
    expect(await said()).toEqual([expect.stringContaining('required check build failed on main at ')])
  },
  120_000,
)

test('where GitHub does not take it, it is said later, and told again it is nothing new', async () => {
  const { shop, pull, merged, said, breaks } = await confirmed()
  const path = `/repos/${shop.name}/issues/${pull}/comments`
  const away = github.addFault({ method: 'POST', path, times: 2, trouble: { kind: 'answer', status: 502 } })
  breaks()
  await until(async () => {
    await new Promise((done) => setTimeout(done, 300))
    return (await said()).length > 0
  }, 60_000)
  expect(github.faultHits(away)).toBe(2)
  const sha = await shop.push('mended', 'agent', { 'src/prices.ts': 'export const price = 2\n' })
  const mended = await shop.open('agent', { head: 'mended', body: `Closes #${pull - 1}` })
  await shop.build(sha, 'success')
  await shop.review(mended, 'bob', 'APPROVE')
  await shop.say(mended, 'eve', '/task verify I looked at it again')
  expect(await shop.labels(mended)).toContain('countersign:success')
  github.reportCheck(shop.name, { name: 'build', sha: merged, conclusion: 'failure', app: 'github-actions' })
  await shop.idle()
  expect(await said()).toHaveLength(1)
  expect(await shop.labels(mended)).toContain('countersign:success')
}, 120_000)

test('killed after a revert was merged and before it was looked into, it takes up what was reverted all the same', async () => {
  const { name, said, sha, revert } = await reverted()
  const lost = github.addFault({
    path: `/repos/${name}/issues/${revert}`,
    method: 'GET',
    times: 1,
    trouble: { kind: 'reset' },
  })
  github.merge(name, revert, { by: 'cleo' })
  await until(async () => github.faultHits(lost) > 0)
  await app.kill()
  await app.start()
  await until(async () => {
    await new Promise((done) => setTimeout(done, 300))
    return (await said()).length > 0
  }, 60_000)
  expect(await said()).toEqual([expect.stringContaining(`\`#${revert}\` reverts it at ${sha.slice(0, 7)}`)])
}, 120_000)

test('a revert that was merged while nobody told us takes up what it reverts', async () => {
  const { name, said, sha, revert } = await reverted()
  await changesIn(app).whileAway(() => void github.merge(name, revert, { by: 'cleo' }))
  await until(async () => (await said()).length > 0, 60_000)
  expect(await said()).toEqual([expect.stringContaining(`\`#${revert}\` reverts it at ${sha.slice(0, 7)}`)])
}, 120_000)
