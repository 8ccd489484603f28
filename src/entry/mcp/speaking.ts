// What somebody says through a tool: a comment or a review, with their own token, so that GitHub proves who speaks and the
// rules judge it like any other. Saying the same about the same thing twice is saying it once.
import type { Octokit } from '@octokit/rest'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { PullNamed } from '../attempts/pull-named.ts'
import { issuesWith, type Issues } from './issues.ts'
import { PER_PAGE, placeOf, understood } from './understood.ts'

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

const COMMENTS_PAGES_MAX = 10
const FILES_PAGES_MAX = 30
const ANSWER_MS_MAX = 12_000
const LOOK_MS = 1_000
const ANSWER_LENGTH_MAX = 4_000

export function speakingWith(octokit: Octokit): Speaking {
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
      return paged(FILES_PAGES_MAX, async (page) => {
        const { data } = await understood(octokit.rest.pulls.listFiles({ ...asked, page }), 'see its files')
        return data.map(({ filename }) => filename)
      })
    },
    say: async (where, command, once, { anew = false } = {}) => {
      // What is not shown binds it to what it is about: said again of the next one, it is another word.
      const body = `${command}\n\n<!-- countersign:once ${once} -->`
      const me = (await login()) ?? ''
      const mine = (await commentsAt(octokit, where)).filter((one) => one.body === body && one.user?.login === me)
      const before = mine.at(-1) ?? null
      const known = before === null ? null : await answerNow(octokit, where, before.id, me)
      const stands = known === null || (known.outcome === 'taken' && !anew)
      if (before !== null && stands) {
        return {
          ...(known ?? (await answerTo(octokit, where, before.id, me))),
          said_before: true,
          url: before.html_url,
        }
      }
      const asked = octokit.rest.issues.createComment({ ...placeOf(where), issue_number: where.number, body })
      const { id, html_url: url } = (await understood(asked, 'comment there')).data
      const heard = await answerTo(octokit, where, id, me)
      const twin = heard.outcome === 'refused' && !anew ? await takenTwin(octokit, where, { id, body, me }) : null
      return twin ?? { ...heard, said_before: false, url }
    },
    approve: async (pull, words, head_sha) => {
      const place = { ...placeOf(pull), pull_number: pull.number }
      const me = await login()
      const { data } = await understood(octokit.rest.pulls.listReviews({ ...place, per_page: PER_PAGE }), 'see reviews')
      const mine = data.findLast(({ user, state }) => user?.login === me && state !== 'COMMENTED')
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
    issues: issuesWith(octokit, ANSWER_MS_MAX),
  }
}

type Comment = { readonly id: number; readonly html_url: string; readonly body?: string; readonly user: { readonly login: string } | null } // prettier-ignore

async function paged<T>(max: number, read: (page: number) => Promise<readonly T[]>): Promise<readonly T[]> {
  const all: T[] = []
  for (let page = 1; page <= max; page += 1) {
    const some = await read(page)
    all.push(...some)
    if (some.length < PER_PAGE) break
  }
  return all
}

const commentsAt = (octokit: Octokit, where: PullNamed): Promise<readonly Comment[]> =>
  paged<Comment>(COMMENTS_PAGES_MAX, async (page) => {
    const asked = { ...placeOf(where), issue_number: where.number, per_page: PER_PAGE, page }
    return (await understood(octokit.rest.issues.listComments(asked), 'see comments')).data
  })

type Heard = Pick<Said, 'outcome' | 'words'>

async function isTaken(octokit: Octokit, where: PullNamed, comment_id: number): Promise<boolean> {
  const { data } = await octokit.rest.reactions.listForIssueComment({ ...placeOf(where), comment_id })
  return data.some(({ user, content }) => isApp(user?.login) && content === '+1')
}

/** Every word that was taken gets a reaction; one that was refused a reply to its author that says why, a few times. */
async function answerNow(octokit: Octokit, where: PullNamed, comment_id: number, login: string): Promise<Heard | null> {
  if (await isTaken(octokit, where, comment_id)) return { outcome: 'taken', words: 'It was taken.' }
  const reply = (await commentsAt(octokit, where)).find(
    ({ id, user, body }) => id > comment_id && isApp(user?.login) && body?.startsWith(`\`${login}\`: Refused`) === true,
  )
  return reply === undefined ? null : { outcome: 'refused', words: (reply.body ?? '').slice(0, ANSWER_LENGTH_MAX) }
}

async function answerTo(octokit: Octokit, where: PullNamed, comment_id: number, login: string): Promise<Heard> {
  const until = performance.now() + ANSWER_MS_MAX
  for (;;) {
    const heard = await answerNow(octokit, where, comment_id, login)
    if (heard !== null) return heard
    if (performance.now() > until) break
    await delay(LOOK_MS)
  }
  const words = 'It was written, and nobody has answered yet: task_status or goal_status says what came of it.'
  return { outcome: 'not_heard_yet', words }
}

/** A message that came twice at once was said twice; one of the two was taken, and that is the answer to both. */
async function takenTwin(
  octokit: Octokit,
  where: PullNamed,
  own: { readonly id: number; readonly body: string; readonly me: string },
): Promise<Said | null> {
  for (const { id, body, user, html_url: url } of await commentsAt(octokit, where)) {
    if (id === own.id || body !== own.body || user?.login !== own.me) continue
    if (await isTaken(octokit, where, id)) return { outcome: 'taken', words: 'It was taken.', said_before: true, url }
  }
  return null
}

const isApp = (login: string | undefined): boolean =>
  login?.endsWith('[bot]') === true && login !== 'github-actions[bot]'
