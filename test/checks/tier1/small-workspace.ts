// A commit in memory: files by path, links, and the policy's settings with what a test changes in them.
import { builtInPolicy, type Verification } from '../../../src/core/contract/policy/policy.ts'
import type { ChangedFile } from '../../../src/core/decision/model.ts'
import { tier1, type Tier1Options } from '../../../src/checks/tier1/tier1.ts'
import { FILE_BYTES_MAX, type FileReading, type Workspace } from '../../../src/checks/tier1/workspace.ts'

export type Content = string | Uint8Array | { readonly link: string } | Exclude<FileReading, { kind: 'file' }>
export type Commit = Readonly<Record<string, Content>>

export const settings = (changed: Partial<Verification['tier1']> = {}): Verification['tier1'] => {
  return { ...builtInPolicy.verification.tier1, ...changed }
}

/** `opened` collects every path that was read. */
export function workspaceOf(
  commit: Commit,
  { parsePython, opened = [] }: { parsePython?: Workspace['parsePython']; opened?: string[] } = {},
): Workspace {
  const contents = new Map(Object.entries(commit))
  return {
    read: async (path) => {
      opened.push(path)
      const content = contents.get(path)
      return content === undefined ? { kind: 'missing' } : readingOf(content)
    },
    list: async () => [...contents.keys()],
    parsePython,
  }
}

function readingOf(content: Content): FileReading {
  if (typeof content === 'string') return readingOf(new TextEncoder().encode(content))
  if (!(content instanceof Uint8Array)) {
    return 'link' in content ? { kind: 'symlink', target: content.link } : content
  }
  const size = content.length
  return size > FILE_BYTES_MAX ? { kind: 'too_large', size } : { kind: 'file', bytes: content, size }
}

export const modified = (path: string): ChangedFile => ({ path, previous_path: null, status: 'modified' })
export const added = (path: string): ChangedFile => ({ path, previous_path: null, status: 'added' })
export const removed = (path: string): ChangedFile => ({ path, previous_path: null, status: 'removed' })
export const renamed = (from: string, path: string): ChangedFile => ({ path, previous_path: from, status: 'renamed' })

/** Tier 1 over a commit in which every file was added, with an empty diff unless a test gives one. */
export async function check(
  commit: Commit,
  changed: Partial<Verification['tier1']> = {},
  options: Tier1Options & { parsePython?: Workspace['parsePython'] } = {},
) {
  const files = Object.keys(commit).map(added)
  const patches = new Map(files.map(({ path }) => [path, '']))
  return tier1(files, workspaceOf(commit, options), settings(changed), { patches, ...options })
}

/** The failed checks as lines of `name: detail`. */
export function failures(report: Awaited<ReturnType<typeof tier1>>): string[] {
  return report.checks.filter(({ passed }) => !passed).map(({ name, detail }) => `${name}: ${detail}`)
}

/** A patch of one hunk that begins at line 1. */
export function patchOf(...lines: readonly string[]): string {
  const count = (sign: string) => lines.filter((line) => line[0] !== sign).length
  return [`@@ -1,${count('+')} +1,${count('-')} @@`, ...lines].join('\n')
}
