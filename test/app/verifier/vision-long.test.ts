// Screenshots that cannot be looked at, are of another run, or differ from what the base showed last.
import { expect, test } from 'vitest'
import { blue, picture, red, shotOf, white } from '../../vision/pictures.ts'
import { aRun, handOver, results, workflow } from '../lab/action-run.ts'
import { sharedApp } from '../lab/app-of-file.ts'
import { workflowFiles } from '../../action/workflow.ts'
import { aShop } from '../lab/shop.ts'
import { handedOver, isBlue, looks, patiently, shown, title, type Shots } from '../lab/shown.ts'

const app = await sharedApp()

test.each<[string, Shots, RegExp]>([
  ['is missing', [shotOf('cart', picture(blue))], /checkout: no screenshot shows it: a blue page/],
  [
    'is not what the run named',
    [shotOf('checkout', picture(blue), { sha256: '0'.repeat(64) })],
    /checkout: it is not what its run named/,
  ],
  ['is no picture', [shotOf('checkout', Buffer.from('not a picture at all'))], /checkout: it cannot be read as a PNG/],
  [
    'is too large',
    [shotOf('checkout', picture(blue, { width: 2001, height: 2 }))],
    /checkout: it is 2001 × 2 pixels; 2000 a side are the most/,
  ],
  [
    'is of a kind that nobody looks at',
    [shotOf('checkout', picture(blue), { media_type: 'image/jpeg' })],
    /checkout: only PNG is looked at, and this is image\/jpeg/,
  ],
])('a page that is expected and %s blocks', async (_, shots, why) => {
  const given = await shown(app, looks(`expectations: [${isBlue}]`), shots)
  await expect.poll(title(given), patiently).toMatch(/^failure: Changes needed: not as expected on a screenshot/)
  expect(await given.shop.check(given.sha)).toMatch(why)
})

test('a run that ends without handing anything over goes to a person', async () => {
  const text = looks(`expectations: [${isBlue}]`, '{ name: build, check_run: build, app: github-actions }')
  const given = await aRun(app, 'pull_request', text)
  await given.shop.build(given.sha, 'success')
  expect(await given.shop.check(given.sha)).toMatch(
    /^in_progress: Waiting: no run of the Action has handed its screenshots over yet/,
  )
  app.github.finishRun(given.shop.name, given.run, 'success')
  await expect
    .poll(title(given), patiently)
    .toMatch(
      /^action_required: Needs a person: the screenshots could not be judged: the run of the Action ended without handing anything over/,
    )
})

test('where every check is adopted a run of the Action is awaited all the same', async () => {
  const text = looks(`expectations: [${isBlue}]`, '{ name: build, check_run: build, app: github-actions }')
  const given = await aRun(app, 'pull_request', text)
  await given.shop.build(given.sha, 'success')
  const shot = shotOf('checkout', picture(red))
  const file = { ...results(given, true, text), checks: [], left_out: [], screenshots: [shot.named] }
  await handOver(given, file, { entries: [shot.entry] })
  await expect.poll(title(given), patiently).toMatch(/^failure: Changes needed: not as expected on a screenshot/)
})

test('without a workflow that runs the Action it is said what is missing', async () => {
  const text = looks(`expectations: [${isBlue}]`, '{ name: build, check_run: build, app: github-actions }')
  const shop = await aShop(app, text)
  const sha = await shop.push()
  await shop.open()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(
    /^in_progress: Waiting: the base branch has no workflow that runs the checks: add it/,
  )
})

test('a page may differ so much from what the base showed last, and no more', async () => {
  const same = '{ kind: max_difference, page: checkout, description: the page stays as it is, share: 0.1 }'
  const text = looks(`expectations: [${same}]`)
  const shop = await aShop(app, text, workflowFiles)
  const next = async (branch: string, page: Buffer) => {
    const sha = await shop.push(branch)
    const number = await shop.open('agent', { head: branch })
    const run = app.github.startRun(shop.name, { head: sha, branch, path: workflow, event: 'pull_request' })
    const given = { app, shop, sha, number, run }
    await handedOver(given, text, [shotOf('checkout', page)])
    return given
  }
  const first = await next('first', picture(white))
  await expect.poll(title(first), patiently).toMatch(/^success/)
  expect(await shop.summary(first.sha)).toContain(
    '| nothing to compare it with | at most 10 % of pixels that differ | not compared |',
  )
  app.github.merge(shop.name, first.number, { by: 'ada' })
  await shop.idle()
  const near = await next('near', picture(white, { stripe: { colour: red, rows: 3 } }))
  await expect.poll(title(near), patiently).toMatch(/^success/)
  expect(await shop.summary(near.sha)).toContain(
    '| 10 % that differ | at most 10 % of pixels that differ | as expected |',
  )
  const far = await next('far', picture(white, { stripe: { colour: red, rows: 4 } }))
  await expect
    .poll(title(far), patiently)
    .toMatch(/^failure: .*checkout: the page stays as it is; it shows 13\.33 % that differ/)
})

test('what a task expects of its pages counts beside what the policy does', async () => {
  const text = looks('')
  const shop = await aShop(app, text, workflowFiles)
  const body = `Make it blue.\n\n## Acceptance criteria\n\n- The page of the checkout is blue.\n\n\`\`\`countersign\nexpectations:\n  - ${isBlue}\n\`\`\`\n`
  const issue = app.github.openIssue(shop.name, { title: 'A blue page', body, by: 'cleo' })
  const sha = await shop.push()
  const number = await shop.open('agent', { body: `Closes #${issue}` })
  const run = app.github.startRun(shop.name, { head: sha, branch: 'feature', path: workflow, event: 'pull_request' })
  await handedOver({ app, shop, sha, number, run }, text, [shotOf('checkout', picture(red))])
  await expect.poll(title({ shop, sha }), patiently).toMatch(/^failure: .*checkout: a blue page/)
})

test('screenshots without an expectation are not called looked at', async () => {
  const given = await shown(app, looks(''), [shotOf('checkout', picture(red))])
  await expect.poll(title(given), patiently).toMatch(/^success/)
  expect(await given.shop.summary(given.sha)).toContain(
    '| Screenshots | does not apply: nothing is expected of its screenshots that could be measured',
  )
})

test('another run with other pictures is looked at anew', async () => {
  const text = looks(`expectations: [${isBlue}]`)
  const given = await shown(app, looks(`expectations: [${isBlue}]`), [shotOf('checkout', picture(red))])
  await expect.poll(title(given), patiently).toMatch(/^failure/)
  const run = app.github.startRun(given.shop.name, {
    head: given.sha,
    branch: 'feature',
    path: workflow,
    event: 'pull_request',
  })
  await handedOver({ ...given, run }, text, [shotOf('checkout', picture(blue))])
  await expect.poll(title(given), patiently).toMatch(/^success/)
})
