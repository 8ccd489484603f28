// The verifier's review on a pull request: advisory, written once for each verdict that has something to answer, with threads
// for what it objects to. What is said again or no more is not said twice: an earlier review is folded away, and a thread
// whose finding is gone says so in its place. Neither notifies anybody. A line that GitHub does not find in its diff goes
// into the text instead. https://docs.github.com/en/rest/pulls/reviews#create-a-review-for-a-pull-request
import { z } from 'zod'
import { reviewRef, type Threads } from '../../../core/decision/shown/review-ref.ts'
import type { Shown } from '../../../core/decision/shown/owed.ts'
import { fingerprintMarker, type ShownReview } from '../../../core/words/verifier-review.ts'
import { botOf, type Access } from '../access.ts'
import { allPages, PER_PAGE } from '../pages.ts'
import { orMissing, statusOf } from '../status.ts'
import { courtesy } from './courtesy.ts'
import { fitting } from './fitting.ts'
import { changeTogether } from './together.ts'

type ReviewShown = Extract<Shown, { kind: 'verifier_review' }>
type Written = ShownReview & { readonly body: string }

const reviews = z.array(
  z.object({
    id: z.number(),
    node_id: z.string(),
    body: z.string().nullish(),
    user: z.object({ login: z.string() }).nullish(),
  }),
)
type Review = z.output<typeof reviews>[number]
const comments = z.array(z.object({ id: z.number(), body: z.string() }))

export async function showReview(access: Access, shown: ReviewShown): Promise<{ ref: string }> {
  const { pull, review, threads, superseded } = shown
  const ours = await ownReviews(access, pull)
  const { body } = review
  const id = body === null ? null : await write(access, pull, { ...review, body }, ours)
  await close(access, pull, review, threads)
  const old = ours.find((one) => one.id === superseded)
  if (old !== undefined) await foldAway(access, pull, old)
  return { ref: reviewRef(id, id === null ? {} : await opened(access, pull, id, review)) }
}

const PAGES_MAX = 3

async function ownReviews(access: Access, pull_number: number): Promise<Review[]> {
  const { octokit, place } = access
  const all = await allPages(PAGES_MAX, async (page) => {
    const { data } = await octokit.rest.pulls.listReviews({ ...place, pull_number, per_page: PER_PAGE, page })
    return reviews.parse(data)
  })
  return all.filter(({ user }) => user?.login === botOf(access))
}

/** It may be there already, by somebody who died before it was recorded. */
async function write(access: Access, pull: number, review: Written, ours: readonly Review[]): Promise<number> {
  const begin = review.body.slice(0, BEGIN)
  return ours.findLast(({ body }) => body?.startsWith(begin))?.id ?? create(access, pull, review)
}

/** Enough to tell one verdict from the next: the attempt and what was said of it. */
const BEGIN = 400

async function create({ octokit, place }: Access, pull_number: number, review: Written): Promise<number> {
  const { event, commit_id, body } = review
  const lines = review.comments.map(({ path, line, side, body: text }) => ({
    path,
    line,
    side,
    body: fitting(text, 'comment'),
  }))
  const request = { ...place, pull_number, event, commit_id }
  try {
    const whole = { ...request, body: fitting(body, 'comment'), comments: lines }
    return (await octokit.rest.pulls.createReview(whole)).data.id
  } catch (error) {
    if (statusOf(error) !== 422 || lines.length === 0) throw error
    const said = lines.map(({ path, line, body: text }) => `**\`${path}:${line}\`**\n\n${text}`)
    const whole = fitting([body, ...said].join('\n\n'), 'comment')
    return (await octokit.rest.pulls.createReview({ ...request, body: whole })).data.id
  }
}

/** Above what was said, which stays to be read. A thread that somebody removed needs nothing. */
async function close(access: Access, pull: number, { closings }: ShownReview, threads: Threads): Promise<void> {
  const { octokit, place } = access
  for (const { fingerprint, words } of closings) {
    const comment_id = threads[fingerprint]
    if (comment_id === undefined) continue
    // What is refused here must not make us forget which threads the review itself opened.
    await courtesy(access, `the end of a thread of pull request ${pull}`, null, async () => {
      const there = await orMissing(octokit.rest.pulls.getReviewComment({ ...place, comment_id }))
      const said = there?.data.body ?? null
      if (said === null || said.startsWith(CLOSED)) return
      const body = fitting(`${CLOSED}**${words}**\n\n${said}`, 'comment')
      await octokit.rest.pulls.updateReviewComment({ ...place, comment_id, body })
    })
  }
}

const CLOSED = '<!-- countersign:closed -->'

/** https://docs.github.com/en/graphql/reference/mutations#minimizecomment */
async function foldAway(access: Access, pull: number, { node_id: value }: Review): Promise<void> {
  const field =
    'minimizeComment(input: { subjectId: $review, classifier: OUTDATED }) { minimizedComment { isMinimized } }'
  const part = { name: 'old', field, variables: { review: { type: 'ID!', value } } }
  try {
    await changeTogether(access.octokit, [part])
  } catch (error) {
    // It is in nobody's way.
    access.onRefused?.(`folding away an earlier review of pull request ${pull}`, error)
  }
}

/** Which comment says which finding, as their own marks tell. */
async function opened(
  { octokit, place }: Access,
  pull_number: number,
  review_id: number,
  { comments: said }: ShownReview,
): Promise<Threads> {
  if (said.length === 0) return {}
  const { data } = await octokit.rest.pulls.listCommentsForReview({
    ...place,
    pull_number,
    review_id,
    per_page: PER_PAGE,
  })
  const there = comments.parse(data)
  const found = said.flatMap(({ fingerprint }) => {
    const comment = there.find(({ body }) => body.includes(fingerprintMarker(fingerprint)))
    return comment === undefined ? [] : [[fingerprint, comment.id] as const]
  })
  return Object.fromEntries(found)
}
