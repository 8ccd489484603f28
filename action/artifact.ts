// One artifact hands everything over: `results.json`, a log for each check, and screenshots. The client is as large as
// everything else together, so it is a file of its own, which is read while GitHub is being asked for the policy.
import { copyFile, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { RESULTS_ARTIFACT, RESULTS_FILE, type ResultsFile } from '../src/core/decision/results/results-file.ts'

export type HandOver = {
  readonly results: ResultsFile
  /** By the path that the results name. */
  readonly logs: ReadonlyMap<string, string>
  readonly screenshots: readonly string[]
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

/** The second time it is there already. */
export const artifactClient = () => import('@actions/artifact')

export async function handOver({ results, logs, screenshots }: HandOver, temp: string): Promise<void> {
  const folder = await mkdtemp(join(temp, 'countersign-'))
  const files: string[] = []
  const store = async (path: string, text: string): Promise<void> => {
    files.push(join(folder, path))
    await writeFile(join(folder, path), text)
  }
  await mkdir(join(folder, 'logs'))
  await store(RESULTS_FILE, JSON.stringify(results))
  for (const [path, text] of logs) await store(path, text)
  if (screenshots.length > 0) await mkdir(join(folder, 'screenshots'))
  for (const [index, screenshot] of screenshots.entries()) {
    const name = basename(screenshot, extname(screenshot)).replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    const path = join(
      folder,
      'screenshots',
      `${String(index + 1).padStart(3, '0')}-${name.slice(0, 60)}${extname(screenshot)}`,
    )
    await copyFile(screenshot, path)
    files.push(path)
  }
  const { DefaultArtifactClient } = await artifactClient()
  const client = new DefaultArtifactClient()
  const upload = () => client.uploadArtifact(RESULTS_ARTIFACT, files, folder)
  try {
    await upload()
  } catch (error) {
    // A run has one artifact of a name, also when it is repeated. Whoever put one there before us, this one counts.
    if (!(error instanceof Error && error.message.includes('already exists'))) throw error
    await client.deleteArtifact(RESULTS_ARTIFACT)
    await upload()
  }
}
