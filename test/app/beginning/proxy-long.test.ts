// The App in a network that nothing leaves but through its proxy.
import { expect, test } from 'vitest'
import { aTunnel } from '../../github/tunnel.ts'
import { runningApp } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'

test('where Node is told to, everything that is asked of GitHub goes by the proxy of the environment', async () => {
  const tunnel = await aTunnel()
  const app = await runningApp({}, { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: tunnel.url, HTTPS_PROXY: tunnel.url })
  const shop = await aShop(app)
  const sha = await shop.push()
  await shop.open()
  await shop.build(sha, 'success')
  await app.idle()
  expect(await shop.check(sha)).toMatch(/^success:/)
  expect([...tunnel.asked]).toEqual([new URL(app.github.url).host])
  await app.stop()
  tunnel.close()
}, 60_000)
