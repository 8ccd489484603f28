// One artifact hands everything over: `results.json`, the document of the attempt, a log for each check, and screenshots.
// All of it goes from memory to GitHub, and no file of it is ever on the disk, where checks could reach it.
import type { Screenshot } from '../screenshots.ts'
import { putArtifact, type Destination } from './upload.ts'
import { zipOf } from './zip.ts'
import { RESULTS_FILE, type ResultsFile } from '../../src/core/decision/results/results-file.ts'

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

export const handOver = (what: HandOver, to: Destination): Promise<void> =>
  putArtifact(to, what.artifact, zipOf(filesOf(what)))

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
