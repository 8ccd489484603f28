// Screenshots on a pull request: the Action hands them over, the App fetches and measures them, and holds them against what is
// expected. Without any it says so; a picture that cannot be looked at is a finding, and nothing of it reaches anybody's text.
import { expect, test } from 'vitest'
import { blue, picture, red, shotOf } from '../../vision/pictures.ts'
import { workflow } from '../lab/action-run.ts'
import { sharedApp } from '../lab/app-of-file.ts'
import { handedOver, isBlue, looks, patiently, shown, title } from '../lab/shown.ts'

const app = await sharedApp()

test('a red screenshot against a blue expectation blocks, and a blue one is green', async () => {
  const given = await shown(app, looks(`expectations: [${isBlue}]`), [shotOf('checkout', picture(red))])
  const { shop, number } = given
  const says = 'checkout: a blue page; it shows rgb(255, 0, 0), 360.6 away'
  await expect.poll(title(given), patiently).toMatch(/^failure/)
  expect(await shop.check(given.sha)).toBe(`failure: Changes needed: not as expected on a screenshot: ${says}`)
  const page = await shop.summary(given.sha)
  expect(page).toContain(`| Screenshots | blocks: ${says} |`)
  expect(page).toContain(
    '| `checkout` | a blue page | rgb(255, 0, 0), 360.6 away | rgb(0, 0, 255), at most 60 away | not as expected |',
  )
  expect(page).toContain(`/${shop.name}/actions/runs/${given.run}#artifacts`)
  const [sticky] = await shop.comments(number)
  expect(sticky).toContain('its screenshots are not as expected')

  const sha = await shop.push()
  const run = app.github.startRun(shop.name, { head: sha, branch: 'feature', path: workflow, event: 'pull_request' })
  await handedOver({ ...given, sha, run }, looks(`expectations: [${isBlue}]`), [shotOf('checkout', picture(blue))])
  await expect
    .poll(title({ shop, sha }), patiently)
    .toMatch(/^success: Passed: every required check passed and nothing objects/)
  expect(await shop.summary(sha)).toContain('| Screenshots | passes: 1 screenshot shows what is expected')
})

test('a person may take responsibility for what the screenshots show', async () => {
  const given = await shown(app, looks(`expectations: [${isBlue}]`), [shotOf('checkout', picture(red))])
  await expect.poll(title(given), patiently).toMatch(/^failure/)
  await given.shop.say(given.number, 'ada', '/override --verifier red is the new blue')
  await expect.poll(title(given), patiently).toMatch(/^success: Passed: ada takes responsibility: red is the new blue/)
})

test('a change without screenshots passes, and the page says so', async () => {
  const given = await shown(app, looks(`expectations: [${isBlue}]`), [])
  await expect.poll(title(given), patiently).toMatch(/^success/)
  expect(await given.shop.summary(given.sha)).toContain('| Screenshots | does not apply: it comes without screenshots')
})

test('where the policy wants some, a change without any is sent back', async () => {
  const given = await shown(app, looks('on_missing_screenshots: block'), [])
  await expect
    .poll(title(given), patiently)
    .toMatch(/^failure: Changes needed: not as expected on a screenshot: it comes without screenshots/)
})
