// The repositories through which one installation lets us in. https://docs.github.com/en/rest/apps/installations
import { z } from 'zod'
import type { GitHubClient } from './access.ts'
import { PER_PAGE } from './pages.ts'

export type Listed = {
  readonly repositories: readonly { readonly id: number; readonly full_name: string }[]
  /** How many there are, as GitHub says. A list that changes while it is read may lack one. */
  readonly total: number
}

const PAGES_MAX = 1_000

const page = z.object({
  total_count: z.number(),
  repositories: z.array(z.object({ id: z.number(), full_name: z.string() })),
})

export async function repositoriesIn(octokit: Pick<GitHubClient, 'request'>): Promise<Listed> {
  const found = new Map<number, Listed['repositories'][number]>()
  let total = Infinity
  for (let number = 1; number <= PAGES_MAX && found.size < total; number += 1) {
    const { data } = await octokit.request('GET /installation/repositories', { per_page: PER_PAGE, page: number })
    const { total_count, repositories } = page.parse(data)
    total = total_count
    const before = found.size
    for (const one of repositories) found.set(one.id, one)
    if (found.size === before) break
  }
  return { repositories: [...found.values()], total }
}
