// An adopted check among very many.
import { expect, test } from 'vitest'
import { appOfFile } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'

const app = await appOfFile()

test('a status beyond the first hundred contexts is found', async () => {
  const shop = await aShop(app, 'verification: { checks: [{ name: build, status: ci/build }] }\n')
  const sha = await shop.push()
  await shop.open()
  for (let more = 0; more < 101; more += 1)
    app.github.reportStatus(shop.name, { sha, context: `more/${more}`, state: 'success', by: 'ada' })
  app.github.reportStatus(shop.name, { sha, context: 'ci/build', state: 'success', by: 'ada' })
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^success/)
})
