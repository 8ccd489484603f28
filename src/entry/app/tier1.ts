// Tier 1 in the App, for attempts that no run of the Action is owed for: every check is adopted from existing CI, or
// there is none. It looks at the files of the commit through the API; what needs an interpreter is a warning.
import type { GitHubClient, Place } from '../../adapters/github/access.ts'
import { blobBytes, treeBytes } from '../../adapters/github/files/commit-files.ts'
import type { CommitFile } from '../../adapters/github/files/tree.ts'
import type { Tier1Report } from '../../checks/tier1/report.ts'
import type { FileReading } from '../../checks/tier1/workspace.ts'
import { beyondLimits } from '../../core/contract/problem.ts'
import { FINDINGS_MAX } from '../../core/decision/results/handed-over.ts'
import type { Input } from '../../core/decision/rules/inputs.ts'
import type { Attempt } from '../../core/decision/model.ts'
import type { Read } from '../../core/jobs.ts'
import type { FileList, Forge } from '../../ports.ts'
import { hourly } from './hourly.ts'
import type { TreeSnapshot, TreeSnapshotAnswer } from './jobs.ts'

/** What one look at a commit may cost: calls to GitHub, and memory here. */
const FILES_FETCHED_MAX = 300
const BYTES_FETCHED_MAX = 16 * 1024 * 1024
/** And what all looks at the commits of one pull request may cost together, however often somebody pushes. */
const FILES_PER_HOUR_MAX = 600
const FETCHED_AT_ONCE_MAX = 16
/** Links that lead to links are followed one round at a time. */
const ROUNDS_MAX = 50

export type ReadSnapshot = Read<TreeSnapshot, TreeSnapshotAnswer>

export const withTier1 = (read: ReadSnapshot) => {
  const patches = rememberedPatches()
  const take = hourly(FILES_PER_HOUR_MAX, () => performance.now())
  return (forge: Forge, octokit: GitHubClient, place: Place, tenant: string): Forge => ({
    ...forge,
    // Their lines are asked for once, and looked through for secrets here.
    changedFiles: async (attempt) => patches.of(attempt, forge),
    results: async (attempt, told) => {
      const mayFetch = (): boolean => take(`${place.owner}/${place.repo}#${attempt.pull}`)
      const source: Source = {
        read: (snapshot) => read(snapshot, tenant),
        bytes: ({ sha }) => blobBytes(octokit, place, sha),
        mayFetch,
      }
      const judgedHere = async (): Promise<readonly Input[]> => {
        if (!owed(attempt)) return []
        const tree = await treeBytes(octokit, place, attempt.head_sha)
        return judged(tree, attempt, source, await patches.known(attempt, forge))
      }
      const [adopted, own] = await Promise.all([forge.results(attempt, told), judgedHere()])
      return [...own, ...adopted]
    },
  })
}

/** So many attempts are between the list of their files and their results at once. */
const REMEMBERED_MAX = 16

type Head = Parameters<Forge['changedFiles']>[0]

function rememberedPatches() {
  const known = new Map<string, FileList['patches']>()
  const keyOf = ({ pull, head_sha, merges_into }: Head): string => `${pull} ${head_sha} ${merges_into}`
  const of = async (attempt: Head, forge: Forge): Promise<FileList> => {
    const list = await forge.changedFiles(attempt)
    known.set(keyOf(attempt), list.patches)
    for (const key of [...known.keys()].slice(0, Math.max(0, known.size - REMEMBERED_MAX))) known.delete(key)
    return list
  }
  const mine = async (attempt: Head, forge: Forge): Promise<FileList['patches']> =>
    known.get(keyOf(attempt)) ?? (await of(attempt, forge)).patches
  return { of, known: mine }
}

const owed = ({ contract, tier1: record, files }: Attempt): boolean =>
  record === null && files !== null && contract.policy.verification.checks.every(({ command }) => command === undefined)

