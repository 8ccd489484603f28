// The first policy, as a pull request proposes it: what its word does not do.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { workflowFiles, workflowOf, type Workflow } from '../../action/workflow.ts'
import { appOfFile } from '../lab/app-of-file.ts'
import { file, proposedIn, proposing, waits } from '../lab/proposal.ts'
import { aShop, type Shop } from '../lab/shop.ts'

vi.setConfig({ testTimeout: 60_000 })

const app = await appOfFile()
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

  test('a check that fails is not made good by the word', async () => {
    const files = { ...workflowFiles, [file]: policyOf('test -f nowhere') }
    const sha = github.push(shop.name, 'failing', { files, author: 'agent' })
    const number = await shop.open('agent', { head: 'failing' })
    const ran = await workflow.run({ number, sha, branch: 'failing' })
    await shop.say(number, 'cleo', '/ack we want this')
    expect(ran.code).toBe(1)
    expect(await shop.check(sha)).toBe('failure: Changes needed: required check `test` failed with exit code 1')
  })

  test.each(['off', 'shadow'])('what says `mode: %s` is judged as if it enforced, and never neutral', async (mode) => {
    const files = { ...workflowFiles, [file]: policyOf('test -f nowhere', `mode: ${mode}\n`) }
    const sha = github.push(shop.name, mode, { files, author: 'agent' })
    const number = await shop.open('agent', { head: mode })
    const ran = await workflow.run({ number, sha, branch: mode })
    await shop.idle()
    expect(ran.code).toBe(1)
    expect(await shop.check(sha)).toBe(waits)
    await shop.say(number, 'cleo', '/ack we want this')
    expect(await shop.check(sha)).toBe('failure: Changes needed: required check `test` failed with exit code 1')
    expect(await shop.summary(sha)).toContain(
      `mode: \`${mode}\` counts once it is on the base branch; until then this is judged as by \`enforce\``,
    )
  })
})

test('also the same policy, word for word, and what was acknowledged for the proposal is not taken over', async () => {
  const { shop, sha, number } = await proposed({ ...proposing, 'src/shop.ts': 'export {}\n' })
  await shop.say(number, 'cleo', '/ack we want this')
  github.push(shop.name, 'main', { files: proposing, author: 'cleo' })
  await shop.idle()
  expect(await shop.check(sha)).toMatch(/^action_required: Needs a person: `.github\/countersign.yml` is protected/)
  expect(await shop.summary(sha)).not.toContain('proposes')
})
