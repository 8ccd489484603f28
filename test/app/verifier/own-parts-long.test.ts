// A program that runs the App brings parts of its own: a verifier, whose verdict is advisory and on record like any other; steps
// around the built-in one; a judge of screenshots.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ownVerifier, type VerifierInput, type VerifierVerdict } from '../../../src/engine/verify/own-verifier.ts'
import { Ended, type VerifierStep } from '../../../src/engine/verify/steps/own.ts'
import { startApp } from '../../../src/entry/app/start-app.ts'
import { readSettings } from '../../../src/entry/wire.ts'
import { startGitHub } from '../../github/github.ts'
import { workflowFiles } from '../../action/workflow.ts'
import { blue, picture, shotOf } from '../../vision/pictures.ts'
import { aModel } from '../lab/a-model.ts'
import { aRun } from '../lab/action-run.ts'
import { appAt, freePort, until } from '../lab/running.ts'
import { aShop } from '../lab/shop.ts'
import { handedOver, patiently } from '../lab/shown.ts'

type Own = NonNullable<Parameters<typeof startApp>[2]>

const ends: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

/** The App in this process, as a program would start it. */
async function started(own: Own, env: Readonly<Record<string, string>> = {}) {
  const port = await freePort()
  const directory = await mkdtemp(join(tmpdir(), 'countersign-own-'))
  const github = await startGitHub({ app: appAt(port) })
  const settings = readSettings({
    APP_ID: String(github.app.id),
    PRIVATE_KEY: github.app.privateKey,
    WEBHOOK_SECRET: github.app.webhookSecret,
    GITHUB_API_URL: github.url,
    PORT: String(port),
    DATA_DIR: directory,
    LOG_LEVEL: 'fatal',
    ...env,
  })
  if (settings.credentials === null) throw new Error('They were given')
  const app = await startApp(settings, settings.credentials, own)
  ends.push(
    () => rm(directory, { recursive: true, force: true }),
    () => github.close(),
    () => app.stop(),
  )
  return { github, idle: () => github.idle() }
}

test('a verifier: it objects, and then it does not', async () => {
  const asked: VerifierInput[] = []
  let verdict: VerifierVerdict = { kind: 'Failed', reason: 'the ledger does not balance', confidence: 1 }
  const identity = { login: 'judge[bot]', agent_id: 'judge', model_id: 'rules', model_family: 'rules' }
  const verify = async (input: VerifierInput): Promise<VerifierVerdict> => {
    asked.push(input)
    return verdict
  }
  const judgeGate = async () => ({ verdict: 'SKIP', summary: '', elapsed_ms: 0 }) as const
  const shop = await aShop(await started({ verifier: ownVerifier({ verify }, { identity, judgeGate }) }))
  const seen = (sha: string, title: RegExp) => until(async () => title.test(await shop.check(sha)))
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
}, 60_000)

const judged = `version: 1
identities: { agents: [agent] }
verification:
  checks: [{ name: build, check_run: build }]
  verifier: { enabled: true }
`

test('steps: one ends the way of what it will not have judged, and one that breaks is told and judges nothing', async () => {
  const model = await aModel('src/a.ts')
  ends.push(() => model.stop())
  let breaks = false
  const freeze: VerifierStep = {
    name: 'freeze',
    beforeAgent: () => {
      if (breaks) throw new TypeError('the calendar is empty')
      return new Ended({ kind: 'refer', reason: 'cannot_tell', detail: 'nothing is judged during the freeze' })
    },
  }
  const app = await started({ steps: { verifier: [freeze] } }, model.env)
  const shop = await aShop(app, judged)
  const first = await shop.push()
  await shop.open()
  await shop.build(first, 'success')
  await expect.poll(() => shop.check(first), patiently).toMatch(/^action_required: .*cannot tell/)
  expect(await shop.summary(first)).toContain('nothing is judged during the freeze')
  breaks = true
  const second = await shop.push()
  await shop.build(second, 'success')
  await expect.poll(() => shop.summary(second), patiently).toContain('a step around it, are wrong')
  expect(await shop.check(second)).not.toMatch(/^success/)
}, 90_000)

test('a judge of screenshots', async () => {
  const shown: string[] = []
  const app = await started({
    vision: async ({ pages }) => {
      shown.push(...pages.map(({ shot }) => shot.page))
      return { verdict: 'BLOCK', summary: 'the house has another blue' }
    },
  })
  const text = `version: 1
identities: { agents: [agent] }
verification: { checks: [{ name: test, command: npm test }] }
security: { vision: { enabled: true, kind: heuristic } }
`
  const given = await aRun(app, 'pull_request', text, workflowFiles)
  await handedOver(given, text, [shotOf('checkout', picture(blue))])
  await expect.poll(() => given.shop.check(given.sha), patiently).toMatch(/^failure: .*the house has another blue/)
  expect(shown).toEqual(['checkout'])
}, 60_000)
