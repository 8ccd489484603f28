// One artifact hands everything over: `results.json`, the document of the attempt, a log for each check, and screenshots. All of it is
// kept in memory until then. The client wants files, so it gets them at the last moment, in a folder that is new, and what
// it took is believed only if nobody touched one of them meanwhile.
import { lstat, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Screenshot } from './screenshots.ts'
import { RESULTS_FILE, type ResultsFile } from '../src/core/decision/results/results-file.ts'

export const ATTEMPT_FILE = 'attempt.json'

export type HandOver = {
  /** What it is called. */
  readonly artifact: string
  readonly results: ResultsFile
  /** What the run knows of the attempt, for agents. */
  readonly document: string
  /** By the path that the results name. */
  readonly logs: ReadonlyMap<string, string>
  readonly screenshots: readonly Screenshot[]
}

/** Of all logs together; the artifact is refused beyond its limit, and results and screenshots need room too. */
const LOGS_BYTES_MAX = 40 * 1024 * 1024
const LOG_BYTES_MAX = 10 * 1024 * 1024

export const logBytesMax = (checks: number): number =>
  Math.min(LOG_BYTES_MAX, Math.floor(LOGS_BYTES_MAX / Math.max(1, checks)))

/** A file name of ours, since the check's own may be anything. */
export function logName(index: number, name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 40)
  return `logs/${String(index + 1).padStart(3, '0')}-${plain}.log`
}

/** As large as everything else together, so it is a file of its own, which is read while GitHub is asked for the policy. */
export const artifactClient = () => import('@actions/artifact')

/** Time of files passes in steps. Whoever changes a file after this leaves another time in it. */
const CLOCK_STEP_MS = 30

/** `touched`: somebody changed what was being handed over, so nothing was. */
export async function handOver(what: HandOver, temp: string): Promise<'handed over' | 'touched'> {
  const folder = await mkdtemp(join(temp, 'countersign-'))
  const files = new Map(Array.from(filesOf(what), ([path, bytes]) => [join(folder, path), bytes]))
  try {
    for (const [place, bytes] of files) {
      await mkdir(dirname(place), { recursive: true })
      await writeFile(place, bytes, { flag: 'wx', mode: 0o400 })
    }
    await delay(CLOCK_STEP_MS)
    const before = await looksOf(files)
    if (before === null) return 'touched'
    const remove = await upload(what.artifact, [...files.keys()], folder)
    if ((await looksOf(files)) === before) return 'handed over'
    await remove()
    return 'touched'
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function filesOf({ results, document, logs, screenshots }: HandOver): Map<string, Buffer> {
  const images = screenshots.flatMap(({ name, bytes, difference: drawn }): [string, Buffer][] => [
    [name, bytes],
    ...(drawn === undefined ? [] : [[drawn.name, Buffer.from(drawn.bytes)] satisfies [string, Buffer]]),
  ])
  const texts = Array.from(logs, ([path, text]): [string, Buffer] => [path, Buffer.from(text)])
  const data: readonly [string, Buffer][] = [
    [RESULTS_FILE, Buffer.from(JSON.stringify(results))],
    [ATTEMPT_FILE, Buffer.from(document)],
  ]
  return new Map([...data, ...texts, ...images])
}

/** Null where a file does not hold what was written. No ordinary user can set the time of a change back. */
async function looksOf(files: ReadonlyMap<string, Buffer>): Promise<string | null> {
  const looks: string[] = []
  for (const [place, bytes] of files) {
    const { ino, size, ctimeNs, mode } = await lstat(place, { bigint: true })
    if (!bytes.equals(await readFile(place))) return null
    looks.push(`${ino} ${size} ${ctimeNs} ${mode}`)
  }
  return looks.join('\n')
}

/** Gives how to take it back. */
async function upload(name: string, files: string[], folder: string): Promise<() => Promise<unknown>> {
  const { DefaultArtifactClient } = await artifactClient()
  const client = new DefaultArtifactClient()
  const remove = () => client.deleteArtifact(name)
  try {
    await client.uploadArtifact(name, files, folder)
  } catch (error) {
    // A run has one artifact of a name, also when it is repeated. Whoever put one there before us, this one counts.
    if (!(error instanceof Error && error.message.includes('already exists'))) throw error
    await remove()
    await client.uploadArtifact(name, files, folder)
  }
  return remove
}
