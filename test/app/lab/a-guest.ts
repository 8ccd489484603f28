// Somebody who may not write here and opens a pull request all the same, beside an agent that works at the same task.
import type { Running } from './running.ts'
import { aShop, type Shop } from './shop.ts'

export const twice = `version: 1
verification:
  checks: [{ name: build, check_run: build, app: github-actions }]
  retry: { max_attempts: 2, applies_to: everyone }
`
type Wish = { readonly files?: Readonly<Record<string, string>>; readonly message?: string }
let guests = 0

/** Somebody who may only read opens a pull request from a fork. */
export async function aGuest({ github, name, idle }: Shop, body: string, { files, message }: Wish = {}) {
  guests += 1
  const login = `guest-${guests}`
  const home = github.fork(name, login)
  let pushes = 0
  const push = async (more: Readonly<Record<string, string>> = {}, words = 'Better'): Promise<string> => {
    pushes += 1
    const changed = { 'src/guest.ts': `export const guest = '${login} ${pushes}'\n`, ...more }
    const sha = github.push(home, 'feature', { files: changed, message: words, author: login })
    await idle()
    return sha
  }
  const sha = await push(files, message)
  const number = github.openPull(name, { title: 'A gift', head: `${login}:feature`, body, by: login })
  await idle()
  return { login, home, number, sha, push }
}

/** A repository with an issue whose attempts are counted. */
export async function aTask(app: Pick<Running, 'github' | 'idle'>, policy = twice) {
  const shop = await aShop(app, policy)
  const issue = app.github.openIssue(shop.name, { title: 'Prices are wrong', body: 'Fix them.', by: 'cleo' })
  return { shop, issue, closes: `Closes #${issue}` }
}

/** What is shown of it tells how many attempts at the task were counted before. */
export async function anAgentsFailure(shop: Shop, closes: string): Promise<string> {
  const sha = await shop.push('own')
  await shop.open('agent', { head: 'own', body: closes })
  await shop.build(sha, 'failure')
  return shop.check(sha)
}
export const first = /^failure: Changes needed/
export const last = /^failure: Stopped/
