// Pull requests of the past, and a policy that would have decided otherwise about some of them.
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Running } from './running.ts'
import { aShop } from './shop.ts'

export const stricter = `version: 1
merge_requires: completed
identities: { agents: [agent] }
scope: { deny: [vendor/**] }
verification:
  checks:
    - { name: build, check_run: build, app: github-actions }
    - { name: lint, check_run: lint, app: github-actions }
`

/** One that was approved, one that was not, one out of the new scope, and one that failed and was overridden. */
export async function thePast(app: Running) {
  const shop = await aShop(app)
  const opened: number[] = []
  const attempt = async (branch: string, changed: Record<string, string>, build: 'success' | 'failure') => {
    const sha = await shop.push(branch, 'agent', changed)
    const number = await shop.open('agent', { head: branch })
    await shop.build(sha, build)
    opened.push(number)
    return number
  }
  await shop.review(await attempt('one', {}, 'success'), 'bob', 'APPROVE')
  await attempt('two', {}, 'success')
  await attempt('three', { 'vendor/pad.js': 'pad\n' }, 'success')
  await shop.say(await attempt('four', {}, 'failure'), 'ada', '/override the runner lost its network')
  const file = join(await mkdtemp(join(app.directory, 'policy-')), 'stricter.yml')
  await writeFile(file, stricter)
  return { shop, opened, file }
}
