// What an owner grants to the App later: tokens that were made before cannot do it, and nobody waits until their hour is over.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { appAt, until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app

/** Where the App was installed without the right to write check runs, and has found that out. */
async function withoutChecks() {
  const shop = await aShop(app)
  github.uninstall(shop.installation)
  const installation = github.install(shop.org, { permissions: { ...appAt(0).permissions, checks: 'read' } })
  const sha = await shop.push()
  github.openPull(shop.name, { title: 'Better', head: 'feature', by: 'agent' })
  const path = `/repos/${shop.name}/check-runs`
  await until(async () => github.requestLog().some((one) => one.path === path && one.status === 403))
  return { shop, sha, installation }
}

test('the right to write check runs is granted, and the pull request that waited for it is shown', async () => {
  const { shop, sha, installation } = await withoutChecks()
  github.grantPermissions(installation, { checks: 'write' }, 'cleo')
  await until(async () => (await shop.check(sha)) !== 'none', 30_000)
  expect(await shop.check(sha)).toMatch(/^in_progress|^queued/)
}, 60_000)
