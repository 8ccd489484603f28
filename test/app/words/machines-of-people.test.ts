// An account that the policy calls an agent, or for which a person answers, is a machine, also where GitHub takes it for a person.
import { expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app
github.createUser('checker')

const checks = `verification:
  checks:
    - { name: build, check_run: build, app: github-actions }
`
async function aChange(policy: string, by: string) {
  const shop = await aShop(app, `version: 1\n${policy}${checks}`)
  github.setPermission(shop.name, 'checker', 'write')
  const sha = await shop.push('feature', by)
  const pull = await shop.open(by)
  await shop.build(sha, 'success')
  return { shop, sha, pull }
}
const owned = 'identities: { agents: [agent], owners: { checker: bob } }\n'
const called = 'identities: { agents: [agent, checker] }\n'

test('what it built its owner does not approve', async () => {
  const { shop, sha, pull } = await aChange(`merge_requires: completed\n${owned}`, 'checker')
  await shop.review(pull, 'bob', 'APPROVE')
  expect(await shop.check(sha)).toMatch(/^action_required/)
})

test.each([
  ['what its owner built', owned, 'bob'],
  ['what another agent built', called, 'agent'],
])('it does not approve %s', async (_, identities, builder) => {
  const { shop, sha, pull } = await aChange(`merge_requires: completed\n${identities}`, builder)
  await shop.review(pull, 'checker', 'APPROVE')
  expect(await shop.check(sha)).toMatch(/^action_required/)
  await shop.review(pull, 'eve', 'APPROVE')
  expect(await shop.check(sha)).toMatch(/^success/)
})

test.each(['', 'roles: { verifier: [checker] }\n'])(
  'it does not confirm what its owner built, with %j',
  async (roles) => {
    const { shop, sha, pull } = await aChange(`merge_requires: verified\n${owned}${roles}`, 'bob')
    await shop.review(pull, 'eve', 'APPROVE')
    await shop.say(pull, 'checker', '/task verify I looked')
    expect(await shop.check(sha)).toMatch(/^action_required/)
  },
)

test('named as verifier it confirms what others built', async () => {
  const roles = 'roles: { verifier: [checker] }\n'
  const { shop, sha, pull } = await aChange(`merge_requires: verified\n${owned}${roles}`, 'agent')
  await shop.review(pull, 'eve', 'APPROVE')
  await shop.say(pull, 'checker', '/task verify I looked')
  expect(await shop.check(sha)).toMatch(/^success/)
})

test.each([owned, called])('it takes no responsibility, with %s', async (identities) => {
  const { shop, sha, pull } = await aChange(`override_policy: { min_permission: write }\n${identities}`, 'agent')
  await shop.build(sha, 'failure')
  await shop.say(pull, 'checker', '/override the build is known to be broken')
  expect(await shop.check(sha)).not.toMatch(/^success/)
  await shop.say(pull, 'eve', '/override the build is known to be broken')
  expect(await shop.check(sha)).toMatch(/^success/)
})
