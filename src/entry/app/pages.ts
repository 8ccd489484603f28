// The screenshots of an attempt, looked at: fetched again from the run that took them, each in a thread within limits, beside
// what the base showed of the same page when something green was merged into it last.
import type { PictureQuestion, PictureSeen } from '../../adapters/picture/look-at.ts'
import { commitKey } from '../../core/decision/record/keys.ts'
import { emptyTask, replay } from '../../core/decision/record/evolve.ts'
import type { Screenshot } from '../../core/decision/results/results-file.ts'
import type { Attempt } from '../../core/decision/model.ts'
import type { Forge, Store } from '../../ports.ts'
import { expectationsOf, isOfPage } from '../../verifier/vision/expected.ts'
import type { PageSeen, Pages } from '../../verifier/vision/page.ts'

type Parts = {
  readonly of: (stream: string) => Promise<Forge>
  readonly store: Pick<Store, 'find' | 'read'>
  readonly look: (question: PictureQuestion, key: string) => Promise<PictureSeen | null>
}

const PAGES_MAX = 20
const MERGES_MAX = 20

export const pagesSeen =
  ({ of, store, look }: Parts) =>
  async (attempt: Attempt, stream: string): Promise<Pages> => {
    const { screenshots, head_sha, contract } = attempt
    const shots = screenshots?.shots ?? null
    if (shots === null) return { kind: 'gone', why: 'the run of the Action ended without handing anything over' }
    if (shots.length === 0) return { kind: 'seen', pages: [] }
    const pictures = shots.filter(isPng).slice(0, PAGES_MAX)
    const forge = await of(stream)
    const wanted = { head_sha, run: screenshots?.run ?? '', shots: pictures }
    const fetched = await forge.screenshots.fetch(wanted)
    if (fetched.kind === 'gone') return fetched
    const expectations = expectationsOf(contract)
    const compared = pictures
      .map(({ page }) => page)
      .filter((page) => expectations.some((one) => one.kind === 'max_difference' && isOfPage(one, page)))
    const before = await shownBefore({ forge, store }, attempt, stream, new Set(compared))
    const pages: PageSeen[] = []
    for (const shot of shots) {
      const png = fetched.files.get(shot.path)
      if (!isPng(shot)) pages.push({ shot, kind: 'passed over' })
      else if (!pictures.includes(shot)) pages.push({ shot, kind: 'broken', why: `only ${PAGES_MAX} are looked at` })
      else if (png === undefined) pages.push({ shot, kind: 'broken', why: 'it is not what its run named' })
      else {
        const of = expectations.filter((one) => isOfPage(one, shot.page))
        const question = { png, before: before.get(shot.page) ?? null, expectations: of }
        pages.push(told(shot, of, await look(question, stream.split('#')[0] ?? '')))
      }
    }
    return { kind: 'seen', pages }
  }

const isPng = ({ media_type }: Screenshot): boolean => media_type === 'image/png'

function told(shot: Screenshot, of: ReturnType<typeof expectationsOf>, seen: PictureSeen | null): PageSeen {
  if (seen === null) return { shot, kind: 'broken', why: 'it takes too long to be unpacked' }
  if (seen.kind === 'broken') return { shot, ...seen }
  const measured = of.flatMap((expectation, index) => {
    const measure = seen.measured[index]
    return measure === undefined ? [] : [{ expectation, measure }]
  })
  return { shot, ...seen, measured }
}

/** By page, from the newest that were merged as a success and are still kept. */
async function shownBefore(
  { forge, store }: { readonly forge: Forge; readonly store: Parts['store'] },
  { base_ref, head_sha }: Attempt,
  stream: string,
  pages: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>()
  if (pages.size === 0) return found
  const [repository = ''] = stream.split('#')
  const merged = await forge.screenshots.mergedInto(base_ref)
  for (const sha of merged.filter((one) => one !== head_sha).slice(0, MERGES_MAX)) {
    const green = await greenAt(store, repository, { head_sha: sha, base_ref })
    const shots = (green?.shots ?? []).filter((one) => isPng(one) && pages.has(one.page) && !found.has(one.page))
    if (green === null || shots.length === 0) continue
    const fetched = await forge.screenshots.fetch({ head_sha: sha, run: green.run, shots })
    if (fetched.kind === 'gone') continue
    for (const { page, path } of shots) {
      const bytes = fetched.files.get(path)
      if (bytes !== undefined) found.set(page, bytes)
    }
    if (found.size === pages.size) break
  }
  return found
}

async function greenAt(
  store: Parts['store'],
  repository: string,
  { head_sha, base_ref }: Pick<Attempt, 'head_sha' | 'base_ref'>,
): Promise<Attempt['screenshots']> {
  for (const stream of await store.find(commitKey(repository, head_sha))) {
    const events = await store.read(stream)
    const { attempts } = replay(emptyTask(events[0]?.task_id ?? ''), events)
    const green = attempts.find(
      (one) => one.head_sha === head_sha && one.base_ref === base_ref && one.decision?.status === 'success',
    )
    if (green?.screenshots?.shots) return green.screenshots
  }
  return null
}
