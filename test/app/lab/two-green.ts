// Two pull requests of one shop that are a success.
import { expect } from 'vitest'
import type { Running } from './running.ts'
import type { Shop } from './shop.ts'

export async function twoGreen(
  { github, idle }: Pick<Running, 'github' | 'idle'>,
  shop: Shop,
): Promise<[number, number]> {
  const green = async (branch: string): Promise<number> => {
    const sha = github.push(shop.name, branch, { files: { [`src/${branch}.ts`]: 'export {}\n' }, author: 'agent' })
    await idle()
    const pull = await shop.open('agent', { head: branch })
    await shop.build(sha, 'success')
    expect(await shop.check(sha)).toMatch(/^success/)
    return pull
  }
  return [await green('one'), await green('two')]
}
