// What is kept of a webhook is understood as the whole one was, and again after it was kept.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { lineOf } from '../../src/adapters/github/webhooks/delivery-line.ts'
import { heard, understand, type Webhook } from '../../src/adapters/github/webhooks/payloads.ts'
import { startGitHub, type GitHub } from '../github/github.ts'

let github: GitHub
let own: number
const webhooks: Webhook[] = []

/** Everything that we are told of, once. */
function aBusyDay(): void {
  const shop = 'acme/shop'
  github.createRepo(shop, { files: { 'README.md': '# Shop\n' }, by: 'ada' })
  github.install('acme')
  const sha = github.push(shop, 'work', { files: { 'a.ts': '1\n' }, author: 'agent' })
  const pull = github.openPull(shop, { title: 'Better', head: 'work', by: 'agent' })
  const ours = github.reportCheck(shop, { name: 'countersign', sha, app: 'countersign', status: 'in_progress' })
  github.reportCheck(shop, { name: 'build', sha, conclusion: 'success' })
  github.rerequest(shop, ours, 'ada')
  github.rerequestSuite(shop, suiteOf(ours), 'ada')
  github.reportStatus(shop, { sha, context: 'lint', state: 'success', by: 'ada' })
  github.finishRun(shop, github.startRun(shop, { head: sha }), 'success')
  github.comment(shop, pull, { body: '/override the runner is broken', by: 'ada' })
  const sticky = github.comment(shop, pull, { body: 'Waiting.', by: 'countersign[bot]' })
  github.editComment(shop, sticky, { body: 'Done.', by: 'eve' })
  github.deleteComment(shop, sticky, 'eve')
  github.dismiss(
    shop,
    pull,
    github.review(shop, pull, { by: 'bob', event: 'APPROVE', body: '/approve it is fine' }),
    'ada',
  )
  github.label(shop, pull, 'countersign:override', 'ada')
  github.unlabel(shop, pull, 'countersign:override', 'ada')
  github.label(shop, pull, 'countersign:success', 'eve')
  github.editPull(shop, pull, { title: 'Much better', by: 'agent' })
  github.push(shop, 'main', { files: { '.github/countersign.yml': 'version: 1\n' }, author: 'ada' })
  const group = github.mergeGroup(shop, [pull], 'ada').headSha
  github.endGroup(shop, group, 'dequeued', 'ada')
  github.setDraft(shop, pull, true, 'agent')
  github.closePull(shop, pull, 'agent')
  const issue = github.openIssue(shop, { title: 'Wrong', by: 'ada' })
  github.comment(shop, issue, { body: 'Indeed.', by: 'bob' })
  github.comment(shop, issue, { body: '/goal status', by: 'bob' })
  github.label(shop, issue, 'goal', 'ada')
  github.addSubIssue(shop, issue, github.openIssue(shop, { title: 'Mend', by: 'ada' }), 'ada')
}

const suite = z.object({ check_run: z.object({ id: z.number(), check_suite: z.object({ id: z.number() }) }) })
function suiteOf(run: number): number {
  const told = github.deliveries().map(({ id }) => suite.safeParse(github.payloadOf(id)).data?.check_run)
  return told.find((one) => one?.id === run)?.check_suite.id ?? 0
}

beforeAll(async () => {
  github = await startGitHub({ app: { slug: 'countersign', webhookUrl: 'http://127.0.0.1:9/' } })
  own = github.app.id
  aBusyDay()
  for (const { id, guid, event } of github.deliveries()) webhooks.push({ event, guid, payload: github.payloadOf(id) })
})
afterAll(async () => github.close())

const kept = (webhook: Webhook): Webhook => ({
  ...webhook,
  payload: JSON.parse(JSON.stringify(heard(webhook, own)?.essence ?? null)) as unknown,
})

test('whatever it is, it says the same and stands in the same line', () => {
  const kinds = webhooks.map((webhook) => understand(webhook, own)?.news.kind)
  expect(new Set(kinds)).toEqual(
    new Set([
      undefined,
      'issue_changed',
      'issue_said',
      'pull_changed',
      'pull_ended',
      'pushed',
      'group_requested',
      'group_ended',
      'results_changed',
      'run_asked_again',
      'place_touched',
      'said',
      'reviewed',
      'review_dismissed',
      'labelled',
    ]),
  )
  for (const webhook of webhooks) {
    const said = understand(webhook, own)
    expect(understand(kept(webhook), own)).toEqual(said)
    expect(understand(kept(kept(webhook)), own)).toEqual(said)
    if (said !== null) expect(lineOf(kept(webhook))).toBe(lineOf(webhook))
  }
})

test('it is a small part of the whole', () => {
  const heard = webhooks.filter((webhook) => understand(webhook, own) !== null)
  const size = (all: readonly Webhook[]): number => JSON.stringify(all.map(({ payload }) => payload)).length
  expect(size(heard.map(kept))).toBeLessThan(size(heard) / 10)
})

test('what is no webhook of ours is nothing, kept or not', () => {
  const odd: readonly Webhook[] = [
    { event: 'pull_request', guid: '1', payload: null },
    { event: 'pull_request', guid: '2', payload: { action: 'opened', pull_request: 'none' } },
    { event: 'constructor', guid: '3', payload: {} },
    { event: 'star', guid: '4', payload: webhooks[0]?.payload },
  ]
  for (const webhook of odd) expect([understand(webhook, own), understand(kept(webhook), own)]).toEqual([null, null])
})
