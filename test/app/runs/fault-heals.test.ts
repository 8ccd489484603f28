// What could not be read through an answer that makes no sense is read again, and once that goes well nothing is left of it.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app

const failed = /^action_required: Needs a person: Countersign itself failed/

async function whoseResultsFail() {
  const shop = await aShop(app)
  const silent = github.addFault({
    path: `/repos/${shop.name}/commits/*/check-runs*`,
    trouble: { kind: 'answer', status: 404 },
  })
  const sha = await shop.push()
  const pull = github.openPull(shop.name, { title: 'Better', head: 'feature', by: 'agent' })
  const shown = (): string =>
    github
      .checksOn(shop.name, sha)
      .runs.filter(({ name }) => name === 'countersign')
      .map((run) => `${run.conclusion ?? run.status}: ${run.title}`)
      .join()
  await until(async () => failed.test(shown()))
  return { shop, sha, pull, shown, mend: () => github.removeFault(silent) }
}

test('with the next webhook that leads there', async () => {
  const { shop, sha, shown, mend } = await whoseResultsFail()
  mend()
  await shop.build(sha, 'success')
  expect(shown()).toMatch(/^success/)
})

test('by itself, a moment later', async () => {
  const { shown, mend } = await whoseResultsFail()
  mend()
  await until(async () => !failed.test(shown()))
  expect(shown()).toMatch(/^in_progress: Waiting: required check `build`/)
})
