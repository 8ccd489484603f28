// A base whose workflows run the Action in more places than one: whichever of them speaks is heard, and the strictest decides.
import { expect, test } from 'vitest'
import { workflowFiles } from '../../action/workflow.ts'
import { handOver, policy, results, workflow } from '../lab/action-run.ts'
import { sharedApp } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app
const names = Array.from({ length: 12 }, (_, index) => `.github/workflows/part-${String.fromCodePoint(97 + index)}.yml`)

async function opened() {
  const shop = await aShop(app, policy, Object.fromEntries(names.map((name) => [name, workflowFiles[workflow]])))
  const sha = await shop.push()
  const number = await shop.open()
  const ran = async (path: string, passed: boolean): Promise<void> => {
    const run = github.startRun(shop.name, { head: sha, branch: 'feature', path, event: 'pull_request' })
    const given = { app, shop, sha, number, run }
    const file = { ...results(given, passed), run: { id: run, attempt: 1, workflow: path } }
    await handOver(given, file, { conclusion: passed ? 'success' : 'failure' })
  }
  return { ran, check: () => shop.check(sha) }
}

test('the last of them fails, and all others pass', async () => {
  const { ran, check } = await opened()
  for (const [index, path] of names.entries()) await ran(path, index < names.length - 1)
  expect(await check()).toBe('failure: Changes needed: required check `test` failed with exit code 1')
})

test('only the last of them runs', async () => {
  const { ran, check } = await opened()
  await ran(names.at(-1) ?? '', true)
  expect(await check()).toMatch(/^success/)
})

test('one that is larger than is read may be one of them, which is another thing than that there is none', async () => {
  const text = `${workflowFiles[workflow]}${'# more\n'.repeat(50_000)}`
  const shop = await aShop(app, policy, { [workflow]: text })
  const sha = await shop.push()
  await shop.open()
  expect(await shop.check(sha)).toMatch(/nobody can tell which workflow of the base branch runs the checks/)
})
