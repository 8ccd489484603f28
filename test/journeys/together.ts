// What happens with an App, the Action and a GitHub on this machine: the App is registered and its first pull request judged, and
// an agent repairs a change from nothing but the document that it reads.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { workflowFiles, workflowOf } from '../action/workflow.ts'
import { appAt, freePort, runningApp, until } from '../app/lab/running.ts'
import { aShop } from '../app/lab/shop.ts'
import { newDirectory, spawnApp, type Spawned } from '../app/lab/spawned.ts'
import { countersign } from '../cli/cli.ts'
import { watchedGitHub } from '../openapi/watched.ts'
import { must, type Journey } from './journey.ts'

const policy = `version: 1
identities: { agents: [agent] }
verification:
  checks:
    - { name: test, command: node --test }
  verifier: { enabled: false }
`
const priceOf = (formula: string): string => `export const price = (count) => ${formula}\n`
const tests = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { price } from '../src/price.mjs'

test('two cost six', () => assert.equal(price(2), 6))
`
const document = z.object({ status: z.string() })

export const agentRepairs: Journey = {
  name: 'An agent reads and repairs',
  limit: 90,
  go: async (walk) => {
    const app = await walk('the App and a GitHub start', () => runningApp())
    const files = { ...workflowFiles, 'src/price.mjs': priceOf('count * 3'), 'test/price.test.mjs': tests }
    const shop = await aShop(app, policy, files)
    const workflow = await workflowOf(app.github, shop.name)
    try {
      const pushed = async (formula: string) => {
        const change = { 'src/price.mjs': priceOf(formula) }
        const sha = app.github.push(shop.name, 'cheaper', { files: change, author: 'agent' })
        await shop.idle()
        return sha
      }
      const env = { GITHUB_API_URL: app.github.url, GITHUB_TOKEN: app.github.tokenOf('agent') }
      const wait = (number: number, sha: string) =>
        countersign(['wait', `${shop.name}#${number}`, '--app', app.url, '--sha', sha, '--interval', '0.3'], { env })
      const wrong = await pushed('count * 3 + 1')
      const number = await shop.open('agent', { head: 'cheaper' })
      await walk('the Action runs, and a test fails', () => workflow.run({ number, sha: wrong, branch: 'cheaper' }))
      const red = await walk('countersign wait', () => wait(number, wrong))
      const { status } = document.parse(JSON.parse(red.out))
      const told = red.out
      must(
        red.code === 1 && status === 'retry',
        `a failed test ended with ${String(red.code)}: ${red.out.slice(0, 500)}`,
      )
      must(/price\.test\.mjs/.test(told), `the document does not say where it failed: ${told.slice(0, 1_000)}`)
      const right = await pushed('3 * count')
      await walk('the Action runs on the repair', () => workflow.run({ number, sha: right, branch: 'cheaper' }))
      const green = await walk('countersign wait, again', () => wait(number, right))
      must(green.code === 0, `the repair ended with ${String(green.code)}: ${green.out.slice(0, 500)}`)
    } finally {
      await workflow.close()
      await app.stop()
    }
  },
}

const tokenIn = ({ output }: Spawned): string => /\/\?token=([\w-]{43}) /.exec(output())?.[1] ?? ''
const unescaped = (html: string): string => html.replaceAll('&quot;', '"').replaceAll('&amp;', '&')

/** What it writes into a repository, by path. */
async function initIn(folder: string): Promise<Record<string, string>> {
  mkdirSync(join(folder, '.git'), { recursive: true })
  writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(folder, 'package.json'), '{ "scripts": { "test": "node --test" } }')
  const { code, out, err } = await countersign(['init', '--yes'], { cwd: folder })
  must(code === 0, `init ended with ${String(code)}:\n${out}${err}`)
  const paths = ['.github/countersign.yml', '.github/workflows/countersign.yml']
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

/** As a browser sends the form, and as GitHub sends it back. */
async function registered(app: Spawned): Promise<void> {
  const fields = { token: tokenIn(app), address: app.url, back: app.url, organization: '' }
  const form = await fetch(`${app.url}/`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  const state = /\/settings\/apps\/new\?state=([\w-]+)"/.exec(unescaped(await form.text()))?.[1] ?? ''
  const cookie = form.headers.get('set-cookie')?.split(';')[0] ?? ''
  const back = await fetch(`${app.url}/registered?code=one&state=${state}`, { headers: { cookie }, redirect: 'manual' })
  must(back.status === 200, `GitHub’s answer was refused: ${back.status}`)
}

export const firstPull: Journey = {
  name: 'The App, from nothing to its first green pull request',
  limit: 300,
  go: async (walk) => {
    const github = await watchedGitHub()
    const home = newDirectory()
    const env = { GITHUB_API_URL: github.url, PORT: String(await freePort()) }
    let app = await walk('npm start, without credentials', () => spawnApp(env, home))
    try {
      await walk('the page registers the App', () => registered(app))
      await app.end('SIGTERM')
      app = await walk('npm start, registered', () => spawnApp({ ...env, LOG_LEVEL: 'info' }, home))
      const idle = (): Promise<void> => github.idle()
      github.createOrg('acme', ['cleo'])
      github.createRepo('acme/shop', {
        files: { 'README.md': '# Shop\n', 'package.json': '{ "scripts": { "test": "node --test" } }' },
        by: 'cleo',
      })
      // What the manifest says, and this GitHub forgets: where webhooks go, and which.
      github.setWebhookUrl(`${app.url}/api/github/webhooks`, 'app-one')
      const { permissions, events } = appAt(0)
      github.install('acme', { app: 'app-one', permissions, events })
      await idle()
      const folder = join(home, 'shop')
      const written = await walk('countersign init', () => initIn(folder))
      github.push('acme/shop', 'begin', { files: written, author: 'cleo' })
      const number = github.openPull('acme/shop', { title: 'Countersign', head: 'begin', by: 'cleo' })
      const sha = github.tip('acme/shop', 'begin')
      const shows = async (words: RegExp) => {
        await until(async () => words.test(JSON.stringify(github.checksOn('acme/shop', sha))), 60_000)
      }
      await walk('the pull request with both files waits for an admin', () => shows(/an admin must/))
      github.comment('acme/shop', number, { body: '/ack we begin', by: 'cleo' })
      const workflow = await workflowOf(github, 'acme/shop')
      await walk('the Action runs', () => workflow.run({ number, sha, branch: 'begin' }))
      await walk('it is green', () => shows(/every required check passed/))
      await workflow.close()
      const token = { GITHUB_API_URL: github.url, GH_TOKEN: github.tokenOf('cleo') }
      const doctor = await walk('countersign doctor', () =>
        countersign(['doctor', 'acme/shop'], { env: token, cwd: home }),
      )
      must(/require/.test(doctor.out), `the doctor does not say that nothing requires the check:\n${doctor.out}`)
    } finally {
      await app.end('SIGTERM')
      await github.close()
    }
  },
}
