// A submodule is one path for GitHub, and stands for all that lies below it: patterns that are about what is there are about it, too.
import { describe, expect, test } from 'vitest'
import { workflowFiles } from '../../action/workflow.ts'
import { handOver, results, workflow } from '../lab/action-run.ts'
import { sharedApp } from '../lab/app-of-file.ts'
import { aShop } from '../lab/shop.ts'

const app = await sharedApp()
const { github } = app
const at = (commit: string) => ({ mode: '160000', text: commit.repeat(40) }) as const

/** The change moves the submodule to another commit. */
async function moved(policy: string, path = 'lib') {
  const shop = await aShop(app, policy, { [path]: at('a'), ...workflowFiles })
  const sha = github.push(shop.name, 'feature', { files: { [path]: at('b') }, author: 'agent' })
  const number = await shop.open()
  return { shop, sha, number }
}
const build = 'verification: { checks: [{ name: build, check_run: build, app: github-actions }] }\n'

describe('what lies in it', () => {
  test.each([
    ["protected_paths: ['lib/**']", /^action_required: Needs a person: `lib` is protected/],
    ["scope: { deny: ['lib/**/*.ts'] }", /^failure: Stopped: `lib` is denied/],
    ["protected_paths: ['library/**', 'src/lib/**', 'lib.ts']", /^success/],
  ])('is what %s is about', async (line, expected) => {
    const { shop, sha } = await moved(`${line}\n${build}`)
    await shop.build(sha, 'success')
    expect(await shop.check(sha)).toMatch(expected)
  })

  test.each([
    ['lib/src/**', false],
    ['docs/**', true],
  ])('is what a check of %s is about; it may be left out: %s', async (paths, mayBe) => {
    const text = `verification: { checks: [{ name: test, command: npm test, paths: ['${paths}'] }] }\n`
    const { shop, sha, number } = await moved(text)
    const run = github.startRun(shop.name, { head: sha, branch: 'feature', path: workflow, event: 'pull_request' })
    const given = { app, shop, sha, number, run }
    await handOver(given, { ...results(given, true, text), checks: [], left_out: ['test'] })
    expect(await shop.check(sha)).toMatch(mayBe ? /^success/ : /^in_progress/)
    expect((await shop.summary(sha)).includes('although its `paths` changed')).toBe(!mayBe)
  })
})
