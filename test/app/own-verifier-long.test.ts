// A verifier of a caller's own in the real App: what it says is a verdict like any other, advisory and on record.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownVerifier, type VerifierInput, type VerifierVerdict } from '../../src/engine/verify/own-verifier.ts'
import { startApp, type App } from '../../src/entry/app/app.ts'
import { readSettings } from '../../src/entry/wire.ts'
import { startGitHub, type GitHub } from '../github/github.ts'
import { appAt, freePort, until } from './running.ts'
import { aShop } from './shop.ts'

let github: GitHub
let app: App
let directory: string
const asked: VerifierInput[] = []
let verdict: VerifierVerdict = { kind: 'Passed', confidence: 1 }

beforeAll(async () => {
  const port = await freePort()
  directory = await mkdtemp(join(tmpdir(), 'countersign-own-'))
  github = await startGitHub({ app: appAt(port) })
  const settings = readSettings({
    APP_ID: String(github.app.id),
    PRIVATE_KEY: github.app.privateKey,
    WEBHOOK_SECRET: github.app.webhookSecret,
    GITHUB_API_URL: github.url,
    PORT: String(port),
    DATA_DIR: directory,
    LOG_LEVEL: 'fatal',
  })
  if (settings.credentials === null) throw new Error('They were given')
  const identity = { login: 'judge[bot]', agent_id: 'judge', model_id: 'rules', model_family: 'rules' }
  const verifier = ownVerifier(
    {
      verify: async (input) => {
        asked.push(input)
        return verdict
      },
    },
    { identity, judgeGate: async () => ({ verdict: 'SKIP', summary: '', elapsed_ms: 0 }) },
  )
  app = await startApp(settings, settings.credentials, { verifier })
}, 60_000)
afterAll(async () => {
  await app.stop()
  await github.close()
  await rm(directory, { recursive: true, force: true })
})

test('it objects, and then it does not', async () => {
  const shop = await aShop({ github, idle: () => github.idle() })
  const seen = (sha: string, title: RegExp) => until(async () => title.test(await shop.check(sha)))
  verdict = { kind: 'Failed', reason: 'the ledger does not balance', confidence: 1 }
  const first = await shop.push()
  await shop.open()
  await seen(first, /^in_progress/)
  await shop.build(first, 'success')
  await seen(first, /^failure: Changes needed: the ledger does not balance/)
  expect(asked.at(-1)).toMatchObject({ build_result: { ok: true }, workspace: { sha: first }, iteration: 0 })
  verdict = { kind: 'Passed', confidence: 1 }
  const second = await shop.push()
  await seen(second, /^in_progress/)
  await shop.build(second, 'success')
  await seen(second, /^success/)
  expect(asked.at(-1)).toMatchObject({ workspace: { sha: second }, iteration: 1 })
}, 30_000)
