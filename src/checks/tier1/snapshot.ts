// Tier 1 over what is known of a commit: a pure function of plain data, so that it can run where it holds nobody up. It
// names the files that it still wants to see, and is asked again with them.
import type { Verification } from '../../core/contract/policy/policy.ts'
import type { ChangedFile } from '../../core/decision/model.ts'
import type { Tier1Report } from './report.ts'
import { languageOf } from './syntax/syntax.ts'
import { tier1 } from './tier1.ts'
import { FILE_BYTES_MAX, type FileReading, type Workspace } from './workspace.ts'

export type Entry = { readonly kind: 'file' | 'symlink' | 'submodule'; readonly size: number }
export type Snapshot = {
  readonly changed: readonly ChangedFile[]
  readonly settings: Verification['tier1']
  readonly tree: ReadonlyMap<string, Entry>
  /** Whether the tree names every file of the commit. */
  readonly complete: boolean
  readonly fetched: ReadonlyMap<string, FileReading>
  /** Hunks by path, in which secrets are looked for. */
  readonly added: ReadonlyMap<string, string>
}
export type SnapshotAnswer =
  | { readonly kind: 'report'; readonly report: Tier1Report }
  | { readonly kind: 'wanted'; readonly paths: readonly string[] }

export async function tier1OfSnapshot({
  changed,
  settings,
  tree,
  complete,
  fetched,
  added,
}: Snapshot): Promise<SnapshotAnswer> {
  const wanted = new Set<string>()
  const read = (path: string): FileReading => {
    const entry = tree.get(path)
    if (entry === undefined)
      return complete ? { kind: 'missing' } : { kind: 'unavailable', why: 'GitHub cut the list of files' }
    if (entry.kind === 'submodule') return { kind: 'submodule' }
    // What is not parsed need not be fetched; its size is in the list.
    const parsed = entry.kind === 'symlink' || languageOf(path, settings.sql_dialect) !== null
    if (!parsed || entry.size > FILE_BYTES_MAX) return { kind: 'too_large', size: entry.size }
    const known = fetched.get(path)
    if (known === undefined) wanted.add(path)
    return known ?? { kind: 'missing' }
  }
  const workspace: Workspace = { list: async () => [...tree.keys()], read: async (path) => read(path) }
  const report = await tier1(changed, workspace, settings, { added })
  return wanted.size > 0 ? { kind: 'wanted', paths: [...wanted] } : { kind: 'report', report }
}
