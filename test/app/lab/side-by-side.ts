// Tasks that are worked on side by side in one shop, each by a pull request of its own that changes just these files.
import type { Running } from './running.ts'
import { aShop, type Shop } from './shop.ts'

export const sideBySide = (parallel: 'tell' | 'hold' | 'off', more = ''): string => `version: 1
scope: { parallel: ${parallel} }
verification:
  checks: [{ name: build, check_run: build, app: github-actions }]
${more}`

/** `writes`: what the task declares that it writes. */
type Work = {
  readonly title: string
  readonly files: readonly string[]
  readonly writes?: string
  readonly draft?: boolean
}

export async function aShopOf(app: Pick<Running, 'github' | 'idle'>, policy: string) {
  const shop = await aShop(app, policy)
  let contents = 0
  const change = async (branch: string, files: readonly string[]): Promise<string> => {
    contents += 1
    const changed = Object.fromEntries(files.map((path) => [path, `export const version = ${contents}\n`]))
    const sha = shop.github.push(shop.name, branch, { files: changed, author: 'agent' })
    await shop.idle()
    return sha
  }
  /** A task and its pull request, whose build has passed. */
  const worked = async ({ title, files, writes, draft = false }: Work) => {
    const block = writes === undefined ? '' : `\n\n\`\`\`countersign\nscope: { write: ["${writes}"] }\n\`\`\``
    const task = shop.github.openIssue(shop.name, { title, body: `${title}.${block}`, by: 'cleo' })
    const branch = `task-${task}`
    const sha = await change(branch, files)
    const pull = await shop.open('agent', { head: branch, body: `Closes #${task}`, draft })
    await shop.build(sha, 'success')
    return { task, pull, sha, branch }
  }
  return { ...shop, change, worked, page: (pull: number) => page(shop, pull) }
}

const page = async (shop: Shop, pull: number): Promise<string> => (await shop.comments(pull))[0] ?? ''
