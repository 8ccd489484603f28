// What people said about a pull request, as GitHub keeps it: told again, in order of time, as its webhooks would have told
// it. Nothing here knows what was heard before.
// https://docs.github.com/en/rest/issues/comments https://docs.github.com/en/rest/pulls/reviews
// https://docs.github.com/en/rest/issues/events
import { randomUUID } from 'node:crypto'
import { orGone } from '../status.ts'
import { z } from 'zod'
import type { PlaceHeard, Repository, Saying } from '../../../core/news.ts'
import { actOfLabel } from '../../../core/people/act.ts'
import { mayCommand } from '../../../core/people/read-commands.ts'
import { account, makerOf } from './accounts.ts'
import type { Access } from '../access.ts'
import { commentKey, dismissalKey, labelKey, reviewKey } from './heard-keys.ts'
import { allPages, PER_PAGE } from '../pages.ts'
import type { Webhook } from '../webhooks/payloads.ts'
import { asTheyWere } from './edited-reviews.ts'

/** Whoever is told less than everything must not act as if it were everything. */
const PAGES_MAX = 50

const commentRow = z
  .object({ id: z.number(), created_at: z.string(), user: account.nullable(), body: z.string().nullish() })
  .loose()
const reviewRow = z
  .object({
    id: z.number(),
    submitted_at: z.string().nullish(),
    state: z.string(),
    user: account.nullable(),
    body: z.string().nullish(),
  })
  .loose()
const eventRow = z.object({
  id: z.number(),
  event: z.string(),
  created_at: z.string(),
  actor: account.nullish(),
  label: z.object({ name: z.string() }).nullish(),
  dismissed_review: z.object({ review_id: z.number(), state: z.string() }).nullish(),
})
type EventRow = z.output<typeof eventRow>

/** Since a time, or since ever where that is empty. */
export async function saidSince(
  access: Access,
  { is, number }: Pick<PlaceHeard, 'is' | 'number'>,
  since: string,
): Promise<readonly Saying[]> {
  const said =
    is === 'pull' ? await saidAtPull(access, number, since) : await commentsAt(access, 'issue', number, since)
  return said
    .filter(({ piece }) => piece.at >= since)
    .toSorted((one, other) => (one.piece.at < other.piece.at ? -1 : 1))
}

async function saidAtPull({ octokit, place }: Access, pull: number, since: string): Promise<readonly Saying[]> {
  const issue = { ...place, issue_number: pull }
  const [comments, reviews, events] = await Promise.all([
    commentsAt({ octokit, place }, 'pull', pull, since),
    whole(
      async (page) => (await octokit.rest.pulls.listReviews({ ...place, pull_number: pull, ...page })).data,
      reviewRow,
    ),
    whole(async (page) => (await octokit.rest.issues.listEvents({ ...issue, ...page })).data, eventRow),
  ])
  const commanding = reviews.filter(({ body, submitted_at: at }) => mayCommand(body ?? '') && (at ?? '') >= since)
  const unedited = commanding.length === 0 ? new Set() : await asTheyWere({ octokit, place }, pull)
  return [
    ...comments,
    ...reviews.flatMap((review) => reviewed(pull, { ...review, edited: !unedited.has(review.id) }, events)),
    ...events.flatMap((event) => [...labelled(pull, event), ...dismissed(pull, event, reviews)]),
  ]
}

async function commentsAt(
  { octokit, place }: Pick<Access, 'octokit' | 'place'>,
  is: PlaceHeard['is'],
  number: number,
  since: string,
): Promise<readonly Saying[]> {
  const asked = { ...place, issue_number: number, ...(since === '' ? {} : { since }) }
  const listed = whole(async (page) => (await octokit.rest.issues.listComments({ ...asked, ...page })).data, commentRow)
  // The issue of a task may be deleted, or have moved to another repository: nobody says anything there.
  const rows = is === 'pull' ? await listed : ((await orGone(listed)) ?? [])
  return rows.map((comment) => commented(is, number, comment))
}