async function judged(
  tree: Uint8Array,
  { id: attempt_id, head_sha, files: changed, contract }: Attempt,
  source: Source,
  added: ReadonlyMap<string, string>,
): Promise<Input[]> {
  const settings = contract.policy.verification.tier1
  const snapshot = { changed: changed ?? [], settings, tree, fetched: new Map(), added }
  const report = (await reported(snapshot, source)) ?? unread
  const { passed, checks, findings, feedback, warnings } = report
  return [
    {
      type: 'report_tier1',
      attempt_id,
      run: `app-${head_sha}`,
      passed,
      checks: checks.filter((check) => !check.passed),
      findings: findings.slice(0, FINDINGS_MAX),
      feedback,
      unseen: warnings,
    },
  ]
}

type Source = {
  readonly read: (snapshot: TreeSnapshot) => Promise<TreeSnapshotAnswer | null>
  readonly bytes: (file: CommitFile) => Promise<Uint8Array>
  /** Whether another file may be fetched. */
  readonly mayFetch: () => boolean
}
type Fetched = Map<string, { readonly file: CommitFile; readonly reading: FileReading }>

/** What takes too long to parse is not opened. Null where it takes too long all the same. */
async function reported(snapshot: TreeSnapshot, source: Source): Promise<Tier1Report | null> {
  const fetched: Fetched = new Map()
  let isOpened = true
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const readings = new Map(Array.from(fetched, ([path, { reading }]) => [path, reading]))
    const answer = await source.read({ ...snapshot, fetched: readings })
    if (answer?.kind === 'report') return answer.report
    if (answer === null && !isOpened) return null
    if (answer === null) {
      isOpened = false
      for (const [path, { file, reading }] of fetched)
        if (reading.kind === 'file') fetched.set(path, { file, reading: closed(file, tooSlow) })
    } else await fetchInto(fetched, source, answer.files, isOpened)
  }
  return null
}

const tooSlow = 'the changed files take too long to parse'
const tooMany = 'the change is too large for all of it to be fetched'
const tooOften = 'as much of this pull request was fetched as may be within an hour'

async function fetchInto(
  fetched: Fetched,
  source: Source,
  files: readonly CommitFile[],
  isOpened: boolean,
): Promise<void> {
  let bytes = [...fetched.values()].reduce((sum, { reading }) => sum + (reading.kind === 'file' ? reading.size : 0), 0)
  const fetching: CommitFile[] = []
  for (const file of files) {
    bytes += file.kind === 'file' ? file.size : 0
    const isRoom = fetched.size + fetching.length < FILES_FETCHED_MAX && bytes <= BYTES_FETCHED_MAX
    const isWanted = isRoom && (isOpened || file.kind === 'symlink')
    if (isWanted && source.mayFetch()) fetching.push(file)
    else fetched.set(file.path, { file, reading: closed(file, isWanted ? tooOften : isOpened ? tooMany : tooSlow) })
  }
  for (let start = 0; start < fetching.length; start += FETCHED_AT_ONCE_MAX) {
    const batch = fetching.slice(start, start + FETCHED_AT_ONCE_MAX)
    const read = await Promise.all(batch.map(async (file) => ({ file, reading: await opened(file, source) })))
    for (const one of read) fetched.set(one.file.path, one)
  }
}

async function opened(file: CommitFile, { bytes }: Source): Promise<FileReading> {
  switch (file.kind) {
    case 'file':
      return { kind: 'file', bytes: await bytes(file), size: file.size }
    case 'symlink':
      return { kind: 'symlink', target: Buffer.from(await bytes(file)).toString('utf8') }
    case 'submodule':
      return { kind: 'submodule' }
  }
}

/** A file that is not opened is named; where a link leads must be known. */
const closed = (file: CommitFile, why: string): FileReading =>
  file.kind === 'file' ? { kind: 'too_large', size: file.size, why } : { kind: 'unavailable', why }

const tooMuch = beyondLimits('The change')
const unread: Tier1Report = {
  passed: false,
  checks: [{ name: 'tier1', passed: false, detail: tooMuch }],
  feedback: tooMuch,
  findings: [],
  warnings: [],
  annotations: [],
}
