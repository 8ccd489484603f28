// Screenshots along the whole way: a check takes them, in a real browser where there is one, the bundled Action hands them over,
// and the App looks at them. The recipe is the one of docs/screenshots.md.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { workflowFiles, workflowOf } from '../../action/workflow.ts'
import { blue, picture, red } from '../../vision/pictures.ts'
import { appOfFile } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'
import { patiently } from '../lab/shown.ts'

vi.setConfig({ testTimeout: 120_000 })
const app = await appOfFile()

const looking = (take: string, expectation: string): string => `version: 1
identities: { agents: [agent] }
verification: { checks: [{ name: pages, command: ${JSON.stringify(take)} }] }
security:
  vision: { enabled: true, kind: heuristic, expectations: [${expectation}] }
`
const isBlue =
  '{ kind: dominant_colour, page: checkout, description: the checkout stays blue, expected_rgb: [0, 0, 255] }'

async function played(policy: string, pages: readonly [wrong: Record<string, string>, right: Record<string, string>]) {
  const [wrong, right] = pages
  const shop = await aShop(app, policy, { ...workflowFiles, ...right })
  const workflow = await workflowOf(app.github, shop.name)
  afterAll(workflow.close)
  const first = app.github.push(shop.name, 'feature', { files: wrong, author: 'agent' })
  const number = await shop.open()
  await workflow.run({ number, sha: first, branch: 'feature' }, { screenshots: 'shots' })
  await expect
    .poll(() => shop.check(first), patiently)
    .toMatch(
      /^failure: Changes needed: not as expected on a screenshot: checkout: the checkout stays blue; it shows rgb/,
    )
  const second = app.github.push(shop.name, 'feature', { files: { ...right, 'notes.md': 'Blue.\n' }, author: 'agent' })
  await shop.idle()
  await workflow.run({ number, sha: second, branch: 'feature' }, { screenshots: 'shots' })
  await expect.poll(() => shop.check(second), patiently).toMatch(/^success: Passed/)
  expect(await shop.summary(second)).toContain('| Screenshots | passes: 1 screenshot shows what is expected |')
}

test('what a check draws is handed over, measured and sent back until it is right', async () => {
  const drawn = (colour: Parameters<typeof picture>[0]) => ({ 'page.txt': picture(colour).toString('base64') })
  const take = 'mkdir -p shots && base64 -d page.txt > shots/checkout.png'
  expect(await played(looking(take, isBlue), [drawn(red), drawn(blue)])).toBeUndefined()
})

const browser = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0,
)
/** Containers of tests run as root, whom Chromium lets in only like this. */
const asRoot = process.getuid?.() === 0 ? ' --no-sandbox' : ''

describe.skipIf(browser === undefined)('in a real browser (skipped without Chromium)', () => {
  test('the recipe of the documentation', async () => {
    const text = readFileSync(new URL('../../../docs/screenshots.md', import.meta.url), 'utf8')
    const [, recipe = ''] = /```sh\n([\s\S]*?)```/.exec(text) ?? []
    expect(recipe).toContain('--screenshot=shots/checkout.png')
    const take = recipe.trim().replaceAll(/^chromium/gm, `${browser}${asRoot}`)
    const page = (colour: string) => ({
      'public/checkout.html': `<!doctype html><body style="margin:0;background:${colour}"><h1 style="color:white">Pay</h1>`,
    })
    expect(await played(looking(take, isBlue), [page('red'), page('blue')])).toBeUndefined()
  })
})