/** As its webhook would have come, and marked as found, since nobody told it when it was said. */
export function webhookOf(
  { event, payload }: NonNullable<Saying['told']>,
  { key, full_name }: Repository,
  installation: number,
): Webhook {
  const [id] = /\d+/.exec(key) ?? ['0']
  const about = { repository: { id: Number(id), full_name }, installation: { id: installation } }
  return { event, guid: `found-${randomUUID()}`, payload: { ...payload, ...about, found: true } }
}

async function whole<Row extends z.ZodType>(
  ask: (page: { readonly page: number; readonly per_page: number }) => Promise<readonly unknown[]>,
  row: Row,
): Promise<z.output<Row>[]> {
  const rows = await allPages(PAGES_MAX, async (page) => ask({ page, per_page: PER_PAGE }))
  if (rows.length >= PAGES_MAX * PER_PAGE)
    throw new Error(`More was said there than is read: over ${rows.length} pieces`)
  return z.array(row).parse(rows)
}

function commented(is: PlaceHeard['is'], number: number, comment: z.output<typeof commentRow>): Saying {
  const { id, user: sender, created_at: at } = comment
  const issue = is === 'pull' ? { number, pull_request: {} } : { number }
  const payload = { action: 'created', sender, issue, comment }
  return {
    piece: { kind: is === 'pull' ? 'said' : 'issue_said', key: commentKey(id), at },
    told: sender === null ? null : { event: 'issue_comment', payload },
    ...(sender === null ? {} : { said: { by: makerOf(sender), key: commentKey(id), body: comment.body ?? '' } }),
  }
}

/** A review that was dismissed since no longer says what it was; whatever became of it does. */
function reviewed(number: number, review: z.output<typeof reviewRow>, events: readonly EventRow[]): readonly Saying[] {
  const { user: sender, submitted_at: at, id } = review
  if (at === null || at === undefined) return []
  const gone = events.find(({ dismissed_review: one }) => one?.review_id === id)?.dismissed_review?.state
  const state = (gone ?? review.state).toLowerCase()
  const payload = { action: 'submitted', sender, pull_request: pullAt(number, at), review: { ...review, state } }
  const told = sender === null ? null : { event: 'pull_request_review', payload }
  return [{ piece: { kind: 'reviewed', key: reviewKey(id), at }, told }]
}

function labelled(number: number, { event, actor: sender, label, created_at: at }: EventRow): readonly Saying[] {
  if (!label || actOfLabel(label.name) === undefined || !(event === 'labeled' || event === 'unlabeled')) return []
  const payload = { action: event, sender, pull_request: pullAt(number, at), label }
  const told = sender ? { event: 'pull_request', payload } : null
  const piece = { kind: 'labelled', label: label.name, added: event === 'labeled', at } as const
  return [{ piece, told, ...foundBy(sender, labelKey(event, label.name, at)) }]
}

function dismissed(
  number: number,
  { actor: sender, dismissed_review: one, created_at: at }: EventRow,
  reviews: readonly z.output<typeof reviewRow>[],
): readonly Saying[] {
  const review = reviews.find(({ id }) => id === one?.review_id)
  if (!one || review === undefined) return []
  const payload = { action: 'dismissed', sender, pull_request: pullAt(number, at), review }
  const told = sender && review.user ? { event: 'pull_request_review', payload } : null
  const review_key = reviewKey(one.review_id)
  return [{ piece: { kind: 'review_dismissed', review_key, at }, told, ...foundBy(sender, dismissalKey(review_key)) }]
}

/** No webhook told it, so that its key has nothing of one. */
const foundBy = (sender: EventRow['actor'], key: string): Pick<Saying, 'said'> =>
  sender ? { said: { by: makerOf(sender), key: `${key}found`, body: '' } } : {}

/** What is said is about the pull request; where that stands is read by whoever hears it. */
const pullAt = (number: number, updated_at: string) => ({ number, updated_at, head: { sha: '' }, base: { ref: '' } })
