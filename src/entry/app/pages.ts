// The screenshots of an attempt, looked at: fetched again from the run that took them, each in a thread within limits, beside
// what the base showed of the same page when something green was merged into it last.
import { createHash } from 'node:crypto'
import { shownBefore, type GreenRun } from '../../adapters/github/results/shown-before.ts'
import type { PictureQuestion, PictureSeen } from '../../adapters/picture/look-at.ts'
import { commitKey } from '../../core/decision/record/keys.ts'
import { emptyTask, replay } from '../../core/decision/record/evolve.ts'
import type { Screenshot } from '../../core/decision/results/results-file.ts'
import type { Attempt } from '../../core/decision/model.ts'
import type { Forge, Store } from '../../ports.ts'
import { comparing, expectationsOf, isOfPage } from '../../verifier/vision/expected.ts'
import { isPng, type PageSeen, type Pages } from '../../verifier/vision/page.ts'
import { repositoryIn } from '../../core/names.ts'

type Parts = {
  readonly of: (stream: string) => Promise<Forge>
  readonly store: Pick<Store, 'find' | 'read'>
  readonly look: (question: PictureQuestion, key: string) => Promise<PictureSeen | null>
}

const PAGES_MAX = 20

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
    const compared = pictures.map(({ page }) => page).filter((page) => comparing(expectations, page).length > 0)
    const repository = repositoryIn(stream)
    const green = (sha: string) => greenAt(store, repository, { head_sha: sha, base_ref: attempt.base_ref })
    const before = await shownBefore({ kept: forge.screenshots, greenAt: green }, attempt, new Set(compared))
    const pages: PageSeen[] = []
    for (const shot of shots) {
      const png = fetched.files.get(shot.path)
      if (!isPng(shot)) pages.push({ shot, kind: 'passed over' })
      else if (!pictures.includes(shot)) pages.push({ shot, kind: 'broken', why: `only ${PAGES_MAX} are looked at` })
      else if (png === undefined) pages.push({ shot, kind: 'broken', why: 'it is not what its run named' })
      else {
        const of = expectations.filter((one) => isOfPage(one, shot.page))
        const question = { png, before: before.get(shot.page) ?? null, expectations: of }
        pages.push(told(shot, question, await look(question, repository)))
      }
    }
    return { kind: 'seen', pages }
  }

function told(shot: Screenshot, question: PictureQuestion, seen: PictureSeen | null): PageSeen {
  if (seen === null) return { shot, kind: 'broken', why: 'it takes too long to be unpacked' }
  if (seen.kind === 'broken') return { shot, ...seen }
  const measured = question.expectations.flatMap((expectation, index) => {
    const measure = seen.measured[index]
    return measure === undefined ? [] : [{ expectation, measure }]
  })
  return { shot, ...seen, measured, ...drawnFrom(shot, question.before) }
}

/** A run chooses by itself what it compares a page with: drawn from another picture, it would show another difference. */
function drawnFrom({ difference }: Screenshot, before: Uint8Array | null): { readonly difference?: string } {
  if (difference === undefined || before === null) return {}
  return createHash('sha256').update(before).digest('hex') === difference.before ? { difference: difference.path } : {}
}

/** Of the App, by its own record. */
async function greenAt(
  store: Parts['store'],
  repository: string,
  { head_sha, base_ref }: Pick<Attempt, 'head_sha' | 'base_ref'>,
): Promise<GreenRun | null> {
  for (const stream of await store.find(commitKey(repository, head_sha))) {
    const events = await store.read(stream)
    const { attempts } = replay(emptyTask(events[0]?.task_id ?? ''), events)
    const green = attempts.find(
      (one) => one.head_sha === head_sha && one.base_ref === base_ref && one.decision?.status === 'success',
    )
    const { run, shots } = green?.screenshots ?? { shots: null }
    if (shots !== null) return { run, shots }
  }
  return null
}
