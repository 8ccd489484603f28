// CODEOWNERS of a branch, in the first of the places where GitHub looks, and who the teams and addresses in it are.
// https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners
import { z } from 'zod'
import { isTeam, OWNERS_BYTES_MAX, ownersFiles } from '../../../core/contract/code-owners.ts'
import type { OwnersFile } from '../../../core/people/stage-people.ts'
import type { Access } from '../access.ts'
import { fileAt, Unreadable } from './file-at.ts'
import { orUnseen } from '../status.ts'

export async function codeOwnersOf(access: Access, branch: string): Promise<OwnersFile | null> {
  const found = await Promise.all(ownersFiles.map((path) => ownersAt(access, path, branch)))
  return found.find((one) => one !== null) ?? null
}

async function ownersAt(access: Access, path: string, branch: string): Promise<OwnersFile | null> {
  try {
    const file = await fileAt(access, access.place, path, branch)
    if (file === null) return null
    const isTooLarge = Buffer.byteLength(file.text) > OWNERS_BYTES_MAX
    return isTooLarge ? { path, unreadable: 'is larger than GitHub reads it' } : { path, text: file.text }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return { path, unreadable: `cannot be read: ${error.message}` }
  }
}

const commits = z.array(z.object({ author: z.object({ login: z.string() }).nullable() }))

/** A team by its name, where we can see it. Whose an address is, GitHub tells by whom it takes for the author of its commits. */
export async function reviewerCalled({ octokit, place }: Access, name: string): Promise<string | null> {
  if (isTeam(name)) {
    const [org = '', team_slug = ''] = name.split('/')
    return (await orUnseen(octokit.rest.teams.getByName({ org, team_slug }))) === null ? null : name
  }
  const { data } = await octokit.rest.repos.listCommits({ ...place, author: name, per_page: 1 })
  return commits.parse(data)[0]?.author?.login ?? null
}
