// Which paths a repository says are nobody's business, by the `.gitignore` files of a commit. The last line that matches
// decides, and a file within an ignored folder stays ignored.
// https://git-scm.com/docs/gitignore
import { matchesGlob } from '../../core/contract/glob.ts'
import type { Workspace } from '../tier1/workspace.ts'

type Rule = {
  readonly folder: string
  readonly pattern: string
  readonly isForFolders: boolean
  readonly ignores: boolean
}

const FILES_MAX = 200
const RULES_MAX = 2_000

/** A folder's path ends with a slash. */
export async function ignoredBy(workspace: Workspace): Promise<(path: string) => boolean> {
  const files = (await workspace.list()).filter((path) => /(?:^|\/)\.gitignore$/.test(path)).slice(0, FILES_MAX)
  // Outer files first, since inner ones have the last word.
  const inOrder = files.toSorted((one, other) => one.split('/').length - other.split('/').length)
  const rules = (await Promise.all(inOrder.map((path) => rulesOf(workspace, path)))).flat().slice(0, RULES_MAX)
  return (path) => {
    const last = rules.findLast((rule) => matches(rule, path))
    return last?.ignores === true
  }
}

async function rulesOf(workspace: Workspace, path: string): Promise<Rule[]> {
  const reading = await workspace.read(path)
  if (reading.kind !== 'file') return []
  const folder = path.slice(0, -'.gitignore'.length)
  return Buffer.from(reading.bytes)
    .toString('utf8')
    .split('\n')
    .flatMap((line) => ruleOf(line, folder))
}

function ruleOf(line: string, folder: string): Rule[] {
  const text = line.replace(/\r$/, '').replace(/(?<!\\) +$/, '')
  if (text === '' || text.startsWith('#')) return []
  const ignores = !text.startsWith('!')
  const wanted = ignores ? text : text.slice(1)
  const isForFolders = wanted.endsWith('/')
  const plain = wanted.replace(/\/$/, '').replaceAll(/[{},]/g, String.raw`\$&`)
  // A slash within, or before, ties the pattern to the folder of its file.
  const pattern = plain.includes('/') ? plain.replace(/^\//, '') : `**/${plain}`
  return [{ folder, pattern, isForFolders, ignores }]
}

function matches({ folder, pattern, isForFolders }: Rule, path: string): boolean {
  if (!path.startsWith(folder)) return false
  const isFolder = path.endsWith('/')
  if (isForFolders && !isFolder) return false
  return matchesGlob(pattern, path.slice(folder.length, isFolder ? -1 : undefined))
}
