// A pull request that brings the first policy: what it changes, what is said of it, and how it is opened.
import type { Running } from './running.ts'
import { aShop } from './shop.ts'

export const file = '.github/countersign.yml'
export const waits =
  'action_required: Needs a person: `main` has no policy yet, and this pull request proposes one: an admin must `/ack` it'
export const green = 'success: Passed: every required check passed and nothing objects'
export const proposing = {
  [file]: 'verification: { checks: [{ name: build, check_run: build, app: github-actions }] }\n',
}

export const proposedIn =
  (app: Running) =>
  async (changed: Record<string, string | null> = proposing, by = 'agent') => {
    const shop = await aShop(app, null)
    const sha = await shop.push('feature', by, changed)
    const number = await shop.open(by)
    await shop.build(sha, 'success')
    return { shop, sha, number }
  }
