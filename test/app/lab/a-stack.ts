// A stack of two pull requests of an agent, each with its commit.
import { aSecond } from './a-second.ts'
import type { Running } from './running.ts'
import { aShop } from './shop.ts'

/** `files`: what the lower one changes. */
export async function aStackOfTwo(
  app: Pick<Running, 'github' | 'idle'>,
  policy: string,
  files: Readonly<Record<string, string>>,
) {
  const { github } = app
  const shop = await aShop(app, policy)
  const { name } = shop
  const below = await shop.push('first', 'agent', files)
  const lower = await shop.open('agent', { head: 'first' })
  const sha = github.push(name, 'second', { from: 'first', files: { 'src/more.ts': 'more\n' }, author: 'agent' })
  const upper = github.openPull(name, { title: 'On top', head: 'second', base: 'first', by: 'agent' })
  await app.idle()
  const stack = github.stack(name, [lower, upper], 'agent')
  await app.idle()
  await aSecond()
  return { shop, below, lower, sha, upper, stack }
}
