// What differs from what the base showed last, drawn by the bundled Action beside the screenshots, where its token may look that
// far. The App says where it is drawn and believes nothing of it.
import { createHash } from 'node:crypto'
import { decode } from 'fast-png'
import { afterAll, expect, test, vi } from 'vitest'
import { workflowFiles, workflowOf } from '../../action/workflow.ts'
import { picture, red, shotOf, white } from '../../vision/pictures.ts'
import { aRun, workflow as workflowFile } from '../lab/action-run.ts'
import { appOfFile } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'
import { handedOver, patiently } from '../lab/shown.ts'

vi.setConfig({ testTimeout: 120_000 })
const app = await appOfFile()

const same = '{ kind: max_difference, page: checkout, description: the page stays as it is, share: 0.1 }'
const comparing = (checks: string) => `version: 1
identities: { agents: [agent] }
verification: { checks: [${checks}] }
security:
  vision: { enabled: true, kind: heuristic, expectations: [${same}] }
`
const policy = comparing('{ name: pages, command: mkdir -p shots && base64 -d page.txt > shots/checkout.png }')
const drawn = (page: Buffer) => ({ 'page.txt': page.toString('base64') })
const changed = picture(white, { stripe: { colour: red, rows: 6 } })

async function aPast(permissions: Readonly<Record<string, 'read'>>) {
  const shop = await aShop(app, policy, { ...workflowFiles, ...drawn(picture(white)) })
  const workflow = await workflowOf(app.github, shop.name, permissions)
  afterAll(workflow.close)
  const next = async (branch: string, files: Record<string, string>) => {
    const sha = app.github.push(shop.name, branch, { files, author: 'agent' })
    const number = await shop.open('agent', { head: branch })
    const run = await workflow.run({ number, sha, branch }, { screenshots: 'shots' })
    return { number, sha, run }
  }
  const first = await next('first', { 'notes.md': 'White.\n' })
  await expect.poll(() => shop.check(first.sha), patiently).toMatch(/^success/)
  app.github.merge(shop.name, first.number, { by: 'ada' })
  await shop.idle()
  return { shop, first, next }
}

test('what differs is drawn in red on the page in grey, and the row of the page says where', async () => {
  const { shop, first, next } = await aPast({ actions: 'read', pull_requests: 'read' })
  expect([...first.run.files.keys()].filter((name) => name.startsWith('difference/'))).toEqual([])
  const { sha, run } = await next('second', drawn(changed))
  await expect.poll(() => shop.check(sha), patiently).toMatch(/^failure: .*it shows 20 % that differ/)

  const { width, height, data } = decode(run.files.get('difference/checkout.png') ?? new Uint8Array())
  const pixel = (row: number) => Array.from(data.slice(row * width * 3, row * width * 3 + 3))
  expect([width, height]).toEqual([40, 30])
  expect([pixel(23), pixel(24)]).toEqual([
    [255, 255, 255],
    [220, 0, 0],
  ])
  expect(await shop.summary(sha)).toMatch(
    /\| 20 % that differ, drawn in \[`difference\/checkout\.png`\]\(\/acme\d+\/shop\/actions\/runs\/\d+#artifacts\) \|/,
  )
})

test('where nothing differs nothing is drawn', async () => {
  const { shop, next } = await aPast({ actions: 'read', pull_requests: 'read' })
  const { sha, run } = await next('second', { 'notes.md': 'Still white.\n' })
  await expect.poll(() => shop.check(sha), patiently).toMatch(/^success/)
  expect([...run.files.keys()].filter((name) => name.startsWith('difference/'))).toEqual([])
  expect(await shop.summary(sha)).toContain('| 0 % that differ | at most 10 %')
})

test('without the permission the log says which one is missing, and nothing else changes', async () => {
  const { shop, next } = await aPast({})
  const { sha, run } = await next('second', drawn(changed))
  expect(run.code).toBe(0)
  expect(run.log.split('\n').filter((line) => line.includes('was not drawn'))).toEqual([
    'What differs from earlier screenshots was not drawn: in a private repository the job needs `permissions: { contents: read, actions: read, pull-requests: read }` for that.',
  ])
  expect(run.results().warnings.filter((line) => line.includes('drawn'))).toEqual([])
  await expect.poll(() => shop.check(sha), patiently).toMatch(/^failure: .*it shows 20 % that differ/)
  expect(await shop.summary(sha)).toContain('| 20 % that differ | at most 10 %')
})

const byHand = comparing('{ name: test, command: npm test }')
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

test.each([
  ['from the picture that the App measured against', picture(white), true],
  ['from another one', picture(red), false],
])('what a run drew %s is pointed to, or not', async (_, from, isShown) => {
  const first = await aRun(app, 'pull_request', byHand)
  const { shop } = first
  await handedOver(first, byHand, [shotOf('checkout', picture(white))])
  await expect.poll(() => shop.check(first.sha), patiently).toMatch(/^success/)
  app.github.merge(shop.name, first.number, { by: 'ada' })
  const sha = await shop.push('second')
  const number = await shop.open('agent', { head: 'second' })
  const run = app.github.startRun(shop.name, { head: sha, branch: 'second', path: workflowFile, event: 'pull_request' })
  const difference = { path: 'difference/checkout.png', before: hashOf(from) }
  await handedOver({ ...first, sha, number, run }, byHand, [shotOf('checkout', changed, { difference })])
  await expect.poll(() => shop.check(sha), patiently).toMatch(/^failure: .*it shows 20 % that differ/)
  expect(
    (await shop.summary(sha)).includes(`drawn in [\`difference/checkout.png\`](/${shop.name}/actions/runs/${run}#`),
  ).toBe(isShown)
})

test.each(['difference/../x.png', 'logs/x.png', 'difference/a](http-evil).png'])(
  'results that name %s as such a picture are refused',
  async (path) => {
    const given = await aRun(app, 'pull_request', byHand)
    await handedOver(given, byHand, [shotOf('checkout', changed, { difference: { path, before: hashOf(changed) } })])
    expect(await given.shop.check(given.sha)).toMatch(/^in_progress/)
    expect(await given.shop.summary(given.sha)).toContain(
      'not in the form that this version reads, at `screenshots.0.difference.path`',
    )
  },
)
