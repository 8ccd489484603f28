// What agents and people read is true, whichever way they look at it.
import { describe, expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'

const app = await sharedApp()

const policy = (more: string, retry = 'max_attempts: 1') => `version: 1
identities: { agents: [agent] }
${more}
verification:
  checks:
    - { name: build, check_run: build, app: github-actions }
  retry: { ${retry} }
`

test('after `/retry` the present attempt is no longer failed for good, and the next one is counted anew', async () => {
  const shop = await aShop(app, policy(''))
  const first = await shop.push()
  const number = await shop.open()
  await shop.build(first, 'failure')
  expect(await shop.check(first)).toMatch(/^failure: Stopped: /)
  const [before] = await shop.comments(number)
  expect(before).toContain('No attempt comes next: a person must grant new ones with `/retry`.')
  expect(before).not.toContain('comes next.')
  await shop.say(number, 'ada', '/retry the runner was out of disk')
  expect(await shop.check(first)).toMatch(/^failure: Changes needed: /)
  const [after] = await shop.comments(number)
  expect(after).toContain('- The builder: push a fix')
  expect(after).toContain('Attempt 1 of 1 comes next.')
  expect(await shop.labels(number)).toEqual(['countersign:retry'])
  const second = await shop.push()
  await shop.build(second, 'failure')
  expect(await shop.check(second)).toMatch(/^failure: Stopped: /)
})

test('what a program printed behind a control character is not eaten', async () => {
  const shop = await aShop(app, policy('', 'max_attempts: 3'))
  const sha = await shop.push()
  const number = await shop.open()
  const summary = 'resolving\n[ERROR] no route to @ada\r\t[INFO] \u001b[31mgave up\u001b[0m, see #1'
  app.github.reportCheck(shop.name, {
    name: 'build',
    sha,
    conclusion: 'failure',
    output: { title: 'build', summary, text: null, annotations: [] },
  })
  await shop.idle()
  const [sticky = ''] = await shop.comments(number)
  expect(sticky).toContain('resolving\n[ERROR] no route to @ada\n\t[INFO] gave up, see #1\n```')
})

test('the built-in checks in the App say what they could not look at', async () => {
  const shop = await aShop(app, policy('', 'max_attempts: 3'))
  const sha = await shop.push('feature', 'agent', { 'src/shop.py': 'x = 1\n' })
  await shop.open()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
  const row = (await shop.summary(sha)).split('\n').find((line) => line.startsWith('| Built-in checks |')) ?? ''
  expect(row).toContain('passed, as far as it could look')
  expect(row).toContain('Python')
  expect(row).toContain('Weakened tests')
})

describe('shadow mode', () => {
  test('looks like nothing that is enforced', async () => {
    const shop = await aShop(app, policy('mode: shadow'))
    const sha = await shop.push()
    const number = await shop.open()
    await shop.build(sha, 'failure')
    expect(await shop.check(sha)).toMatch(/^neutral: Shadow mode, this would be: Stopped: /)
    expect(await shop.labels(number)).toEqual([])
    expect(await shop.summary(sha)).toContain('### What would come next, were it enforced')
    expect((await shop.comments(number)).join('\n')).not.toMatch(/this task needs a person|\*\*What to do next/)
  })
})
