// What the root of a repository and its workflows look like on a branch: as much as tells what the project is built with and
// what reports there already, within bounds.
import { z } from 'zod'
import type { Access } from '../access.ts'
import { fileAt } from './file-at.ts'
import { orMissing, orUnseen } from '../status.ts'

export type ProjectSeen = {
  /** Of all files and folders in the root. */
  readonly names: readonly string[]
  readonly texts: Readonly<Record<string, string>>
  /** By their name in `.github/workflows`. */
  readonly workflows: Readonly<Record<string, string>>
}

const WORKFLOWS_MAX = 20
const FILE_BYTES_MAX = 256 * 1024
const folder = '.github/workflows'
const listing = z.array(z.object({ name: z.string(), type: z.string(), size: z.number().default(0) }))
const rootTree = z.object({
  tree: z.array(z.object({ path: z.string(), type: z.string(), size: z.number().default(0) })),
})

/** `wanted`: files in the root of which the text tells more than the name. */
export async function projectAt(
  access: Pick<Access, 'octokit' | 'place'>,
  branch: string,
  wanted: readonly string[],
): Promise<ProjectSeen> {
  const { octokit, place } = access
  const inRoot = async (): Promise<z.output<typeof listing>> => {
    const { data } = await octokit.rest.git.getTree({ ...place, tree_sha: branch })
    return rootTree.parse(data).tree.map(({ path, type, size }) => ({
      name: path,
      type: type === 'blob' ? 'file' : type,
      size,
    }))
  }
  const inFolder = async (): Promise<z.output<typeof listing>> => {
    const answer = await orMissing(octokit.rest.repos.getContent({ ...place, path: folder, ref: branch }))
    return listing.safeParse(answer?.data).data ?? []
  }
  const text = async (path: string): Promise<string> =>
    (await orUnseen(fileAt(access, place, path, branch)))?.text ?? ''
  const isText = ({ type, size }: { readonly type: string; readonly size: number }): boolean =>
    type === 'file' && size <= FILE_BYTES_MAX
  const [root, workflows] = await Promise.all([inRoot(), inFolder()])
  const told = root.filter((one) => isText(one) && wanted.includes(one.name)).map(({ name }) => name)
  const running = workflows.filter((one) => isText(one) && /\.ya?ml$/.test(one.name)).map(({ name }) => name)
  const texts = async (names: readonly string[], below: string): Promise<Record<string, string>> =>
    Object.fromEntries(await Promise.all(names.map(async (name) => [name, await text(below + name)] as const)))
  return {
    names: root.map(({ name }) => name),
    texts: await texts(told, ''),
    workflows: await texts(running.slice(0, WORKFLOWS_MAX), `${folder}/`),
  }
}
