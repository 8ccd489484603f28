// The artifact that the Action left: downloaded, unpacked and read within bounds. What is in it is hostile until it has
// been held against its run. https://docs.github.com/en/rest/actions/artifacts
import { createHash } from 'node:crypto'
import type { Entry, ZipFile } from 'yauzl'
import { z } from 'zod'
import {
  ARTIFACT_BYTES_MAX,
  ARTIFACT_ENTRIES_MAX,
  RESULTS_ARTIFACT,
  RESULTS_BYTES_MAX,
  RESULTS_FILE,
  resultsFile,
  type ResultsFile,
} from '../../../core/decision/results/results-file.ts'
import { jsonIn } from '../../../core/json.ts'
import type { Access } from '../access.ts'
import { allPages, PER_PAGE } from '../pages.ts'
import { statusOf } from '../status.ts'
import { bytesOf } from '../streamed.ts'
import type { Run } from './runs.ts'

type Absent = { readonly kind: 'absent' }
type Unreadable = { readonly kind: 'refused'; readonly why: string }
export type Unpacked = { readonly kind: 'results'; readonly results: ResultsFile } | Unreadable
/** `absent`: the run left none. `refused`: it left something that cannot be read as results. */
export type Fetched =
  | { readonly kind: 'results'; readonly results: ResultsFile; readonly created_at: string }
  | Unreadable
  | Absent

/** A run that is repeated leaves more with every attempt. */
const PAGES_MAX = 3
/** The text of an archive is unpacked only as far as its announced size allows. */
const RATIO_MAX = 200

const artifacts = z.array(
  z.object({
    id: z.number(),
    name: z.string(),
    expired: z.boolean().default(false),
    size_in_bytes: z.number(),
    created_at: z.string().nullish(),
    digest: z.string().nullish(),
    workflow_run: z.object({ id: z.number(), head_sha: z.string() }).partial().nullish(),
  }),
)
type Artifact = z.output<typeof artifacts>[number]

/** Those of one name, which others cannot crowd out. */
export const artifactsOf = (access: Access, run: Pick<Run, 'id'>, name: string): Promise<readonly Artifact[]> =>
  listedOf(access, run, { name })

/** `cut`: there may be more. */
export async function everyArtifact(
  access: Access,
  run: Pick<Run, 'id'>,
): Promise<{ readonly listed: readonly Artifact[]; readonly cut: boolean }> {
  const listed = await listedOf(access, run, {})
  return { listed, cut: listed.length >= PAGES_MAX * PER_PAGE }
}

const listedOf = (
  { octokit, place }: Access,
  run: Pick<Run, 'id'>,
  named: { readonly name?: string },
): Promise<readonly Artifact[]> =>
  allPages(PAGES_MAX, async (page) => {
    const asked = { ...place, ...named, run_id: run.id, per_page: PER_PAGE, page }
    return artifacts.parse((await octokit.rest.actions.listWorkflowRunArtifacts(asked)).data.artifacts)
  })

export const fetchResults = async (access: Access, run: Run): Promise<Fetched> =>
  unpackedOf(access, run, await artifactsOf(access, run, RESULTS_ARTIFACT), RESULTS_ARTIFACT)

/** What the artifact of this name holds. */
export async function unpackedOf(
  access: Access,
  run: Place,
  all: readonly Artifact[],
  artifact: string,
): Promise<Fetched> {
  const fetched = await archiveOf(access, run, all, artifact)
  if (fetched.kind !== 'archive') return fetched
  const found = await unpacked(fetched.archive)
  return found.kind === 'refused' ? found : { ...found, created_at: fetched.created_at }
}

type Place = Pick<Run, 'id' | 'head_sha'>
type Archive = { readonly kind: 'archive'; readonly archive: Buffer; readonly created_at: string }

