// What other CI reports while the App is not let in: no webhook tells of it, not even later.
import { expect, test, vi } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { until } from '../lab/running.ts'
import { aShop, adopted } from '../lab/shop.ts'

vi.setConfig({ testTimeout: 120_000 })
const app = await appOfFile()
const { github } = app

test.each([
  ['failure', 'success', /^success: Passed/],
  ['success', 'failure', /^failure: Changes needed/],
] as const)('it was a %s, and is a %s by now', async (before, now, shown) => {
  const shop = await aShop(app, adopted)
  const sha = await shop.push()
  await shop.open()
  await shop.build(sha, before)
  const check = (): string =>
    github
      .checksOn(shop.name, sha)
      .runs.filter(({ app: slug }) => slug === github.app.slug)
      .map((run) => `${run.conclusion}: ${run.title}`)
      .join('\n')
  expect(check()).not.toMatch(shown)
  github.uninstall(shop.installation)
  await github.idle()
  github.reportCheck(shop.name, { name: 'build', sha, conclusion: now, app: 'github-actions' })
  github.install(shop.org)
  await until(async () => shown.test(check()), 60_000)
  expect(check()).toMatch(shown)
})
