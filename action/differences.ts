// What differs from what the base showed of a page last, drawn for people beside the screenshots. Nobody believes it: the App
// measures by itself. So whatever goes wrong here is a line of the log, and no run waits for it long.
import { setTimeout as delay } from 'node:timers/promises'
import type { Access } from '../src/adapters/github/access.ts'
import { mergedInto, picturesOf } from '../src/adapters/github/results/pictures.ts'
import { fetchResults } from '../src/adapters/github/results/results-artifact.ts'
import { fileOf, runsOn } from '../src/adapters/github/results/runs.ts'
import { shownBefore, type GreenRun } from '../src/adapters/github/results/shown-before.ts'
import { statusOf } from '../src/adapters/github/status.ts'
import { differencePng } from '../src/adapters/picture/difference.ts'
import type { VisualExpectation } from '../src/core/contract/task/expectations.ts'
import { runPassed } from '../src/core/decision/gate/run-verdict.ts'
import { runWords } from '../src/core/words/run/run-words.ts'
import { comparing, expectationsOf } from '../src/verifier/vision/expected.ts'
import type { Case } from './carry-out.ts'
import { BYTES_MAX, hashOf, mediaTypeOf, type Screenshot } from './screenshots.ts'

/** Of which pull request, by which workflow, and what compares its pages. */
export type Compared = {
  readonly base_ref: string
  readonly head_sha: string
  readonly workflow: string
  readonly expectations: readonly VisualExpectation[]
}

/** As many as the App looks at. */
const PAGES_MAX = 20
const WAIT_MS_MAX = 30_000
/** A page takes a tenth of a second, and the largest that there may be takes two. */
const DRAWING_MS_MAX = 20_000

/** Null where nothing is to be compared: the results of a job that runs one check alone hold no page that counts. */
export function comparedBy({ runner, subject, governing, part }: Case): Compared | null {
  const { enabled, kind } = governing.policy.security.vision
  if (!enabled || kind === 'noop' || subject.pull === null || part.kind === 'check') return null
  const { base_ref, head_sha } = subject
  return { base_ref, head_sha, workflow: runner.run.workflow, expectations: expectationsOf(governing) }
}

/** `why`: why not all is drawn that could be. */
export async function withDifferences(
  access: () => Access,
  compared: Compared | null,
  images: readonly Screenshot[],
): Promise<{ readonly screenshots: readonly Screenshot[]; readonly why: string | null }> {
  if (compared === null) return { screenshots: images, why: null }
  const wanted = images
    .filter(({ page, bytes }) => isPicture(bytes) && comparing(compared.expectations, page).length > 0)
    .slice(0, PAGES_MAX)
  if (wanted.length === 0) return { screenshots: images, why: null }
  try {
    const before = await within(WAIT_MS_MAX, shownBy(access(), compared, new Set(wanted.map(({ page }) => page))))
    const end = performance.now() + DRAWING_MS_MAX
    const isLate = (): boolean => performance.now() > end
    const { screenshots, leftOut } = drawn(images, wanted, before, { ...compared, isLate })
    return { screenshots, why: leftOut === 0 ? null : runWords.differencesLeftOut(leftOut) }
  } catch (error) {
    const isUnseen = [403, 404].includes(statusOf(error) ?? 0)
    const why = isUnseen ? runWords.differencesUnseen : runWords.differencesUndrawn(wordsOf(error))
    return { screenshots: images, why }
  }
}

const isPicture = (bytes: Buffer): boolean => mediaTypeOf(bytes) === 'image/png'
const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  const late = async (): Promise<never> => {
    await delay(ms, null, { ref: false })
    throw new Error(`GitHub did not answer within ${ms / 1000} s`)
  }
  return Promise.race([answer, late()])
}

/** The rule of the App, as far as a run can tell: it knows what runs found, and of no person's word. */
const shownBy = (access: Access, compared: Compared, pages: ReadonlySet<string>) =>
  shownBefore(
    {
      kept: { fetch: (wanted) => picturesOf(access, wanted), mergedInto: (branch) => mergedInto(access, branch) },
      greenAt: (sha) => greenAt(access, sha, compared),
    },
    compared,
    pages,
  )

async function greenAt(
  access: Access,
  sha: string,
  { base_ref, workflow }: Pick<Compared, 'base_ref' | 'workflow'>,
): Promise<GreenRun | null> {
  const runs = await runsOn(access, sha, 'pull_request')
  for (const run of runs.filter((one) => one.status === 'completed' && fileOf(one) === workflow)) {
    const fetched = await fetchResults(access, run)
    if (fetched.kind !== 'results') continue
    const { results } = fetched
    const isGreen = results.head_sha === sha && results.base_ref === base_ref && runPassed(results)
    return isGreen ? { run: `${run.id}.${run.run_attempt}`, shots: results.screenshots } : null
  }
  return null
}

/** As many as fit into the artifact beside the screenshots, and as there is time for. */
export function drawn(
  images: readonly Screenshot[],
  wanted: readonly Screenshot[],
  before: ReadonlyMap<string, Uint8Array>,
  { expectations, isLate }: Pick<Compared, 'expectations'> & { readonly isLate: () => boolean },
): { readonly screenshots: readonly Screenshot[]; readonly leftOut: number } {
  const names = new Set<string>()
  let room = BYTES_MAX - images.reduce((sum, { bytes }) => sum + bytes.length, 0)
  let leftOut = 0
  const screenshots = images.map((image) => {
    const then = before.get(image.page)
    if (then === undefined || !wanted.includes(image)) return image
    const bytes = isLate() ? 'late' : differencePng(image.bytes, then, comparing(expectations, image.page))
    if (bytes === null) return image
    if (bytes === 'late' || bytes.length > room) {
      leftOut += 1
      return image
    }
    room -= bytes.length
    const name = freeName(image.page, names)
    names.add(name)
    return { ...image, difference: { name, before: hashOf(then), bytes } }
  })
  return { screenshots, leftOut }
}

/** What a page is called may be anything, and a name in an artifact may not. */
function freeName(page: string, taken: ReadonlySet<string>): string {
  const plain = page.replaceAll(/[^\w/-]+/g, '-')
  for (let nth = 1; ; nth += 1) {
    const name = `difference/${plain}${nth === 1 ? '' : `-${nth}`}.png`
    if (!taken.has(name)) return name
  }
}
