// The first pull request: it brings the policy and the workflow to a base that has neither, and is judged by what it proposes
// once an admin has said so for this very commit. The real App and the real bundled Action, with a GitHub between them.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { workflowFiles, workflowOf, type Workflow } from '../../action/workflow.ts'
import { sharedApp } from '../lab/app-of-file.ts'
import { appAt, until } from '../lab/running.ts'
import { file, green, proposedIn, proposing, waits } from '../lab/proposal.ts'
import { aShop, type Shop } from '../lab/shop.ts'

vi.setConfig({ testTimeout: 60_000 })

const app = await sharedApp()
const { github } = app
const policyOf = (command: string, more = ''): string => `version: 1
${more}verification:
  checks:
    - { name: test, command: ${command} }
`
const proposed = proposedIn(app)

describe('with the Action', () => {
  let shop: Shop
  let workflow: Workflow
  beforeAll(async () => {
    shop = await aShop(app, null)
    workflow = await workflowOf(github, shop.name)
  }, 60_000)
  afterAll(() => workflow.close())

  test('it is green once an admin has acknowledged it and its checks have passed', async () => {
    const files = { ...workflowFiles, [file]: policyOf('test -f README.md') }
    const sha = github.push(shop.name, 'begin', { files, author: 'agent' })
    const number = await shop.open('agent', { head: 'begin' })
    expect(await shop.check(sha)).toBe(waits)
    expect(await shop.summary(sha)).toContain('- cleo: `/ack <reason>`')
    const ran = await workflow.run({ number, sha, branch: 'begin' })
    await shop.idle()
    expect(ran.code).toBe(0)
    expect(ran.summary).toContain('`main` has no policy yet, so this ran by the one that the pull request proposes')
    // Whatever the checks say, it takes the word.
    expect(await shop.check(sha)).toBe(waits)
    await shop.say(number, 'ada', '/ack we want this')
    expect(await shop.check(sha)).toBe(waits)
    expect((await shop.comments(number)).at(-1)).toContain('this takes admin permission')

    await shop.say(number, 'cleo', '/ack we want this')
    expect(await shop.check(sha)).toBe(green)
    expect(await shop.summary(sha)).toContain('`test` passed')
    expect(await shop.summary(sha)).toContain(
      'judged by the policy that this pull request proposes, since `main` has none yet',
    )
    expect(await shop.summary(sha)).toContain(
      'cleo acknowledged the policy that it proposes, the protected paths (admin): we want this',
    )

    // The word was for that commit.
    const files2 = { [file]: policyOf('"true"') }
    const second = github.push(shop.name, 'begin', { files: files2, author: 'agent' })
    await shop.idle()
    await workflow.run({ number, sha: second, branch: 'begin' })
    await shop.idle()
    expect(await shop.check(second)).toBe(waits)
  })
})

test('the policy that comes to the base meanwhile governs at once', async () => {
  const { shop, sha, number } = await proposed()
  await shop.say(number, 'cleo', '/ack we want this')
  expect(await shop.check(sha)).toMatch(/^success/)
  github.push(shop.name, 'main', {
    files: { [file]: 'verification: { checks: [{ name: other, check_run: other }] }\n' },
    author: 'cleo',
  })
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^action_required: Needs a person: `.github\/countersign.yml` is protected/)
})

test('also where nobody told us of it, nothing turns green by the proposal', async () => {
  const { shop, sha, number } = await proposed()
  const { webhookUrl } = appAt(Number(new URL(app.url).port))
  github.setWebhookUrl('http://127.0.0.1:1/nowhere')
  github.push(shop.name, 'main', { files: proposing, author: 'cleo' })
  await github.idle()
  github.setWebhookUrl(webhookUrl)
  github.clearLog()
  github.comment(shop.name, number, { body: '/ack we want this', by: 'cleo' })
  const asked = `/repos/${shop.name}/contents/${file}`
  await until(async () => github.requestLog().some(({ path }) => decodeURIComponent(path).startsWith(asked)))
  expect(await shop.check(sha)).not.toMatch(/^success/)
  // Once it is told, the base governs.
  github.push(shop.name, 'main', { files: { [file]: `# again\n${proposing[file]}` }, author: 'cleo' })
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^action_required: Needs a person: `.github\/countersign.yml` is protected/)
})

test('one that cannot be read is referred with the line, and marked there', async () => {
  const { shop, sha } = await proposed({ [file]: 'version: 1\nverification:\n  cheks: [test]\n' })
  expect(await shop.check(sha)).toMatch(
    /^action_required: Needs a person: the policy that this pull request proposes is invalid: \.github\/countersign\.yml:3/,
  )
  expect(await shop.summary(sha)).toContain('- The builder: correct the policy in this pull request')
})

test('what it proposes opens no way around the word', async () => {
  const lax = `mode: off
override_policy: { min_permission: write, direct_approval_allowed: true, reviews_are_direct_approval: true }
identities: { apps: [helper] }
separation: solo
${proposing[file] ?? ''}`
  const { shop, sha, number } = await proposed({ [file]: lax })
  for (const words of ['/approve fine', '/override fine', '/ack fine']) {
    await shop.say(number, 'bob', words)
    expect(await shop.check(sha)).toBe(waits)
  }
  await shop.review(number, 'cleo', 'APPROVE')
  await shop.say(number, 'cleo', '/approve fine')
  await shop.say(number, 'cleo', '/override fine')
  expect(await shop.check(sha)).toBe(waits)
  // An App that it lists does not speak for the admin.
  github.comment(shop.name, number, { body: '/ack fine', by: 'cleo', via: 'helper' })
  await shop.idle()
  expect(await shop.check(sha)).toBe(waits)
})

test('where the check is required and there is no policy, the page offers the files to begin with, ready to create', async () => {
  const shop = await aShop(app, null, {
    'package.json': '{ "scripts": { "test": "vitest" } }',
    'package-lock.json': '{}',
  })
  github.protect(shop.name, 'main', { checks: [{ context: 'countersign', appId: null }] })
  const sha = await shop.push()
  await shop.open()
  expect(await shop.check(sha)).toMatch(/^action_required: Needs a person: there is no policy yet/)
  const page = await shop.summary(sha)
  const links = [...page.matchAll(/\[create `([^`]+)`\]\(([^)\s]+)\)/g)].map(([, path, url]) => ({
    path,
    url: new URL(url ?? ''),
  }))
  expect(links.map(({ path }) => path)).toEqual([file, '.github/workflows/countersign.yml'])
  for (const { path, url } of links) {
    expect(`${url.origin}${url.pathname}`).toBe(`${github.url}/${shop.name}/new/main`)
    expect(url.searchParams.get('filename')).toBe(path)
  }
  const [policy = '', workflow = ''] = links.map(({ url }) => url.searchParams.get('value') ?? '')
  expect(policy).toContain('{ name: "test", command: "npm test" }')
  expect(workflow).toContain('- uses: countersign/countersign@v0')

  // What people create there is a first pull request.
  const first = github.push(shop.name, 'begin', {
    files: { [file]: policy, '.github/workflows/countersign.yml': workflow },
    author: 'agent',
  })
  await shop.open('agent', { head: 'begin' })
  expect(await shop.check(first)).toBe(waits)
})
