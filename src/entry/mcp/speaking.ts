// What somebody says through a tool: a comment or a review, with their own token, so that GitHub proves who speaks and the
// rules judge it like any other. Saying the same about the same thing twice is saying it once.
import type { Octokit } from '@octokit/rest'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { PullNamed } from '../attempts/pull-named.ts'
import { PER_PAGE } from '../../adapters/github/pages.ts'
import { byOurApp, type Judges } from '../attempts/our-app.ts'
import { issuesWith, type Issues, type Parts } from './issues.ts'
import { listed, placeOf, threadOf, understood } from './understood.ts'

export const saidSchema = z.object({
  outcome: z.enum(['taken', 'refused', 'not_heard_yet']),
  said_before: z.boolean().describe('The same call had been made before, and counts once.'),
  url: z.string().describe('What was written, on GitHub.'),
  words: z.string(),
})
export type Said = z.output<typeof saidSchema>

export type Speaking = {
  /** Whose token it is, as GitHub calls them; null where it is no person's. */
  readonly login: () => Promise<string | null>
  /** The commit that the pull request is at now, and its address. */
  readonly headOf: (pull: PullNamed) => Promise<{ readonly sha: string; readonly url: string }>
  readonly changedFiles: (pull: PullNamed) => Promise<readonly string[]>
  /**
   * `command` is one line; `once` says about what: the commit that its author has in front of them, or how far a goal is.
   * What was said about that before counts, unless it was refused; with `anew`, unless it was answered at all.
   */
  readonly say: (
    where: PullNamed,
    command: string,
    once: string,
    options?: { readonly anew?: boolean },
  ) => Promise<Said>
  readonly approve: (pull: PullNamed, words: string, head_sha: string) => Promise<Said>
  readonly issues: Issues
}

const ANSWER_MS_MAX = 12_000
const LOOK_MS = 1_000
/** What is listed since a moment is also what came in the same second, by whichever clock. */
const SAME_MOMENT_MS = 60_000
const ANSWER_LENGTH_MAX = 4_000

/** `judges`: whose answers are those of our App; so long is one waited for. */
export function speakingWith(octokit: Octokit, judges: Judges, answerMsMax = ANSWER_MS_MAX): Speaking {
  const parts: Parts = {
    octokit,
    judges: (at) => understood(judges(at), 'see who judges there'),
    answerMsMax,
  }
  const login = async (): Promise<string | null> => {
    try {
      return (await octokit.rest.users.getAuthenticated()).data.login
    } catch {
      return null
    }
  }
  return {
    login,
    headOf: async (pull) => {
      const asked = octokit.rest.pulls.get({ ...placeOf(pull), pull_number: pull.number })
      const { head, html_url } = (await understood(asked, 'see that pull request')).data
      return { sha: head.sha, url: html_url }
    },
    changedFiles: async (pull) => {
      const asked = { ...placeOf(pull), pull_number: pull.number, per_page: PER_PAGE }
      const files = await listed('files', (page) => octokit.rest.pulls.listFiles({ ...asked, page }))
      return files.map(({ filename }) => filename)
    },
    say: async (where, command, once, { anew = false } = {}) => {
      // What is not shown binds it to what it is about: said again of the next one, it is another word.
      const body = `${command}\n\n<!-- countersign:once ${once} -->`
      const me = (await login()) ?? ''
      const mine = (await commentsAt(octokit, where)).filter((one) => one.body === body && one.user?.login === me)
      const before = mine.at(-1) ?? null
      const known = before === null ? null : await answerNow(parts, where, before, me)
      const stands = known === null || (known.outcome === 'taken' && !anew)
      if (before !== null && stands) {
        return {
          ...(known ?? (await answerTo(parts, where, before, me))),
          said_before: true,
          url: before.html_url,
        }
      }
      const asked = octokit.rest.issues.createComment({ ...placeOf(where), issue_number: where.number, body })
      const said = (await understood(asked, 'comment there')).data
      const heard = await answerTo(parts, where, said, me)
      const twin =
        heard.outcome === 'refused' && !anew ? await takenTwin(parts, where, { id: said.id, body, me }) : null
      return twin ?? { ...heard, said_before: false, url: said.html_url }
    },
    approve: async (pull, words, head_sha) => {
      const place = { ...placeOf(pull), pull_number: pull.number }
      const me = await login()
      const reviews = await listed('reviews', (page) =>
        octokit.rest.pulls.listReviews({ ...place, per_page: PER_PAGE, page }),
      )
      const mine = reviews.findLast(({ user, state }) => user?.login === me && state !== 'COMMENTED')
      const stands = mine?.state === 'APPROVED' && mine.commit_id === head_sha
      const review = stands
        ? mine
        : (
            await understood(
              octokit.rest.pulls.createReview({ ...place, event: 'APPROVE', commit_id: head_sha, body: words }),
              'approve there',
            )
          ).data
      const judged = 'Whether the approval counts stands in the document: task_status says it.'
      return { outcome: 'taken', said_before: stands, url: review.html_url, words: judged }
    },
    issues: issuesWith(parts),
  }
}

