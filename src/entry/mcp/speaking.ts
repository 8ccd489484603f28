// What somebody says through a tool: a comment or a review on the pull request, with their own token, so that GitHub proves
// who speaks and the rules judge it like any other. Saying the same of the same commit twice is saying it once.
import type { Octokit } from '@octokit/rest'
import { setTimeout as delay } from 'node:timers/promises'
import type { PullNamed } from '../attempts/pull-named.ts'
import { Refused } from './refused.ts'

export type Said = {
  readonly outcome: 'taken' | 'refused' | 'not_heard_yet'
  readonly said_before: boolean
  readonly url: string
  readonly words: string
}
export type Speaking = {
  /** Whose token it is, as GitHub calls them; null where it is no person's. */
  readonly login: () => Promise<string | null>
  /** The commit that the pull request is at now. */
  readonly headOf: (pull: PullNamed) => Promise<string>
  /** `command` is one line; `head_sha` is what its author has in front of them. */
  readonly say: (pull: PullNamed, command: string, head_sha: string) => Promise<Said>
  readonly approve: (pull: PullNamed, words: string, head_sha: string) => Promise<Said>
}

const COMMENTS_PAGES_MAX = 10
const PER_PAGE = 100
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
      return (await understood(asked, 'see that pull request')).data.head.sha
    },
    say: async (pull, command, head_sha) => {
      const place = placeOf(pull)
      const issue_number = pull.number
      // What is not shown binds it to the commit: said again of the next one, it is another word.
      const body = `${command}\n\n<!-- countersign:once ${head_sha} -->`
      const me = (await login()) ?? ''
      const before = await commentLike(octokit, pull, (one) => one.body === body && one.user?.login === me)
      const written =
        before ??
        (await understood(octokit.rest.issues.createComment({ ...place, issue_number, body }), 'comment there')).data
      const { id, html_url: url } = written
      const heard = await answerTo(octokit, pull, id, me)
      return { ...heard, said_before: before !== null, url }
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
  }
}

const placeOf = ({ repository }: PullNamed) => {
  const [owner = '', repo = ''] = repository.split('/')
  return { owner, repo }
}

async function understood<T>(asked: Promise<T>, what: string): Promise<T> {
  try {
    return await asked
  } catch (error) {
    throw new Refused(
      `GitHub does not let this token ${what}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

type Comment = { readonly id: number; readonly html_url: string; readonly body?: string; readonly user: { readonly login: string } | null } // prettier-ignore

async function commentLike(
  octokit: Octokit,
  pull: PullNamed,
  isIt: (comment: Comment) => boolean,
): Promise<Comment | null> {
  for (let page = 1; page <= COMMENTS_PAGES_MAX; page += 1) {
    const asked = { ...placeOf(pull), issue_number: pull.number, per_page: PER_PAGE, page }
    const { data } = await understood(octokit.rest.issues.listComments(asked), 'see comments')
    const found = data.find((one) => isIt(one))
    if (found !== undefined || data.length < PER_PAGE) return found ?? null
  }
  return null
}

/** Every word that was taken gets a reaction; one that was refused a reply to its author that says why, a few times. */
async function answerTo(
  octokit: Octokit,
  pull: PullNamed,
  comment_id: number,
  login: string,
): Promise<Pick<Said, 'outcome' | 'words'>> {
  const isReply = ({ id, user, body }: Comment): boolean =>
    id > comment_id && isApp(user?.login) && body?.startsWith(`\`${login}\`: Refused`) === true
  const until = performance.now() + ANSWER_MS_MAX
  for (;;) {
    const { data } = await octokit.rest.reactions.listForIssueComment({ ...placeOf(pull), comment_id })
    if (data.some(({ user, content }) => isApp(user?.login) && content === '+1')) {
      return { outcome: 'taken', words: 'It was taken.' }
    }
    const reply = await commentLike(octokit, pull, isReply)
    if (reply !== null) return { outcome: 'refused', words: (reply.body ?? '').slice(0, ANSWER_LENGTH_MAX) }
    if (performance.now() > until) break
    await delay(LOOK_MS)
  }
  const words = 'It was written, and nobody has answered yet: task_status says what came of it.'
  return { outcome: 'not_heard_yet', words }
}

const isApp = (login: string | undefined): boolean =>
  login?.endsWith('[bot]') === true && login !== 'github-actions[bot]'