export async function archiveOf(
  { octokit, place }: Access,
  run: Place,
  all: readonly Artifact[],
  artifact: string,
): Promise<Archive | Unreadable | Absent> {
  const named = all.filter(({ name }) => name === artifact)
  // A run that was repeated may keep what its earlier attempts left; the newest counts, whatever it says.
  const newest = named.toSorted((one, other) => other.id - one.id)[0]
  if (newest === undefined) return { kind: 'absent' }
  const { id = run.id, head_sha = run.head_sha } = newest.workflow_run ?? {}
  if (id !== run.id || head_sha !== run.head_sha) return { kind: 'refused', why: 'its artifact is of another run' }
  if (newest.expired) return { kind: 'refused', why: 'its artifact has expired: run it again' }
  if (newest.size_in_bytes > ARTIFACT_BYTES_MAX) return tooLarge
  try {
    const answer = await octokit.rest.actions.downloadArtifact({
      ...place,
      artifact_id: newest.id,
      archive_format: 'zip',
      request: { parseSuccessResponseBody: false },
    })
    const archive = await bytesOf(answer.data, ARTIFACT_BYTES_MAX)
    if (archive === null) return tooLarge
    if (!isWhole(newest, archive)) return { kind: 'refused', why: 'its artifact is not what was handed over' }
    return { kind: 'archive', archive, created_at: newest.created_at ?? '' }
  } catch (error) {
    if (statusOf(error) === 410) return { kind: 'refused', why: 'its artifact has expired: run it again' }
    throw error
  }
}

/** Older servers say nothing of the bytes. */
const isWhole = ({ digest }: Artifact, archive: Buffer): boolean =>
  !digest || digest === `sha256:${createHash('sha256').update(archive).digest('hex')}`

const tooLarge: Unreadable = { kind: 'refused', why: 'its artifact is too large' }

/** What unpacks is loaded by whoever is the first to need it. */
const opened = async (archive: Buffer): Promise<ZipFile> =>
  (await import('yauzl')).fromBufferPromise(archive, { lazyEntries: true, strictFileNames: true })

/** Only the results are unpacked; the rest is counted, since an archive that is out of bounds is not read at all. */
export async function unpacked(archive: Buffer): Promise<Unpacked> {
  let zip: ZipFile
  try {
    zip = await opened(archive)
  } catch (error) {
    return unreadable(error)
  }
  if (zip.entryCount > ARTIFACT_ENTRIES_MAX) return { kind: 'refused', why: 'its artifact holds too many files' }
  const found: Entry[] = []
  let size = 0
  try {
    for await (const entry of zip.eachEntry()) {
      size += entry.uncompressedSize
      if (entry.fileName === RESULTS_FILE) found.push(entry)
    }
    const [entry] = found
    if (size > ARTIFACT_BYTES_MAX || size > archive.length * RATIO_MAX + RESULTS_BYTES_MAX)
      return { kind: 'refused', why: 'its artifact unpacks to more than it may' }
    if (entry === undefined || found.length > 1)
      return { kind: 'refused', why: `its artifact does not hold one \`${RESULTS_FILE}\`` }
    if (entry.uncompressedSize > RESULTS_BYTES_MAX || entry.isEncrypted()) return tooLarge
    return parsed((await contentOf(zip, entry)).toString('utf8'))
  } catch (error) {
    return unreadable(error)
  }
}

/** yauzl ends a stream that gives more than its entry announced. */
async function contentOf(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

/** Some files of an archive that was within bounds when its results were read, as far as they are as large as that was said. */
export async function filesIn(
  archive: Buffer,
  sizes: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>()
  const zip = await opened(archive).catch(() => null)
  if (zip === null || zip.entryCount > ARTIFACT_ENTRIES_MAX) return found
  try {
    for await (const entry of zip.eachEntry()) {
      const isAsSaid = sizes.get(entry.fileName) === entry.uncompressedSize
      if (isAsSaid && !entry.isEncrypted()) found.set(entry.fileName, await contentOf(zip, entry))
    }
  } catch {
    // What was found until then is held against its hash.
  }
  return found
}

function parsed(text: string): Unpacked {
  const value = jsonIn(text)
  if (value === undefined) return { kind: 'refused', why: `its \`${RESULTS_FILE}\` is not JSON` }
  const reading = resultsFile.safeParse(value)
  if (reading.success) return { kind: 'results', results: reading.data }
  const place = reading.error.issues[0]?.path.join('.') ?? ''
  return { kind: 'refused', why: `its \`${RESULTS_FILE}\` is not in the form that this version reads, at \`${place}\`` }
}

const unreadable = (error: unknown): Unreadable => ({
  kind: 'refused',
  why: `its artifact cannot be unpacked (${error instanceof Error ? error.message.slice(0, 200) : 'no reason given'})`,
})