type Comment = { readonly id: number; readonly html_url: string; readonly created_at: string; readonly body?: string; readonly user: { readonly login: string } | null } // prettier-ignore

const commentsAt = (octokit: Octokit, where: PullNamed, since?: string): Promise<readonly Comment[]> => {
  const asked = { ...placeOf(where), issue_number: where.number, per_page: PER_PAGE }
  const those = since === undefined ? asked : { ...asked, since }
  return listed<Comment>('comments', (page) => octokit.rest.issues.listComments({ ...those, page }))
}

type Heard = Pick<Said, 'outcome' | 'words'>

async function isTaken({ octokit, judges }: Parts, where: PullNamed, comment_id: number): Promise<boolean> {
  const asked = { ...placeOf(where), comment_id, content: '+1', per_page: PER_PAGE } as const
  const thumbs = await listed('reactions', (page) => octokit.rest.reactions.listForIssueComment({ ...asked, page }))
  const ours = await byOurApp(judges, threadOf(where), thumbs)
  return ours.some(({ content }) => content === '+1')
}

/** Every word that was taken gets a reaction; one that was refused a reply to its author that says why, a few times. */
async function answerNow(parts: Parts, where: PullNamed, to: Comment, login: string): Promise<Heard | null> {
  if (await isTaken(parts, where, to.id)) return { outcome: 'taken', words: 'It was taken.' }
  const since = new Date(Date.parse(to.created_at) - SAME_MOMENT_MS).toISOString()
  const later = (await commentsAt(parts.octokit, where, since)).filter(({ id }) => id > to.id)
  const replies = await byOurApp(parts.judges, threadOf(where), later)
  const reply = replies.find(({ body }) => body?.startsWith(`\`${login}\`: Refused`) === true)
  return reply === undefined ? null : { outcome: 'refused', words: (reply.body ?? '').slice(0, ANSWER_LENGTH_MAX) }
}

/** Waiting would not tell either. */
const nobodyKnown =
  'It was written, and nobody can tell yet whose answers are the App’s, since it has judged no pull request of this repository and put no label there: task_status or goal_status says what came of it.'

async function answerTo(parts: Parts, where: PullNamed, to: Comment, login: string): Promise<Heard> {
  if ((await parts.judges(threadOf(where))).length === 0) return { outcome: 'not_heard_yet', words: nobodyKnown }
  const until = performance.now() + parts.answerMsMax
  for (;;) {
    const heard = await answerNow(parts, where, to, login)
    if (heard !== null) return heard
    if (performance.now() > until) break
    await delay(LOOK_MS)
  }
  const words = 'It was written, and nobody has answered yet: task_status or goal_status says what came of it.'
  return { outcome: 'not_heard_yet', words }
}

/** A message that came twice at once was said twice; one of the two was taken, and that is the answer to both. */
async function takenTwin(
  parts: Parts,
  where: PullNamed,
  own: { readonly id: number; readonly body: string; readonly me: string },
): Promise<Said | null> {
  for (const { id, body, user, html_url: url } of await commentsAt(parts.octokit, where)) {
    if (id === own.id || body !== own.body || user?.login !== own.me) continue
    if (await isTaken(parts, where, id)) return { outcome: 'taken', words: 'It was taken.', said_before: true, url }
  }
  return null
}
