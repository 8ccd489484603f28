// A runner in a network that nothing leaves but through its proxy.
import { afterAll, expect, test, vi } from 'vitest'
import { aTunnel } from '../github/tunnel.ts'
import { aStage, closeStages } from './stage.ts'

vi.setConfig({ testTimeout: 60_000 })
afterAll(closeStages)

test('everything that the Action asks of GitHub goes by the proxy that the runner names, but where it says so', async () => {
  const tunnel = await aTunnel()
  const stage = await aStage()
  const results = new URL(stage.artifacts.env['ACTIONS_RESULTS_URL'] ?? '').host
  const github = new URL(stage.github.url).host
  const through = await stage.run({ env: { http_proxy: tunnel.url, https_proxy: tunnel.url } })
  expect(through.code).toBe(0)
  expect(through.results().checks).toMatchObject([{ name: 'test', passed: true }])
  expect([...tunnel.asked].toSorted()).toEqual([github, results].toSorted())

  tunnel.asked.clear()
  const past = await stage.run({ env: { http_proxy: tunnel.url, no_proxy: '127.0.0.1' } })
  expect(past.code).toBe(0)
  expect([...tunnel.asked]).toEqual([])
  tunnel.close()
})
