// A clone as git reads it for us: through a git folder of our own, which borrows the clone's objects and branches and
// none of its settings. The clone's configuration, hooks, attributes, index and work tree are not read by git at all, so
// there is nothing in them that could be run: not by a filter, not by a helper, and not by one that git adds tomorrow.
import { mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { readRegularFile } from '../read-file.ts'
import type { Environment } from '../runner/environment.ts'
import type { Git } from './git.ts'
import { answerOf, environmentBeside } from './program.ts'

export type Clone = {
  /** The folder that holds what is checked out. */
  readonly root: string
  readonly git: Git
  /** The environment in which programs may be started beside this clone, and where. */
  readonly env: Readonly<Record<string, string>>
  readonly own: string
  /** Whether parts of it were left out of the work tree on purpose. */
  readonly isSparse: boolean
  readonly close: () => Promise<void>
}
type Found = { readonly root: string; readonly gitFolder: string; readonly common: string }

const LEVELS_MAX = 200
/** Of one answer. A pipe that lies where a branch should be never gives one. */
const ANSWER_MS_MAX = 5 * 60_000
const POINTER_BYTES_MAX = 16 * 1024
const LIST_BYTES_MAX = 64 * 1024 * 1024
const objectName = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** The clone that holds the folder, or null. Whoever opens one closes it, before anything of the change is run. */
export async function openClone(folder: string, environment: Environment): Promise<Clone | null> {
  const found = await findClone(folder)
  if (found === null) return null
  const { root, gitFolder, common } = found
  const own = await mkdtemp(join(await realpath(tmpdir()), 'countersign-git-'))
  try {
    await borrow(found, own)
    const beside = await environmentBeside([root, gitFolder, common, dirname(common)], environment)
    const env = { ...beside, ...settings(own) }
    const git: Git = (args, { input, more = {} } = {}) =>
      answerOf('git', args, { cwd: own, env: { ...env, ...more }, input, timeoutMs: ANSWER_MS_MAX })
    const isSparse = await isThere(join(gitFolder, 'info', 'sparse-checkout'))
    return { root, git, env: beside, own, isSparse, close: () => rm(own, { recursive: true, force: true }) }
  } catch (error) {
    await rm(own, { recursive: true, force: true })
    throw error
  }
}

/** Upwards from the folder, as git does it. Both a work tree of its own and a submodule point to where their rest is. */
async function findClone(folder: string): Promise<Found | null> {
  let root = await realpath(resolve(folder)).catch(() => null)
  for (let level = 0; root !== null && level < LEVELS_MAX; level += 1) {
    const gitFolder = await gitFolderAt(join(root, '.git'))
    if (gitFolder !== null) {
      const shared = await pointer(join(gitFolder, 'commondir'))
      const common = shared === null ? gitFolder : resolve(gitFolder, shared)
      const isWhole = (await isThere(join(common, 'objects'))) && (await isThere(join(common, 'refs')))
      return isWhole ? { root, gitFolder, common } : null
    }
    root = dirname(root) === root ? null : dirname(root)
  }
  return null
}

async function gitFolderAt(place: string): Promise<string | null> {
  if (await isThere(join(place, 'HEAD'))) return place
  const [, target] = /^gitdir: (.+)$/.exec((await pointer(place)) ?? '') ?? []
  if (target === undefined) return null
  const folder = resolve(dirname(place), target)
  return (await isThere(join(folder, 'HEAD'))) ? folder : null
}

const isThere = (place: string): Promise<boolean> => stat(place).then(
  () => true,
  () => false,
) // prettier-ignore

async function pointer(place: string): Promise<string | null> {
  try {
    const { bytes } = await readRegularFile(place, POINTER_BYTES_MAX)
    return bytes.toString('utf8').trimEnd()
  } catch {
    return null
  }
}

/** Objects and branches are data. They are linked or copied; nothing else of the clone's git folder is. */
async function borrow({ gitFolder, common }: Found, own: string): Promise<void> {
  const objects = await realpath(join(common, 'objects'))
  const refs = await realpath(join(common, 'refs'))
  await mkdir(join(own, 'objects', 'info'), { recursive: true })
  await symlink(objects, join(own, 'theirs'), 'junction')
  await symlink(refs, join(own, 'refs'), 'junction')
  await writeFile(join(own, 'objects', 'info', 'alternates'), `${join(own, 'theirs')}\n`)
  await writeFile(join(own, 'HEAD'), `${headOf((await pointer(join(gitFolder, 'HEAD'))) ?? '')}\n`)
  await writeFile(join(own, 'config'), config)
  const packed = await readRegularFile(join(common, 'packed-refs'), LIST_BYTES_MAX).catch(() => null)
  if (packed !== null) await writeFile(join(own, 'packed-refs'), packed.bytes)
  const shallow = await readRegularFile(join(common, 'shallow'), LIST_BYTES_MAX).catch(() => null)
  const commits = (shallow?.bytes.toString('utf8') ?? '').split('\n').filter((line) => objectName.test(line))
  if (commits.length > 0) await writeFile(join(own, 'shallow'), `${commits.join('\n')}\n`)
}

/** A branch that cannot be is one that nothing was committed to. */
function headOf(text: string): string {
  return objectName.test(text) || /^ref: refs\/[^\s\p{Cc}]+$/u.test(text) ? text : 'ref: refs/heads/none'
}

// Indexes beside the objects could tell other things than the objects do. The objects that the clone borrows from others
// are asked for no branches of theirs, since that would be git in another folder, under another configuration.
const config = `[core]
\trepositoryformatversion = 0
\tbare = true
\tcommitGraph = false
\tmultiPackIndex = false
\talternateRefsCommand = true
\thooksPath = /dev/null
[gc]
\tauto = 0
[maintenance]
\tauto = false
`

/** No settings of the machine or its user either, no replaced objects, no questions, no lock, and answers in English. */
function settings(own: string): Readonly<Record<string, string>> {
  return {
    GIT_DIR: own,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: join(own, 'none'),
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'https:http',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    HOME: own,
    LC_ALL: 'C',
  }
}
