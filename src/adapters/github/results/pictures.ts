// The pictures that a run of the Action handed over: fetched again from its artifact, each as it was named there or not at all.
import { createHash } from 'node:crypto'
import { RESULTS_ARTIFACT, type Screenshot } from '../../../core/decision/results/results-file.ts'
import type { Pictures, PicturesWanted } from '../../../verifier/vision/page.ts'
import type { Access } from '../access.ts'
import { PER_PAGE } from '../pages.ts'
import { archiveOf, artifactsOf, filesIn } from './results-artifact.ts'

/** `run`: `id.attempt`, as results are known by. */
export async function picturesOf(access: Access, { head_sha, run, shots }: PicturesWanted): Promise<Pictures> {
  const place = { id: Number(run.split('.')[0]), head_sha }
  const all = await artifactsOf(access, place, RESULTS_ARTIFACT)
  const fetched = await archiveOf(access, place, all, RESULTS_ARTIFACT)
  if (fetched.kind === 'absent') return { kind: 'gone', why: 'the run keeps no artifact any more: run it again' }
  if (fetched.kind === 'refused') return { kind: 'gone', why: `the run was refused: ${fetched.why}` }
  const files = await filesIn(fetched.archive, new Map(shots.map(({ path, bytes }) => [path, bytes])))
  const whole = shots.filter((shot) => isAsNamed(shot, files.get(shot.path)))
  return { kind: 'found', files: new Map(whole.flatMap(({ path }) => [[path, files.get(path) ?? new Uint8Array()]])) }
}

const isAsNamed = ({ sha256 }: Screenshot, bytes: Uint8Array | undefined): boolean =>
  bytes !== undefined && createHash('sha256').update(bytes).digest('hex') === sha256

/** Heads that were merged into a branch not long ago, the newest first. */
export async function mergedInto({ octokit, place }: Access, base: string): Promise<readonly string[]> {
  const asked = { ...place, base, state: 'closed', sort: 'updated', direction: 'desc', per_page: PER_PAGE } as const
  const { data } = await octokit.rest.pulls.list(asked)
  return data
    .flatMap(({ merged_at, head }) => (merged_at === null ? [] : [{ merged_at, sha: head.sha }]))
    .toSorted((one, other) => (one.merged_at < other.merged_at ? 1 : -1))
    .map(({ sha }) => sha)
}
