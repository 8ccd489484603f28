// A pull request that gets another base for a while, and the two ways in which other CI reports on its commit.
import { aSecond } from './a-second.ts'
import type { Running } from './running.ts'
import { adopted, aShop, byStatus, type Shop } from './shop.ts'

export const waits = /^in_progress: Waiting: required check `build`/

export function movedBasesIn(app: Running) {
  const { github } = app
  type Report = (shop: Shop, sha: string) => void
  const passes: readonly (readonly [string, string, Report])[] = [
    [
      'a check run',
      adopted,
      ({ name }, sha) =>
        void github.reportCheck(name, { name: 'build', sha, conclusion: 'success', app: 'github-actions' }),
    ],
    [
      'a status',
      byStatus,
      ({ name }, sha) => void github.reportStatus(name, { sha, context: 'ci', state: 'success', by: 'ada' }),
    ],
  ]
  return {
    passes,
    aChange: async (policy: string) => {
      const shop = await aShop(app, policy)
      github.push(shop.name, 'release', { files: { 'notes.md': 'soon\n' }, author: 'cleo' })
      const sha = await shop.push()
      const pull = await shop.open()
      const into = (base: string): void => github.editPull(shop.name, pull, { base, by: 'agent' })
      return { shop, sha, pull, into }
    },
    /** What the check says once it was reported again. */
    reportedAgain: async (shop: Shop, sha: string, report: Report): Promise<string> => {
      await aSecond()
      report(shop, sha)
      await app.idle()
      return shop.check(sha)
    },
  }
}
