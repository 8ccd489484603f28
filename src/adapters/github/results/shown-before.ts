// What a branch showed of pages last: the pictures of the newest that was merged into it as a success and is still kept, by
// whatever its reader takes for a success.
import type { Screenshot } from '../../../core/decision/results/results-file.ts'
import { isPng, type ScreenshotsKept } from '../../../verifier/vision/page.ts'

/** The run of a commit that was a success, `id.attempt`, with what it handed over. */
export type GreenRun = { readonly run: string; readonly shots: readonly Screenshot[] }
type Reader = { readonly kept: ScreenshotsKept; readonly greenAt: (head_sha: string) => Promise<GreenRun | null> }

const MERGES_MAX = 20

/** By page. */
export async function shownBefore(
  { kept, greenAt }: Reader,
  { base_ref, head_sha }: { readonly base_ref: string; readonly head_sha: string },
  pages: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>()
  if (pages.size === 0) return found
  const merged = await kept.mergedInto(base_ref)
  for (const sha of merged.filter((one) => one !== head_sha).slice(0, MERGES_MAX)) {
    const green = await greenAt(sha)
    const shots = (green?.shots ?? []).filter((one) => isPng(one) && pages.has(one.page) && !found.has(one.page))
    if (green === null || shots.length === 0) continue
    const fetched = await kept.fetch({ head_sha: sha, run: green.run, shots })
    if (fetched.kind === 'gone') continue
    for (const { page, path } of shots) {
      const bytes = fetched.files.get(path)
      if (bytes !== undefined) found.set(page, bytes)
    }
    if (found.size === pages.size) break
  }
  return found
}
