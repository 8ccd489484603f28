// The verifier's review on a pull request: advisory, written once for each verdict, with threads for what it objects to and
// answers in the threads of what is fixed. A line that GitHub does not find in its diff goes into the text instead.
// https://docs.github.com/en/rest/pulls/reviews#create-a-review-for-a-pull-request
import { z } from 'zod'
import { reviewRef, type Threads } from '../../../core/decision/shown/review-slot.ts'
import type { Shown } from '../../../core/decision/shown/owed.ts'
import { fingerprintMarker, type ShownReview } from '../../../core/words/verifier-review.ts'
import { botOf, type Access } from '../access.ts'
import { PER_PAGE } from '../pages.ts'
import { orMissing, statusOf } from '../status.ts'
import { courtesy } from './courtesy.ts'
import { fitting } from './fitting.ts'

type ReviewShown = Extract<Shown, { kind: 'verifier_review' }>

const reviews = z.array(
  z.object({ id: z.number(), body: z.string().nullish(), user: z.object({ login: z.string() }).nullish() }),
)
const comments = z.array(z.object({ id: z.number(), body: z.string() }))

export async function showReview(access: Access, shown: ReviewShown): Promise<{ ref: string }> {
  const { pull, review, threads } = shown
  const id = (await ownReview(access, pull, review.body)) ?? (await create(access, pull, review))
  await reply(access, pull, review, threads)
  return { ref: reviewRef(id, await opened(access, pull, id, review)) }
}

/** Written already, by somebody who died before it was recorded. */
async function ownReview(access: Access, pull_number: number, body: string): Promise<number | null> {
  const { octokit, place } = access
  const { data } = await octokit.rest.pulls.listReviews({ ...place, pull_number, per_page: PER_PAGE })
  const begin = body.slice(0, BEGIN)
  const own = reviews.parse(data).findLast((one) => one.user?.login === botOf(access) && one.body?.startsWith(begin))
  return own?.id ?? null
}

/** Enough to tell one verdict from the next: the attempt and what was said of it. */
const BEGIN = 400

async function create({ octokit, place }: Access, pull_number: number, review: ShownReview): Promise<number> {
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

/** Once: an answer that is there is not given again. A thread that somebody removed needs none. */
async function reply(access: Access, pull_number: number, { replies }: ShownReview, threads: Threads): Promise<void> {
  const { octokit, place } = access
  const due = replies.filter(({ fingerprint }) => threads[fingerprint] !== undefined)
  if (due.length === 0) return
  const there = await octokit.rest.pulls.listReviewComments({ ...place, pull_number, per_page: PER_PAGE })
  const given = z.array(z.object({ in_reply_to_id: z.number().optional(), body: z.string() })).parse(there.data)
  for (const { fingerprint, body } of due) {
    const comment_id = threads[fingerprint]
    if (comment_id === undefined || given.some((one) => one.in_reply_to_id === comment_id && one.body === body))
      continue
    const answer = { ...place, pull_number, comment_id, body: fitting(body, 'comment') }
    // What is refused here must not make us forget which threads the review itself opened.
    await courtesy(access, `an answer in a thread of pull request ${pull_number}`, null, () =>
      orMissing(octokit.rest.pulls.createReplyForReviewComment(answer)),
    )
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
