// Tier 1 in the App, for attempts that no run of the Action is owed for: every check is adopted from existing CI, or
// there is none. It looks at the files of the commit through the API; what needs an interpreter is a warning.
import type { GitHubClient, Place } from '../../adapters/github/access.ts'
import { commitFiles, type CommitFile, type CommitFiles } from '../../adapters/github/commit-files.ts'
import type { Tier1Report } from '../../checks/tier1/report.ts'
import type { Snapshot, SnapshotAnswer } from '../../checks/tier1/snapshot.ts'
import type { FileReading } from '../../checks/tier1/workspace.ts'
import { beyondLimits } from '../../core/contract/problem.ts'
import { FINDINGS_MAX } from '../../core/decision/results/handed-over.ts'
import type { Input } from '../../core/decision/rules/inputs.ts'
import type { Attempt } from '../../core/decision/model.ts'
import type { Read } from '../../core/jobs.ts'
import type { FileList, Forge } from '../../ports.ts'
import { hourly } from './hourly.ts'

/** What one look at a commit may cost: calls to GitHub, and memory here. */
const FILES_FETCHED_MAX = 300
const BYTES_FETCHED_MAX = 16 * 1024 * 1024
/** And what all looks at the commits of one pull request may cost together, however often somebody pushes. */
const FILES_PER_HOUR_MAX = 600
const FETCHED_AT_ONCE_MAX = 16
/** Links that lead to links are followed one round at a time. */
const ROUNDS_MAX = 50

export type ReadSnapshot = Read<Snapshot, SnapshotAnswer>

export const withTier1 = (read: ReadSnapshot) => {
  const patches = rememberedPatches()
  const take = hourly(FILES_PER_HOUR_MAX, () => performance.now())
  return (forge: Forge, octokit: GitHubClient, place: Place, tenant: string): Forge => ({
    ...forge,
    // Their lines are asked for once, and looked through for secrets here.
    changedFiles: async (attempt) => patches.of(attempt, forge),
    results: async (attempt) => {
      const mayFetch = (): boolean => take(`${place.owner}/${place.repo}#${attempt.pull}`)
      const reading = (one: Snapshot): Promise<SnapshotAnswer | null> => read(one, tenant)
      const [adopted, own] = await Promise.all([
        forge.results(attempt),
        owed(attempt)
          ? judged(
              await commitFiles(octokit, place, attempt.head_sha),
              attempt,
              reading,
              mayFetch,
              await patches.known(attempt, forge),
            )
          : [],
      ])
      return [...own, ...adopted]
    },
  })
}

/** So many attempts are between the list of their files and their results at once. */
const REMEMBERED_MAX = 16

function rememberedPatches() {
  const known = new Map<string, FileList['patches']>()
  const keyOf = ({ id, head_sha }: Attempt): string => `${id} ${head_sha}`
  const of = async (attempt: Attempt, forge: Forge): Promise<FileList> => {
    const list = await forge.changedFiles(attempt)
    known.set(keyOf(attempt), list.patches)
    for (const key of [...known.keys()].slice(0, Math.max(0, known.size - REMEMBERED_MAX))) known.delete(key)
    return list
  }
  const mine = async (attempt: Attempt, forge: Forge): Promise<FileList['patches']> =>
    known.get(keyOf(attempt)) ?? (await of(attempt, forge)).patches
  return { of, known: mine }
}

const owed = ({ contract, tier1: record, files }: Attempt): boolean =>
  record === null && files !== null && contract.policy.verification.checks.every(({ command }) => command === undefined)

async function judged(
  { files, complete }: CommitFiles,
  { id: attempt_id, head_sha, files: changed, contract }: Attempt,
  read: Reading,
  mayFetch: () => boolean,
  added: ReadonlyMap<string, string>,
): Promise<Input[]> {
  const tree = new Map(Array.from(files, ([path, file]) => [path, { kind: file.kind, size: sizeOf(file) }]))
  const settings = contract.policy.verification.tier1
  const snapshot: Snapshot = { changed: changed ?? [], settings, tree, complete, fetched: new Map(), added }
  const report = (await reported(snapshot, { files, mayFetch }, read)) ?? unread
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

type Reading = (snapshot: Snapshot) => Promise<SnapshotAnswer | null>
/** The files of the commit, and whether another one may be fetched. */
type Source = { readonly files: ReadonlyMap<string, CommitFile>; readonly mayFetch: () => boolean }

/** What takes too long to parse is not opened. Null where it takes too long all the same. */
async function reported(snapshot: Snapshot, source: Source, read: Reading): Promise<Tier1Report | null> {
  const { files } = source
  const fetched = new Map<string, FileReading>()
  let isOpened = true
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const answer = await read({ ...snapshot, fetched })
    if (answer?.kind === 'report') return answer.report
    if (answer === null && !isOpened) return null
    if (answer === null) {
      isOpened = false
      for (const [path, { kind }] of fetched) if (kind === 'file') fetched.set(path, closed(files.get(path), tooSlow))
    } else await fetchInto(fetched, source, answer.paths, isOpened)
  }
  return null
}

const tooSlow = 'the changed files take too long to parse'
const tooMany = 'the change is too large for all of it to be fetched'
const tooOften = 'as much of this pull request was fetched as may be within an hour'

async function fetchInto(
  fetched: Map<string, FileReading>,
  { files, mayFetch }: Source,
  paths: readonly string[],
  isOpened: boolean,
): Promise<void> {
  let bytes = [...fetched.values()].reduce((sum, one) => sum + (one.kind === 'file' ? one.size : 0), 0)
  const fetching: [string, CommitFile][] = []
  for (const path of paths) {
    const file = files.get(path)
    bytes += sizeOf(file)
    const isRoom = fetched.size + fetching.length < FILES_FETCHED_MAX && bytes <= BYTES_FETCHED_MAX
    const isWanted = isRoom && file !== undefined && (isOpened || file.kind === 'symlink')
    if (isWanted && mayFetch()) fetching.push([path, file])
    else fetched.set(path, closed(file, isWanted ? tooOften : isOpened ? tooMany : tooSlow))
  }
  for (let start = 0; start < fetching.length; start += FETCHED_AT_ONCE_MAX) {
    const batch = fetching.slice(start, start + FETCHED_AT_ONCE_MAX)
    const read = await Promise.all(batch.map(async ([path, file]) => [path, await opened(file)] as const))
    for (const [path, reading] of read) fetched.set(path, reading)
  }
}

const sizeOf = (file: CommitFile | undefined): number => (file?.kind === 'file' ? file.size : 0)

async function opened(file: CommitFile): Promise<FileReading> {
  switch (file.kind) {
    case 'file':
      return { kind: 'file', bytes: await file.bytes(), size: file.size }
    case 'symlink':
      return { kind: 'symlink', target: await file.target() }
    case 'submodule':
      return { kind: 'submodule' }
  }
}

/** A file that is not opened is named; where a link leads must be known. */
const closed = (file: CommitFile | undefined, why: string): FileReading =>
  file?.kind === 'file' ? { kind: 'too_large', size: file.size, why } : { kind: 'unavailable', why }

const tooMuch = beyondLimits('The change')
const unread: Tier1Report = {
  passed: false,
  checks: [{ name: 'tier1', passed: false, detail: tooMuch }],
  feedback: tooMuch,
  findings: [],
  warnings: [],
  annotations: [],
}
