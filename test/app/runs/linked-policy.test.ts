// A policy that is a link. REST answers with the file that it leads to, which may lie where nothing is protected; GraphQL answers with
// the link. By whichever it is read, it governs nothing.
import { afterEach, expect, test } from 'vitest'
import { sharedApp } from '../lab/app-of-file.ts'
import { adopted, aShop } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app
afterEach(() => github.clearFaults())

test.each([
  ['both', null],
  ['REST alone', { path: '/graphql', trouble: { kind: 'answer', status: 404 } }],
] as const)('a change of what it leads to is referred, where GitHub answers by %s', async (_by, fault) => {
  if (fault !== null) github.addFault(fault)
  const link = { mode: '120000', text: '../config/policy.yml' } as const
  const shop = await aShop(app, null, { '.github/countersign.yml': link, 'config/policy.yml': adopted })
  const sha = await shop.push('feature', 'agent', { 'config/policy.yml': 'mode: off\n' })
  await shop.open()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^action_required: Needs a person: the policy on the base branch is invalid/)
})

test('the same words in the place of the link govern', async () => {
  github.addFault({ path: '/graphql', trouble: { kind: 'answer', status: 404 } })
  const shop = await aShop(app, adopted)
  const sha = await shop.push()
  await shop.open()
  await shop.build(sha, 'success')
  expect(await shop.check(sha)).toMatch(/^success/)
})
