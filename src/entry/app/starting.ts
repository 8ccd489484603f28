// Where a repository has no policy, its page offers the files to begin with. That is a courtesy: whatever goes wrong with it
// leaves the page without them.
import { projectAt, type ProjectSeen } from '../../adapters/github/files/project.ts'
import { rememberedBy } from '../../adapters/github/remembered.ts'
import type { GitHubClient, Place } from '../../adapters/github/access.ts'
import type { Read } from '../../core/jobs.ts'
import type { Forge } from '../../ports.ts'
import { linksFor, type Starter } from '../beginning/starter.ts'
import { textsWanted } from '../beginning/toolchains.ts'

const PROJECT_MS = 10 * 60_000

export const withStarter =
  (read: Read<ProjectSeen, Starter>, pages: string, now: () => number) =>
  (forge: Forge, octokit: GitHubClient, place: Place, tenant: string): Forge => {
    const links = rememberedBy(now, PROJECT_MS, async (branch: string) => {
      const starter = await read(await projectAt({ octokit, place }, branch, textsWanted), tenant)
      return starter === null ? [] : linksFor(starter, pages, `${place.owner}/${place.repo}`, branch)
    })
    return { ...forge, starter: async (branch) => links(branch).catch(() => []) }
  }
